import { type Address, type Json, type JsonObject, printJson, type TxId } from "@finality/tron/primitives";
import type { Block } from "../chain/block.ts";
import { type HttpRequest, type HttpResponse, pathOf, queryOf } from "../http/message.ts";
import { accountJson } from "../routes/accounts.ts";
import type { View } from "../routes/route.ts";
import { type Party, Tokens, transactionsOf } from "./account-history.ts";
import { eventsIn, eventsOf } from "./contract-events.ts";
import { BadQuery, type Page, type PageQuery, Parameters, readAddress, readPage, readPageQuery } from "./query.ts";

/** The chain as the service shows it, and the time of its answers. */
export interface GatewayContext {
  /** Both sides: the head, and as the same node sees it the newest solidified block. */
  readonly head: View;
  readonly solid: View;
  /** Unix time in ms. */
  readonly now: number;
  /** Where links to next pages lead. */
  readonly baseUrl: string;
}

type Endpoint = (subject: string, parameters: Parameters, context: GatewayContext) => Page | readonly JsonObject[];

/** What follows `/v1/`, with the subject of the question in the place of `*`. */
const endpoints: { readonly [path: string]: Endpoint } = {
  "accounts/*": accounts,
  "accounts/*/transactions": accountTransactions,
  "accounts/*/transactions/trc20": tokenMoves,
  "contracts/*/events": contractEvents,
  "contracts/*/transactions": accountTransactions,
  "transactions/*/events": transactionEvents,
  "blocks/*/events": blockEvents,
};

/**
 * Answers the queries that a hosted service has beside the node (`GET /v1/…`), as TronWeb and others ask for events and
 * for the history of an account. Undefined for any other path.
 */
export function answerQuery(request: HttpRequest, path: string, context: GatewayContext): HttpResponse | undefined {
  const [, first = "", subject = "", rest = ""] = /^\/v1\/([^/]+)\/([^/]+)(.*)$/.exec(path) ?? [];
  const endpoint = endpoints[`${first}/*${rest}`];
  if (endpoint === undefined || request.method !== "GET") return undefined;
  try {
    const parameters = new Parameters(queryOf(request));
    return response(200, listed(endpoint(decodeURIComponent(subject), parameters, context), request, context));
  } catch (error) {
    if (!(error instanceof BadQuery || error instanceof URIError)) throw error;
    return response(400, { success: false, error: error.message, statusCode: 400 });
  }
}

function response(status: number, json: Json): HttpResponse {
  return { status, headers: { "content-type": "application/json;charset=utf-8" }, body: printJson(json) };
}

function listed(found: Page | readonly JsonObject[], request: HttpRequest, context: GatewayContext): JsonObject {
  const page = "rows" in found ? found : undefined;
  const data = "rows" in found ? found.rows.map((it) => it.print()) : found;
  const { now: at, baseUrl } = context;
  const next = page?.fingerprint && nextPage(request, baseUrl, page.fingerprint);
  return {
    data,
    success: true,
    meta: { at, ...(next && { fingerprint: page.fingerprint, links: { next } }), page_size: data.length },
  };
}

function nextPage(request: HttpRequest, baseUrl: string, fingerprint: string): string {
  const query = queryOf(request);
  query.set("fingerprint", fingerprint);
  return `${baseUrl}${pathOf(request)}?${query}`;
}

function contractEvents(subject: string, parameters: Parameters, { head }: GatewayContext): Page {
  const address = readAddress(subject);
  const wanted = parameters.text("event_name");
  return readPage(head, readPageQuery(parameters, head), (block) =>
    eventsIn(head, block)
      .filter(({ log, name }) => log.address === address && (wanted === undefined || wanted === name))
      .map(({ row }) => row),
  );
}

function transactionEvents(subject: string, parameters: Parameters, { head }: GatewayContext): readonly JsonObject[] {
  if (!/^[\da-f]{64}$/i.test(subject)) throw new BadQuery(`invalid transaction id: ${subject}`);
  const { lowest, highest } = readPageQuery(parameters, head);
  const found = head.find(subject.toLowerCase() as TxId);
  const height = found?.block.header.number ?? 0;
  if (found === undefined || height < lowest || height > highest) return [];
  const place = found.block.transactions.findIndex(({ transaction }) => transaction.id === found.transaction.id);
  return eventsOf(head, found.block, place).map(({ row }) => row.print());
}

/** A block is named by its number, its id, or as the latest one. */
function blockEvents(subject: string, parameters: Parameters, { head }: GatewayContext): Page {
  const query = readPageQuery(parameters, head);
  const height = heightOf(head, query, subject);
  const one = { ...query, lowest: Math.max(height, query.lowest), highest: Math.min(height, query.highest) };
  return readPage(head, one, (block) => eventsIn(head, block).map(({ row }) => row));
}

function heightOf(view: View, { highest }: PageQuery, subject: string): number {
  if (subject === "latest") return highest;
  if (/^\d{1,15}$/.test(subject)) return Number(subject);
  if (!/^[\da-f]{64}$/i.test(subject)) throw new BadQuery(`invalid block identifier: ${subject}`);
  const height = Number.parseInt(subject.slice(0, 16), 16);
  return view.block(height)?.id === subject.toLowerCase() ? height : Number.POSITIVE_INFINITY;
}

function accounts(subject: string, parameters: Parameters, { head, solid }: GatewayContext): readonly JsonObject[] {
  const address = readAddress(subject);
  const view = parameters.flag("only_confirmed") ? solid : head;
  const account = view.state.account(address);
  if (account === undefined) return [];
  const trc20 = new Tokens(view).balancesOf(address, blocksOf(view));
  return [{ ...accountJson(view, account, false), trc20 }];
}

function* blocksOf(view: View): Generator<Block> {
  for (let height = 1; height <= view.newest.header.number; height += 1) {
    const block = view.block(height);
    if (block !== undefined) yield block;
  }
}

function accountTransactions(subject: string, parameters: Parameters, { head }: GatewayContext): Page {
  const party = partyOf(readAddress(subject), parameters);
  const internal = parameters.flag("search_internal", true);
  return readPage(head, readPageQuery(parameters, head), (block) => transactionsOf(block, party, internal));
}

function tokenMoves(subject: string, parameters: Parameters, { head }: GatewayContext): Page {
  const party = partyOf(readAddress(subject), parameters);
  const token = parameters.address("contract_address");
  const tokens = new Tokens(head);
  return readPage(head, readPageQuery(parameters, head), (block) => tokens.movesIn(block, party, token));
}

function partyOf(address: Address, parameters: Parameters): Party {
  return { address, onlyFrom: parameters.flag("only_from"), onlyTo: parameters.flag("only_to") };
}
