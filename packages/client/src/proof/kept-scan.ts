import { blockId, type Hex } from "@finality/tron/primitives";
import {
  address,
  flag,
  hashOf,
  hex,
  listOf,
  object,
  txId as readTxId,
  tryReadJson,
  wholeNumber,
} from "@finality/tron/read";
import type { AbsenceScan } from "./absence-scan.ts";
import { heightOf } from "./evidence.ts";

/**
 * Keeps lines about scans, one list for each key: a chain, or a network whose chain is not known. It holds no truth:
 * what is lost, or cannot be kept, is read from the chain again, so no method rejects.
 */
export interface ScanStore {
  load(key: string): Promise<readonly string[]>;
  /** Begins a new list; an empty one is no list. */
  begin(key: string, lines: readonly string[]): Promise<void>;
  append(key: string, line: string): Promise<void>;
}

/** How far a scan is, for who goes on with it after a restart. Each block is written once. */
export class KeptScan {
  readonly #store: ScanStore | undefined;
  readonly #keyOf: () => string;
  /** As it was when it was needed first: what is learned of the chain later does not divide a scan. */
  #key: string | undefined;
  /** The scan that the lines tell of; undefined while there are none. */
  #written: AbsenceScan | undefined;
  #loaded = false;

  constructor(keyOf: () => string, store: ScanStore | undefined) {
    this.#keyOf = keyOf;
    this.#store = store;
  }

  get #name(): string {
    this.#key ??= this.#keyOf();
    return this.#key;
  }

  /**
   * The scan that an earlier window left behind, once. Another node may know nothing of its blocks: the next one tells.
   */
  async takeUp(): Promise<AbsenceScan | undefined> {
    if (this.#store === undefined || this.#loaded) return undefined;
    this.#loaded = true;
    this.#written = readScan(await this.#store.load(this.#name));
    return this.#written;
  }

  /** Keeps where a scan is; undefined when there is none any more. */
  async keep(scan: AbsenceScan | undefined): Promise<void> {
    if (this.#store === undefined || (scan === undefined && this.#written === undefined)) return;
    this.#loaded = true;
    const before = this.#written;
    this.#written = scan;
    if (scan === undefined) await this.#store.begin(this.#name, []);
    else if (before === undefined || !continues(before, scan)) await this.#store.begin(this.#name, [lineOf(scan, 0)]);
    else await this.#store.append(this.#name, lineOf(scan, before.blocks.length));
  }
}

function continues(before: AbsenceScan, after: AbsenceScan): boolean {
  const last = before.blocks.length - 1;
  return after.blocks[0]?.id === before.blocks[0]?.id && after.blocks[last]?.id === before.blocks[last]?.id;
}

/** What earlier versions kept was not checked: it is read again. */
const VERSION = 2;

/** What is wanted after these blocks, and the blocks after those that are written: ids and times. */
function lineOf({ wanted, ended, opensTo, opening, blocks }: AbsenceScan, from: number): string {
  const added = blocks.slice(from);
  // What ended and is not confirmed is looked for again.
  const intervals = [...wanted, ...[...ended].map(([txId, { interval }]) => [txId, interval] as const)];
  const opens = (added[0]?.number ?? Infinity) <= opensTo;
  return JSON.stringify({
    v: VERSION,
    ...(from === 0 ? { start: added[0]?.number, parentId: added[0]?.parentId } : {}),
    ids: added.map(({ id }) => id),
    times: added.map(({ timestamp }) => timestamp),
    ...(opens ? { opensTo, opening: [...opening].map(([witness, seal]) => ({ witness, ...seal })) } : {}),
    wanted: intervals.map(([txId, interval]) => ({ txId, ...interval })),
  });
}

const readLine = object(
  {
    v: wholeNumber,
    ids: listOf(blockId),
    times: listOf(wholeNumber),
    wanted: listOf(
      object(
        {
          txId: readTxId,
          first: wholeNumber,
          limit: wholeNumber,
          expiration: wholeNumber,
          from: wholeNumber,
          anchored: flag,
        },
        { reference: object({ bytes: hex, hash: hex }) },
      ),
    ),
  },
  {
    /** The height of the first block of all; on the first line. */
    start: wholeNumber,
    parentId: blockId,
    opensTo: wholeNumber,
    opening: listOf(object({ witness: address, hash: hashOf<Hex>(), signature: hex })),
  },
);

/** The scan that lines tell of, up to the first one that is torn. Blocks without a gap, or nothing. */
function readScan(lines: readonly string[]): AbsenceScan | undefined {
  const read = lines.map((line) => tryReadJson(readLine, line));
  const torn = read.indexOf(undefined);
  const whole = (torn < 0 ? read : read.slice(0, torn)).filter((it) => it !== undefined);
  const [first] = whole;
  const last = whole.at(-1);
  if (first?.parentId === undefined || first.start === undefined || last === undefined) return undefined;
  if (whole.some(({ v }) => v !== VERSION)) return undefined;
  const ids = whole.flatMap((it) => it.ids);
  const times = whole.flatMap((it) => it.times);
  const { start } = first;
  if (ids.length !== times.length || !ids.every((id, index) => heightOf(id) === start + index)) return undefined;
  const parents = [first.parentId, ...ids];
  const blocks = ids.map((id, index) => ({
    number: start + index,
    id,
    timestamp: times[index] ?? 0,
    parentId: parents[index] ?? id,
  }));
  const opened = whole.findLast((it) => it.opening !== undefined);
  const opening = new Map(opened?.opening?.map(({ witness, ...seal }) => [witness, seal]));
  const wanted = new Map(last.wanted.map(({ txId, ...interval }) => [txId, interval]));
  return { wanted, ended: new Map(), opensTo: opened?.opensTo ?? -1, opening, blocks };
}
