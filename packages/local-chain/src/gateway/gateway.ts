import { create } from "@bufbuild/protobuf";
import {
  type AbiParameter,
  type AbiValue,
  decodeAbi,
  elementaryType,
  parameterFromJson,
  selectorOf,
  topicOf,
} from "@finality/tron/abi";
import {
  type Address,
  addressToBytes,
  foreignText,
  type Hex,
  hexToBytes,
  isForeignText,
  type Json,
  type JsonObject,
  jsonInteger,
  printJson,
  rawText,
  type TxId,
  toBase58,
} from "@finality/tron/primitives";
import { type Entry, type Param, type SmartContract, TriggerSmartContractSchema } from "@finality/tron/schema";
import type { Block } from "../chain/block.ts";
import {
  type ContractLog,
  type IncludedTransaction,
  type InternalTransaction,
  ownerOf,
  validAddress,
} from "../chain/transaction.ts";
import { type HttpRequest, type HttpResponse, pathOf, queryOf } from "../http/message.ts";
import type { NodeView } from "../node/node-view.ts";
import { accountJson } from "../routes/accounts.ts";
import { constantCall } from "../routes/contract-calls.ts";
import { printTransaction } from "../routes/print.ts";
import {
  BadQuery,
  type ListEntry,
  type Page,
  type PageQuery,
  Parameters,
  readAddress,
  readPage,
  readPageQuery,
} from "./query.ts";

/** Chain views and response data of the service. */
export interface GatewayContext {
  /** View of the head, and of the newest solidified block. */
  readonly head: NodeView;
  readonly solid: NodeView;
  /** Unix time in ms. */
  readonly now: number;
  /** Base URL of links to next pages. */
  readonly baseUrl: string;
}

type Endpoint = (subject: string, parameters: Parameters, context: GatewayContext) => Page | readonly JsonObject[];

/** Endpoints by the path after `/v1/`, with `*` for the subject. */
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
 * Answers the queries of hosted services (`GET /v1/…`) for events and account history, as TronWeb sends them. Returns
 * undefined for any other path.
 */
export function answerQuery(request: HttpRequest, path: string, context: GatewayContext): HttpResponse | undefined {
  const [, first = "", subject = "", rest = ""] = /^\/v1\/([^/]+)\/([^/]+)(.*)$/.exec(path) ?? [];
  const endpoint = endpoints[`${first}/*${rest}`];
  if (endpoint === undefined || request.method !== "GET") return undefined;
  try {
    const parameters = new Parameters(queryOf(request));
    return response(200, listResponse(endpoint(decodeURIComponent(subject), parameters, context), request, context));
  } catch (error) {
    if (!(error instanceof BadQuery || error instanceof URIError)) throw error;
    return response(400, { success: false, error: error.message, statusCode: 400 });
  }
}

function response(status: number, json: Json): HttpResponse {
  return { status, headers: { "content-type": "application/json;charset=utf-8" }, body: printJson(json) };
}

function listResponse(found: Page | readonly JsonObject[], request: HttpRequest, context: GatewayContext): JsonObject {
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
  const requested = parameters.text("event_name");
  return readPage(head, readPageQuery(parameters, head), (block) =>
    eventsIn(head, block)
      .filter(({ log, name }) => log.address === address && (requested === undefined || requested === name))
      .map(({ row }) => row),
  );
}

function transactionEvents(subject: string, parameters: Parameters, { head }: GatewayContext): readonly JsonObject[] {
  if (!/^[\da-f]{64}$/i.test(subject)) throw new BadQuery(`invalid transaction id: ${subject}`);
  const { lowest, highest } = readPageQuery(parameters, head);
  const found = head.find(subject.toLowerCase() as TxId);
  const height = found?.block.header.number ?? 0;
  if (found === undefined || height < lowest || height > highest) return [];
  const position = found.block.transactions.findIndex(({ transaction }) => transaction.id === found.transaction.id);
  return eventsOf(head, found.block, position).map(({ row }) => row.print());
}

/** Returns the events of a block, by number, id or `latest`. */
function blockEvents(subject: string, parameters: Parameters, { head }: GatewayContext): Page {
  const query = readPageQuery(parameters, head);
  const height = heightOf(head, query, subject);
  const one = { ...query, lowest: Math.max(height, query.lowest), highest: Math.min(height, query.highest) };
  return readPage(head, one, (block) => eventsIn(head, block).map(({ row }) => row));
}

