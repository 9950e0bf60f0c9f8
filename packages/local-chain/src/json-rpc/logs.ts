import { randomBytes } from "node:crypto";
import { bytesToHex, type Hex, type Json, type JsonObject } from "@finality/tron/primitives";
import type { Block } from "../chain/block.ts";
import type { ContractLog } from "../chain/transaction.ts";
import { looseHex, numberFormatException } from "../http/java-values.ts";
import type { NodeView } from "../node/node-view.ts";
import {
  blockNumber,
  blockOfHash,
  fieldsAmong,
  hashOf,
  hexNumber,
  invalidParams,
  isSince482,
  nodeError,
  quantity,
  shortAddress,
  text,
  tooManyResults,
  unsupportedSafe,
} from "./rpc-values.ts";

const MAX_TOPICS = 4;
const MAX_ALTERNATIVES = 1000;
const MAX_RANGE = 5000;
const MAX_RESULTS = 10_000;
const ADDRESS_BYTES = 20;
const TOPIC_BYTES = 32;
const FILTER_FIELDS = ["fromBlock", "toBlock", "address", "topics", "blockHash"] as const;

/** Filter of logs by block, contract and topic. */
export interface LogFilter {
  /** Heights, inclusive; `to` may be infinite. */
  readonly from: number;
  readonly to: number;
  /** Contract addresses in 20 bytes, any of which matches; none matches all. */
  readonly addresses: readonly Hex[];
  /** Topics by position, any of which matches; none matches all. */
  readonly topics: readonly (readonly Hex[])[];
}

/** Reads a filter as the node does. @throws {RpcError | JavaError | Unreadable} */
export function readLogFilter(view: NodeView, value: Json | undefined): LogFilter {
  const { address, topics, fromBlock, toBlock, blockHash } = fieldsAmong(value, FILTER_FIELDS);
  const criteria = { addresses: addressesOf(view, address), topics: topicsOf(view, topics) };
  const range = { from: text(fromBlock), to: text(toBlock) };
  const hash = text(blockHash);
  return { ...criteria, ...(hash === undefined ? rangeOf(view, range) : oneBlock(view, hash, range)) };
}

/** Returns whether one end of the range is `finalized`, which cannot be watched. @throws {Unreadable} */
export function namesFinalized(value: Json | undefined): boolean {
  const { fromBlock, toBlock } = fieldsAmong(value, FILTER_FIELDS);
  return [fromBlock, toBlock].some((it) => text(it)?.toLowerCase() === "finalized");
}

/** @throws {RpcError} it is over more blocks than the node looks through at once */
export function checkRange(view: NodeView, { from, to }: LogFilter): void {
  if (Math.min(to, view.newest.header.number) - from > MAX_RANGE) {
    throw invalidParams(`exceed max block range: ${MAX_RANGE}`);
  }
}

/** Returns the matching logs. @throws {RpcError} too many */
export function matchingLogs(view: NodeView, filter: LogFilter): readonly PositionedLog[] {
  const found: PositionedLog[] = [];
  for (let height = filter.from; height <= Math.min(filter.to, view.newest.header.number); height += 1) {
    const block = view.block(height);
    if (block !== undefined) found.push(...logsIn(block).filter((it) => matches(filter, it)));
    if (found.length > MAX_RESULTS) throw tooManyResults(MAX_RESULTS);
  }
  return found;
}

/** Returns whether a log and its block match the filter. */
function matches({ from, to, addresses, topics }: LogFilter, { log, block }: PositionedLog): boolean {
  const height = block.header.number;
  if (height < from || height > to) return false;
  if (addresses.length > 0 && !addresses.includes(log.address.slice(2) as Hex)) return false;
  return topics.every((requested, position) => {
    const topic = log.topics[position];
    return topic !== undefined && (requested.length === 0 || requested.includes(topic));
  });
}

interface NamedRange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

function oneBlock(view: NodeView, input: string, range: NamedRange): Pick<LogFilter, "from" | "to"> {
  if (range.from !== undefined || range.to !== undefined) {
    throw invalidParams("cannot specify both BlockHash and FromBlock/ToBlock, choose one or the other");
  }
  const block = blockOfHash(view, hashOf(view, input));
  if (block === undefined) throw invalidParams("invalid blockHash");
  return { from: block.header.number, to: block.header.number };
}

