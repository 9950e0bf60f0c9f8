import type { Address } from "../../core/primitives/address.ts";
import type { TxId } from "../../core/primitives/bytes.ts";
import type { JsonObject } from "../../core/primitives/json.ts";
import type { Account } from "../chain/account.ts";
import type { Block, Inclusion } from "../chain/block.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import type { Ledger } from "../chain/ledger.ts";
import type { Pending } from "../chain/mempool.ts";
import type { ChainTransaction } from "../chain/transaction.ts";
import { parseBody } from "../http/fastjson.ts";
import { bodyTooBig, nullPointerException, numberFormatException } from "../http/java-error.ts";
import { type Fields, mergeJson, type Values } from "../http/json-format.ts";
import type { Reply } from "../http/message.ts";
import type { NodeSettings, SimulatedNode } from "../node/simulated-node.ts";

/** A request as a servlet sees it. */
export interface ServletRequest {
  readonly query: URLSearchParams;
  readonly body: string;
  /** Sent as `application/x-www-form-urlencoded`. */
  readonly form: boolean;
}

export type Handler = (request: ServletRequest, view: View) => Reply;

/** One endpoint. */
export interface Route {
  readonly name: string;
  /** Whether the node has it under `/walletsolidity/` too. */
  readonly solidity: boolean;
  readonly post: Handler;
  /** A servlet may have an empty GET handler (200 without a body), or none (405). */
  readonly get: Handler | "empty" | "refused";
  readonly servlet: string;
}

/** The chain as one side of the node shows it. */
export interface View {
  readonly chain: Blockchain;
  /** The newest block of this side: the head, or the newest solidified one. */
  readonly newest: Block;
  /** Both as this node knows them. */
  readonly head: Block;
  readonly solid: Block;
  readonly state: Ledger;
  readonly settings: NodeSettings;
  block(height: number): Block | undefined;
  find(id: TxId): Inclusion | undefined;
  /** Only the head side knows what waits for a block. */
  pending(id: TxId): Pending | undefined;
  /** Takes a broadcast into the pool. @throws {Refusal} */
  submit(transaction: ChainTransaction): void;
}

/** `/wallet/`: the head, with the pool's transactions already applied to accounts. */
export function headView(chain: Blockchain, node: SimulatedNode): View {
  return {
    chain,
    settings: node.settings,
    newest: chain.head,
    head: chain.head,
    solid: chain.solid,
    state: chain.pendingState,
    block: (height) => chain.block(height),
    find: (id) => chain.find(id),
    pending: (id) => chain.pool.get(id),
    submit: (transaction) => node.submit(transaction),
  };
}

/** `/walletsolidity/`: nothing above the solidified block exists. */
export function solidView(chain: Blockchain, node: SimulatedNode): View {
  const newest = chain.solid;
  const height = newest.header.number;
  return {
    chain,
    settings: node.settings,
    newest,
    head: chain.head,
    solid: newest,
    state: chain.solidState,
    block: (wanted) => (wanted > height ? undefined : chain.block(wanted)),
    find: (id) => {
      const found = chain.find(id);
      return found !== undefined && found.block.header.number <= height ? found : undefined;
    },
    pending: () => undefined,
    submit: (transaction) => node.submit(transaction),
  };
}

/** An account as this side sees it. */
export function accountIn(view: View, address: Address | undefined): Account | undefined {
  return address === undefined ? undefined : view.state.account(address);
}

export interface Body {
  readonly values: Values;
  readonly visible: boolean;
}

/**
 * Reads a body by its fields, and its `visible`.
 *
 * @throws {JavaError}
 */
export function readBody(request: ServletRequest, fields: Fields): Body {
  const text = bodyText(request);
  const visible = isVisible(presentBody(text)?.visible);
  return { values: mergeJson(text, fields, visible), visible };
}

/**
 * A body as most servlets read it: undefined when it is empty, and refused when it is the word `null`.
 *
 * @throws {JavaError}
 */
export function presentBody(text: string): JsonObject | undefined {
  const json = parseBody(text);
  if (json === undefined && text.includes("null")) throw nullPointerException("null");
  return json;
}

/** The body as JSON text: a form becomes an object of texts. */
export function bodyText({ body, form }: ServletRequest): string {
  checkBodySize(body);
  return form ? JSON.stringify(Object.fromEntries(new URLSearchParams(body))) : body;
}

const BODY_LIMIT = 4_194_304;

/** @throws {JavaError} above 4 MiB */
export function checkBodySize(body: string): void {
  if (Buffer.byteLength(body) > BODY_LIMIT) throw bodyTooBig(BODY_LIMIT);
}

/** `visible` may be a boolean or its text. */
export function isVisible(value: unknown): boolean {
  return value === true || value === "true" || value === 1;
}

export function queryVisible({ query }: ServletRequest): boolean {
  return query.get("visible") === "true";
}

/** @throws {JavaError} absent or no integer */
export function queryNumber({ query }: ServletRequest, name: string): number {
  const text = query.get(name);
  if (text === null) throw numberFormatException("Cannot parse null string");
  if (!/^[-+]?\d+$/.test(text)) throw numberFormatException(`For input string: "${text}"`);
  return Number(text);
}
