import { hash, hex, listOf, number, object, optional, type Reader, ShapeError } from "../journal/shape.ts";
import type { BlockId } from "../primitives/block.ts";
import type { TxId } from "../primitives/hash.ts";
import type { AbsenceScan } from "./absence-scan.ts";
import { heightOf } from "./evidence.ts";
import type { InclusionInterval } from "./inclusion-interval.ts";

/**
 * Keeps lines about scans, one list for each network. It holds no truth: what is lost, or cannot be kept, is read from the chain
 * again, so no method rejects.
 */
export interface ScanStore {
  load(network: string): Promise<readonly string[]>;
  /** Begins a new list; an empty one is no list. */
  begin(network: string, lines: readonly string[]): Promise<void>;
  append(network: string, line: string): Promise<void>;
}

/** How far the scan of one network is, for who goes on with it after a restart. Each block is written once. */
export class KeptScan {
  readonly #store: ScanStore | undefined;
  readonly #network: string;
  /** The scan that the lines tell of; undefined while there are none. */
  #written: AbsenceScan | undefined;
  #loaded = false;

  constructor(network: string, store: ScanStore | undefined) {
    this.#network = network;
    this.#store = store;
  }

  /** The scan that an earlier window left behind, once. Another node may know nothing of its blocks: the next one tells. */
  async takeUp(): Promise<AbsenceScan | undefined> {
    if (this.#store === undefined || this.#loaded) return undefined;
    this.#loaded = true;
    this.#written = readScan(await this.#store.load(this.#network));
    return this.#written;
  }

  /** Keeps where a scan is; undefined when there is none any more. */
  async keep(scan: AbsenceScan | undefined): Promise<void> {
    if (this.#store === undefined || (scan === undefined && this.#written === undefined)) return;
    this.#loaded = true;
    const before = this.#written;
    this.#written = scan;
    if (scan === undefined) await this.#store.begin(this.#network, []);
    else if (before === undefined || !continues(before, scan))
      await this.#store.begin(this.#network, [lineOf(scan, 0)]);
    else await this.#store.append(this.#network, lineOf(scan, before.blocks.length));
  }
}

function continues(before: AbsenceScan, after: AbsenceScan): boolean {
  const last = before.blocks.length - 1;
  return after.blocks[0]?.id === before.blocks[0]?.id && after.blocks[last]?.id === before.blocks[last]?.id;
}

/** What is wanted after these blocks, and the blocks after those that are written: ids and times. */
function lineOf({ wanted, blocks }: AbsenceScan, from: number): string {
  const added = blocks.slice(from);
  return JSON.stringify({
    ...(from === 0 ? { parentId: added[0]?.parentId } : {}),
    ids: added.map(({ id }) => id),
    times: added.map(({ timestamp }) => timestamp),
    wanted: [...wanted].map(([txId, interval]) => ({ txId, ...interval })),
  });
}

interface Line {
  readonly parentId?: BlockId;
  readonly ids: readonly BlockId[];
  readonly times: readonly number[];
  readonly wanted: readonly (InclusionInterval & { readonly txId: TxId })[];
}

const flag: Reader = (value) => value === true;

const shape = object({
  parentId: optional(hash),
  ids: listOf(hash),
  times: listOf(number),
  wanted: listOf(
    object({
      ...{ txId: hash, first: number, limit: number, expiration: number, from: number, anchored: flag },
      reference: optional(object({ bytes: hex, hash: hex })),
    }),
  ),
});

/** The scan that lines tell of, up to the first one that is torn. Blocks without a gap, or nothing. */
function readScan(lines: readonly string[]): AbsenceScan | undefined {
  const read = lines.map(readLine);
  const torn = read.indexOf(undefined);
  const whole = (torn < 0 ? read : read.slice(0, torn)).filter((it) => it !== undefined);
  const [first] = whole;
  const last = whole.at(-1);
  if (first?.parentId === undefined || last === undefined) return undefined;
  const ids = whole.flatMap((it) => it.ids);
  const times = whole.flatMap((it) => it.times);
  const start = heightOf(first.parentId) + 1;
  if (ids.length !== times.length || !ids.every((id, index) => heightOf(id) === start + index)) return undefined;
  const parents = [first.parentId, ...ids];
  const blocks = ids.map((id, index) => ({
    ...{ number: start + index, id },
    ...{ timestamp: times[index] ?? 0, parentId: parents[index] ?? id },
  }));
  return { wanted: new Map(last.wanted.map(({ txId, ...interval }) => [txId, interval])), blocks };
}

function readLine(line: string): Line | undefined {
  try {
    return shape(JSON.parse(line), "scan") as Line;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof ShapeError) return undefined;
    throw error;
  }
}