/** Returns the block range; by default it begins at the newest block and is open-ended. */
function rangeOf(view: NodeView, range: NamedRange): Pick<LogFilter, "from" | "to"> {
  const newest = view.newest.header.number;
  const to = heightOf(view, range.to) ?? Number.POSITIVE_INFINITY;
  const from = heightOf(view, range.from) ?? (isNamed(range.from) ? newest : Math.min(to, newest));
  if (isNamed(range.from) && isNamed(range.to) && from > to) {
    throw invalidParams("please verify: fromBlock <= toBlock");
  }
  return { from, to };
}

function isNamed(tag: string | undefined): boolean {
  return tag !== undefined && tag !== "";
}

/** Returns the height of a number or tag; undefined for the newest block of the future. */
function heightOf(view: NodeView, tag: string | undefined): number | undefined {
  switch (tag?.toLowerCase()) {
    case undefined:
    case "":
    case "latest":
      return undefined;
    case "earliest":
      return 0;
    case "finalized":
      return view.solid.header.number;
    case "pending":
      throw invalidParams("TAG pending not supported");
    case "safe":
      if (isSince482(view)) throw unsupportedSafe(view);
      return numbered(view, tag);
    default:
      return numbered(view, tag);
  }
}

function numbered(view: NodeView, tag = ""): number {
  if (!tag.startsWith("0x")) throw invalidParams("Incorrect hex syntax");
  if (isSince482(view)) return Number(blockNumber(view, tag));
  const height = hexNumber(tag);
  if (height === undefined) throw numberFormatException(`For input string: "${tag.slice(2)}"`);
  return Number(height);
}

function addressesOf(view: NodeView, input: Json | undefined): readonly Hex[] {
  if (input === undefined || input === null) return [];
  if (typeof input === "string") return [shortHex(view, input, [ADDRESS_BYTES, `invalid address: ${input}`])];
  if (!Array.isArray(input)) throw invalidParams("invalid addresses in query");
  return input.map((it: Json, index) =>
    shortHex(view, text(it) ?? "", [ADDRESS_BYTES, `invalid address at index ${index}: ${text(it)}`]),
  );
}

function topicsOf(view: NodeView, input: Json | undefined): LogFilter["topics"] {
  if (input === undefined || input === null) return [];
  // The node's reader accepts one value in place of a list.
  if (!Array.isArray(input)) return [alternativesOf(view, input)];
  if (input.length > MAX_TOPICS) throw invalidParams(`topics size should be <= ${MAX_TOPICS}`);
  return input.map((it: Json) => alternativesOf(view, it));
}

function alternativesOf(view: NodeView, input: Json): readonly Hex[] {
  if (input === null) return [];
  if (typeof input === "string") return [topicOf(view, input)];
  if (!Array.isArray(input)) throw invalidParams("invalid topic(s)");
  if (input.length > MAX_ALTERNATIVES) throw invalidParams(`exceed max topics: ${MAX_ALTERNATIVES}`);
  return input.map((it: Json) => topicOf(view, text(it) ?? "null"));
}

function topicOf(view: NodeView, input: string): Hex {
  return shortHex(view, input, [TOPIC_BYTES, `invalid topic(s): ${input}`]);
}

/** @throws {RpcError} of another length, on 4.8.2 also no hex @throws {JavaError} no hex */
function shortHex(view: NodeView, input: string, [bytes, complaint]: readonly [number, string]): Hex {
  try {
    const read = looseHex(input);
    if (read.length === bytes) return bytesToHex(read);
  } catch (error) {
    if (!isSince482(view)) throw error;
  }
  throw invalidParams(complaint);
}

/** A log with its position. */
export interface PositionedLog {
  readonly log: ContractLog;
  readonly block: Block;
  /** Index of its transaction in the block. */
  readonly transactionIndex: number;
  /** Index of the log in the block. */
  readonly logIndex: number;
}

/** Returns all logs of a block, in order. */
export function logsIn(block: Block): readonly PositionedLog[] {
  const logs: PositionedLog[] = [];
  for (const [transactionIndex, { info }] of block.transactions.entries()) {
    for (const log of info?.outcome?.logs ?? []) logs.push({ log, block, transactionIndex, logIndex: logs.length });
  }
  return logs;
}

const MS = 1000;

