import { type Address, addressIn, anyAddressIn, type JsonObject } from "@finality/tron/primitives";
import type { Block } from "../chain/block.ts";
import type { NodeView } from "../node/node-view.ts";

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 200;

/** An invalid query: status 400 with its message. */
export class BadQuery extends Error {}

/** Query parameters by snake-case name; the service accepts camel case as well. */
export class Parameters {
  readonly #query: URLSearchParams;

  constructor(query: URLSearchParams) {
    this.#query = query;
  }

  text(name: string): string | undefined {
    const camel = name.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const value = this.#query.get(name) ?? this.#query.get(camel);
    return value === null || value === "" ? undefined : value;
  }

  /** @throws {BadQuery} it is neither true nor false */
  flag(name: string, otherwise = false): boolean {
    const value = this.text(name) ?? String(otherwise);
    if (value !== "true" && value !== "false") throw new BadQuery(`${name} must be true or false`);
    return value === "true";
  }

  /** Reads a count or a time. @throws {BadQuery} */
  integer(name: string): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    if (!/^\d{1,15}$/.test(value)) throw new BadQuery(`${name} must be a non-negative integer`);
    return Number(value);
  }

  /** @throws {BadQuery} */
  address(name: string): Address | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : readAddress(value);
  }
}

/** Parses an address in base58, hex, or 20-byte form. @throws {BadQuery} */
export function readAddress(text: string): Address {
  // The node ignores the case of hex.
  const plain = /^[\da-fx]+$/i.test(text) ? text.toLowerCase() : text;
  const address = plain.startsWith("0x") ? anyAddressIn(plain) : addressIn(plain);
  if (address === undefined) throw new BadQuery(`invalid address: ${text}`);
  return address;
}

/** Position of an entry: block, transaction, index. */
type EntryPosition = readonly [height: number, transaction: number, number: number];

/** An entry of a list, which is printed when it is on the page. */
export interface ListEntry {
  readonly position: EntryPosition;
  print(): JsonObject;
}

/** Blocks and page of a query. */
export interface PageQuery {
  readonly ascending: boolean;
  readonly limit: number;
  /** Last entry of the previous page. */
  readonly after: EntryPosition | undefined;
  /** Block time range, inclusive. */
  readonly from: number;
  readonly to: number;
  /** Height range, inclusive; unsolidified blocks are unconfirmed. */
  readonly lowest: number;
  readonly highest: number;
}

/** @throws {BadQuery} */
export function readPageQuery(parameters: Parameters, view: NodeView): PageQuery {
  const height = parameters.integer("block_number");
  const confirmed = parameters.flag("only_confirmed");
  const unconfirmed = parameters.flag("only_unconfirmed");
  if (confirmed && unconfirmed) throw new BadQuery("only_confirmed and only_unconfirmed exclude each other");
  const solid = view.solid.header.number;
  return {
    ascending: readOrder(parameters.text("order_by")),
    limit: Math.min(MAX_LIMIT, Math.max(1, parameters.integer("limit") ?? DEFAULT_LIMIT)),
    after: readFingerprint(parameters.text("fingerprint")),
    from: parameters.integer("min_block_timestamp") ?? parameters.integer("min_timestamp") ?? 0,
    to: parameters.integer("max_block_timestamp") ?? parameters.integer("max_timestamp") ?? Number.POSITIVE_INFINITY,
    lowest: Math.max(height ?? 1, unconfirmed ? solid + 1 : 1),
    highest: Math.min(height ?? Number.POSITIVE_INFINITY, confirmed ? solid : view.newest.header.number),
  };
}

/** Returns whether newest come first, the default; time and height order are equal. */
function readOrder(text = "block_timestamp,desc"): boolean {
  const [, direction] = /^(?:block_timestamp|timestamp|block_number),(asc|desc)$/.exec(text) ?? [];
  if (direction === undefined) throw new BadQuery(`invalid order_by: ${text}`);
  return direction === "asc";
}

function readFingerprint(text: string | undefined): EntryPosition | undefined {
  if (text === undefined) return undefined;
  const places = /^(\d{1,15})-(\d{1,15})-(\d{1,15})$/.exec(Buffer.from(text, "base64url").toString("latin1"));
  if (places === null) throw new BadQuery(`invalid fingerprint: ${text}`);
  return [Number(places[1]), Number(places[2]), Number(places[3])];
}

/** A page of entries. */
export interface Page {
  readonly rows: readonly ListEntry[];
  /** Fingerprint of the next page; absent on the last one. */
  readonly fingerprint?: string;
}

/** @param rowsOf - the rows of a block in the order in which they happened */
export function readPage(view: NodeView, query: PageQuery, rowsOf: (block: Block) => readonly ListEntry[]): Page {
  const rows: ListEntry[] = [];
  for (const block of blocksOf(view, query)) {
    const found = rowsOf(block);
    rows.push(...(query.ascending ? found : found.toReversed()).filter((it) => isAfter(it.position, query)));
    if (rows.length > query.limit) break;
  }
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  if (last === undefined || rows.length === page.length) return { rows: page };
  return { rows: page, fingerprint: Buffer.from(last.position.join("-")).toString("base64url") };
}

function* blocksOf(view: NodeView, { ascending, lowest, highest, after, from, to }: PageQuery): Generator<Block> {
  const first = ascending ? Math.max(lowest, after?.[0] ?? 0) : Math.min(highest, after?.[0] ?? highest);
  for (let height = first; height >= lowest && height <= highest; height += ascending ? 1 : -1) {
    const block = view.block(height);
    const time = block?.header.timestamp ?? 0;
    if (block !== undefined && time >= from && time <= to) yield block;
    else if (ascending ? time > to : time < from) return;
  }
}

function isAfter(position: EntryPosition, { after, ascending }: PageQuery): boolean {
  if (after === undefined) return true;
  const at = position.findIndex((it, index) => it !== after[index]);
  return at >= 0 && Number(position[at]) > Number(after[at]) === ascending;
}