function heightOf(view: NodeView, { highest }: PageQuery, subject: string): number {
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

function* blocksOf(view: NodeView): Generator<Block> {
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

function partyOf(address: Address, parameters: Parameters): HistoryFilter {
  return { address, onlyFrom: parameters.flag("only_from"), onlyTo: parameters.flag("only_to") };
}

/** Account of a history, with its direction. */
interface HistoryFilter {
  readonly address: Address;
  readonly onlyFrom: boolean;
  readonly onlyTo: boolean;
}

/** Returns whether a transfer concerns the account. Both limits together are none, as on the service. */
function isConcerned(
  { address, onlyFrom, onlyTo }: HistoryFilter,
  from: Address | undefined,
  to: readonly unknown[],
): boolean {
  const [sends, receives] = [from === address, to.includes(address)];
  if (onlyFrom === onlyTo) return sends || receives;
  return onlyFrom ? sends : receives;
}

/** Returns the transactions of a block that the account sent or received, with internal transfers. */
function transactionsOf(block: Block, party: HistoryFilter, internal: boolean): readonly ListEntry[] {
  return block.transactions.flatMap((included, transaction) => {
    const at = (index: number): ListEntry["position"] => [block.header.number, transaction, index];
    const { contract } = included.transaction;
    const whole = isConcerned(party, contract && ownerOf(contract), recipientsOf(included))
      ? [{ position: at(0), print: () => printIncluded(included, block) }]
      : [];
    const inside = internal ? (included.info?.outcome?.internal ?? []) : [];
    const moved = inside.flatMap((it, index) =>
      isConcerned(party, it.from, [it.to])
        ? [{ position: at(index + 1), print: () => printInternal(it, included, block) }]
        : [],
    );
    return [...whole, ...moved];
  });
}

/** Returns the recipients of a transaction; of a deployment it is the new contract. */
function recipientsOf({ transaction, info }: IncludedTransaction): readonly (Address | undefined)[] {
  const message = transaction.contract?.message as { readonly [field: string]: unknown } | undefined;
  const fields = ["toAddress", "contractAddress", "receiverAddress", "accountAddress"];
  const named = fields.map((it) => message?.[it]).filter((it) => it instanceof Uint8Array);
  return [...named.map(validAddress), info?.outcome?.contractAddress];
}

function printIncluded({ transaction, info }: IncludedTransaction, block: Block): JsonObject {
  const energy = info?.outcome?.energy;
  return {
    ret: [{ contractRet: info?.result ?? "SUCCESS", fee: jsonInteger(info?.fee ?? 0n) }],
    ...printTransaction(transaction, false),
    net_usage: jsonInteger(info?.netUsage ?? 0n),
    net_fee: jsonInteger(info?.netFee ?? 0n),
    energy_usage: jsonInteger(energy?.fromCaller ?? 0n),
    energy_fee: jsonInteger(energy?.fee ?? 0n),
    energy_usage_total: jsonInteger(energy?.total ?? 0n),
    blockNumber: block.header.number,
    block_timestamp: block.header.timestamp,
    internal_transactions: [],
  };
}

function printInternal(moved: InternalTransaction, { transaction }: IncludedTransaction, block: Block): JsonObject {
  const { hash, from, to, value, tokens = [], note, rejected } = moved;
  return {
    internal_tx_id: hash,
    data: {
      note,
      rejected,
      call_value: Object.fromEntries([["_", value] as const, ...tokens].map(([id, it]) => [id, jsonInteger(it)])),
    },
    block_timestamp: block.header.timestamp,
    to_address: to,
    tx_id: transaction.id,
    from_address: from,
  };
}

/** Name, symbol and decimals of a token contract. */
type TokenInfo = JsonObject;

const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
const APPROVAL = "8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
const TYPES: { readonly [topic: string]: string } = { [TRANSFER]: "Transfer", [APPROVAL]: "Approval" };

interface TokenMove {
  readonly log: ContractLog;
  readonly type: string;
  readonly from: Address;
  readonly to: Address;
}

/** Reads a log as a token transfer: two indexed addresses and one word. The on-chain ABI is not used. */
function tokenMoveOf(log: ContractLog): TokenMove | undefined {
  const [topic = "", from = "", to = "", ...more] = log.topics;
  const type = TYPES[topic];
  if (type === undefined || to === "" || more.length > 0 || log.data.length !== 64) return undefined;
  return { log, type, from: addressOfTopic(from), to: addressOfTopic(to) };
}

function addressOfTopic(topic: string): Address {
  return `41${topic.slice(24)}` as Address;
}

/** Token metadata by contract, read once per response. */
class Tokens {
  readonly #view: NodeView;
  readonly #known = new Map<Address, TokenInfo>();

  constructor(view: NodeView) {
    this.#view = view;
  }

  /** Returns the token transfers in a block. @param token - restricts them to one contract */
  movesIn(block: Block, party: HistoryFilter, token: Address | undefined): readonly ListEntry[] {
    return block.transactions.flatMap((included, transaction) =>
      (included.info?.outcome?.logs ?? []).flatMap((log, index): ListEntry[] => {
        const move = tokenMoveOf(log);
        if (move === undefined || !isConcerned(party, move.from, [move.to])) return [];
        if (token !== undefined && token !== log.address) return [];
        const position = [block.header.number, transaction, index] as const;
        return [{ position, print: () => this.#print(move, included, block) }];
      }),
    );
  }

  /** Returns the account's balance of each token that it ever received. */
  balancesOf(address: Address, blocks: Iterable<Block>): readonly JsonObject[] {
    const contracts = new Set<Address>();
    for (const { transactions } of blocks) {
      const logs = transactions.flatMap(({ info }) => info?.outcome?.logs ?? []);
      for (const log of logs) if (tokenMoveOf(log)?.to === address) contracts.add(log.address);
    }
    const argument = address.slice(2).padStart(64, "0");
    return [...contracts].flatMap((contract) => {
      const balance = this.#ask(contract, "balanceOf(address)", "uint256", argument);
      return balance === undefined || balance === "0" ? [] : [{ [toBase58(contract)]: balance }];
    });
  }

  #print({ log, type, from, to }: TokenMove, { transaction }: IncludedTransaction, block: Block): JsonObject {
    return {
      transaction_id: transaction.id,
      token_info: this.#info(log.address),
      block_timestamp: block.header.timestamp,
      from: toBase58(from),
      to: toBase58(to),
      type,
      value: BigInt(`0x${log.data}`).toString(),
    };
  }

  #info(contract: Address): TokenInfo {
    const known = this.#known.get(contract) ?? {
      symbol: this.#ask(contract, "symbol()", "string") ?? "",
      address: toBase58(contract),
      decimals: Number(this.#ask(contract, "decimals()", "uint256") ?? 0),
      name: this.#ask(contract, "name()", "string") ?? "",
    };
    this.#known.set(contract, known);
    return known;
  }

  /** Calls a view function; undefined if it is missing or fails. */
  #ask(contract: Address, signature: string, type: string, argument = ""): string | undefined {
    const view: NodeView = { ...this.#view, settings: { ...this.#view.settings, constantCalls: true } };
    const message = create(TriggerSmartContractSchema, {
      ownerAddress: addressToBytes(contract),
      contractAddress: addressToBytes(contract),
      data: hexToBytes(selectorOf(signature) + argument),
    });
    try {
      const { run } = constantCall(view, { message, permissionId: 0, feeLimit: 0n });
      const [value = ""] = decodeAbi([{ name: foreignText(""), type: elementaryType(type) }], run.output);
      return isForeignText(value) ? rawText(value) : String(value);
    } catch {
      return undefined;
    }
  }
}

const EVENT = 3;

/** A log that the contract's ABI decodes. */
interface ContractEvent {
  readonly log: ContractLog;
  readonly name: string;
  /** Index among the logs of its transaction. */
  readonly index: number;
  readonly row: ListEntry;
}

/**
 * Returns the events of a block in order. As on the service, a log is an event if the on-chain ABI names its first
 * topic and decodes the rest.
 */
function eventsIn(view: NodeView, block: Block): readonly ContractEvent[] {
  return block.transactions.flatMap((_, transaction) => eventsOf(view, block, transaction));
}

/** Returns the events of one transaction of a block. */
function eventsOf(view: NodeView, block: Block, transaction: number): readonly ContractEvent[] {
  const logs = block.transactions[transaction]?.info?.outcome?.logs ?? [];
  return logs.flatMap((log, index) => {
    const entry = entryOf(view, log);
    const values = entry && valuesOf(entry, log);
    if (entry === undefined || values === undefined) return [];
    const print = (): JsonObject => printEvent({ view, block, transaction, index, log, entry, values });
    return [{ log, name: entry.name, index, row: { position: [block.header.number, transaction, index], print } }];
  });
}

interface DecodedEvent {
  readonly view: NodeView;
  readonly block: Block;
  readonly transaction: number;
  readonly index: number;
  readonly log: ContractLog;
  readonly entry: Entry;
  readonly values: readonly Json[];
}

function printEvent({ view, block, transaction, index, log, entry, values }: DecodedEvent): JsonObject {
  const { number, timestamp } = block.header;
  const included = block.transactions[transaction];
  const called = included?.info?.outcome?.contractAddress ?? log.address;
  const { inputs } = entry;
  const named = inputs.map(({ name }, at) => [name || String(at), values[at]]);
  return {
    block_number: number,
    block_timestamp: timestamp,
    caller_contract_address: toBase58(called),
    contract_address: toBase58(log.address),
    event_index: index,
    event_name: entry.name,
    result: Object.fromEntries([...values.entries(), ...named]) as JsonObject,
    result_type: Object.fromEntries(inputs.map(({ name, type }, at) => [name || String(at), type])),
    event: `${entry.name}(${inputs.map(parameterText).join(", ")})`,
    transaction_id: included?.transaction.id,
    ...(number > view.solid.header.number && { _unconfirmed: true }),
  };
}

function parameterText({ type, indexed, name }: Param): string {
  return [type, ...(indexed ? ["indexed"] : []), ...(name === "" ? [] : [name])].join(" ");
}

const entriesByTopic = new WeakMap<SmartContract, ReadonlyMap<Hex, Entry>>();

function entryOf(view: NodeView, { address, topics: [topic] }: ContractLog): Entry | undefined {
  const definition = view.state.contract(address)?.definition;
  if (definition === undefined || topic === undefined) return undefined;
  const entries = entriesByTopic.get(definition) ?? eventEntries(definition);
  entriesByTopic.set(definition, entries);
  return entries.get(topic);
}

function eventEntries({ abi }: SmartContract): ReadonlyMap<Hex, Entry> {
  const events = (abi?.entrys ?? []).filter((it) => it.type === EVENT && !it.anonymous);
  return new Map(events.map((it) => [topicOf(`${it.name}(${it.inputs.map(({ type }) => type).join(",")})`), it]));
}

/** Decodes the values of a log in parameter order; undefined if they do not match the ABI. */
function valuesOf({ inputs }: Entry, { topics, data }: ContractLog): readonly Json[] | undefined {
  try {
    const parameters = inputs.map((it) => parameterFromJson(it));
    const [indexed, plain] = [true, false].map((requested) =>
      parameters.filter((_, at) => inputs[at]?.indexed === requested),
    );
    const inTopics = (indexed ?? []).map((it, at) => topicValue(it, topics[at + 1] ?? ""));
    const inData = decodeAbi(plain ?? [], hexToBytes(data)).map((it, at) => printValue(it, plain?.[at]));
    return inputs.map((it) => (it.indexed ? inTopics.shift() : inData.shift()) ?? "");
  } catch {
    return undefined;
  }
}

/** Decodes an indexed value; values of dynamic length are hashes. */
function topicValue(parameter: AbiParameter, topic: string): Json {
  const { kind, dynamic } = parameter.type;
  if (dynamic || kind === "array" || kind === "tuple") return topic;
  return decodeAbi([parameter], hexToBytes(topic)).map((it) => printValue(it, parameter))[0] ?? "";
}

/** Prints a value as the service does: as text, with 0x in place of an address's 41. */
function printValue(value: AbiValue, parameter: AbiParameter | undefined): Json {
  if (Array.isArray(value)) return value.map((it: AbiValue) => printValue(it, parameter));
  if (isForeignText(value)) return rawText(value);
  if (typeof value === "object") return "text" in value ? rawText(value.text) : "";
  return typeof value === "string" && isAddress(value, parameter) ? `0x${value.slice(2)}` : String(value);
}

function isAddress(text: string, parameter: AbiParameter | undefined): boolean {
  return parameter?.type.text.startsWith("address") === true && text.length === 42;
}