/** @param removed - its block gave way to another one */
export function printRpcLog(view: NodeView, position: PositionedLog, removed = false): JsonObject {
  const { log, block, transactionIndex, logIndex } = position;
  return {
    address: shortAddress(log.address),
    blockHash: `0x${block.id}`,
    blockNumber: quantity(block.header.number),
    ...(isSince482(view) && { blockTimestamp: quantity(Math.floor(block.header.timestamp / MS)) }),
    data: `0x${log.data}`,
    logIndex: quantity(logIndex),
    removed,
    topics: log.topics.map((it) => `0x${it}`),
    transactionHash: `0x${block.transactions[transactionIndex]?.transaction.id ?? ""}`,
    transactionIndex: quantity(transactionIndex),
  };
}

/** Lifetime of an unused filter in ms of real time, as on the node. */
const KEPT_MS = 300_000;
const ID_BYTES = 16;

/** A filter of a client. */
interface Filter {
  /** Absent for blocks. */
  readonly logs: LogFilter | undefined;
  /** Blocks at the last poll, from the solidified one on. */
  seen: readonly Block[];
  expiresAt: number;
}

/** Filters of clients on this node. */
export class Filters {
  readonly #filters = new Map<string, Filter>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  /** @param logs - absent for a filter of blocks @returns the filter's id */
  add(view: NodeView, logs?: LogFilter): string {
    const id = randomBytes(ID_BYTES).toString("hex");
    const expiresAt = this.#now() + KEPT_MS;
    this.#filters.set(id, { logs, seen: unsettled(view), expiresAt });
    return `0x${id}`;
  }

  /** @throws {RpcError} there is none */
  remove(id: string): void {
    this.#get(id);
    this.#filters.delete(bare(id));
  }

  /** Returns the log filter of an id. @throws {RpcError} there is none */
  logs(id: string): LogFilter {
    const { logs } = this.#get(id);
    if (logs === undefined) throw notFound();
    return logs;
  }

  /** Returns the changes since the last poll. @throws {RpcError} there is none */
  changes(view: NodeView, id: string): readonly Json[] {
    const filter = this.#get(id);
    filter.expiresAt = this.#now() + KEPT_MS;
    const { gone, come } = difference(view, filter.seen);
    filter.seen = unsettled(view);
    const { logs } = filter;
    if (logs === undefined) return come.map((it) => `0x${it.id}`);
    return [
      ...gone.flatMap((it) => printed(view, it, { logs, removed: true })),
      ...come.flatMap((it) => printed(view, it, { logs, removed: false })),
    ];
  }

  #get(id: string): Filter {
    for (const [key, { expiresAt }] of this.#filters) if (expiresAt < this.#now()) this.#filters.delete(key);
    const filter = this.#filters.get(bare(id));
    if (filter === undefined) throw notFound();
    return filter;
  }
}

function notFound(): Error {
  return nodeError("filter not found");
}

function bare(id: string): string {
  return id.startsWith("0x") ? id.slice(2) : id;
}

interface WatchedLogs {
  readonly logs: LogFilter;
  /** True for the logs of a block that gave way to another one. */
  readonly removed: boolean;
}

function printed(view: NodeView, block: Block, { logs, removed }: WatchedLogs): readonly Json[] {
  return logsIn(block)
    .filter((it) => matches(logs, it))
    .map((it) => printRpcLog(view, it, removed));
}

/** Returns the blocks from the solidified one on. */
function unsettled(view: NodeView): readonly Block[] {
  return between(view, view.solid.header.number, view.newest.header.number);
}

/** Returns removed blocks, and new ones. */
function difference(view: NodeView, seen: readonly Block[]): { gone: readonly Block[]; come: readonly Block[] } {
  const still = seen.findLastIndex((it) => view.block(it.header.number)?.id === it.id);
  const last = seen[still]?.header.number ?? Math.min(seen[0]?.header.number ?? 0, view.newest.header.number + 1) - 1;
  return { gone: seen.slice(still + 1), come: between(view, last + 1, view.newest.header.number) };
}

function between(view: NodeView, from: number, to: number): readonly Block[] {
  const blocks: Block[] = [];
  for (let height = from; height <= to; height += 1) {
    const block = view.block(height);
    if (block !== undefined) blocks.push(block);
  }
  return blocks;
}
