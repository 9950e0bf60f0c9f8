import { isChainError } from "@finality/tron/errors";
import {
  type Address,
  type BlockId,
  type BlockReference,
  blockId,
  type Hex,
  type TxId,
} from "@finality/tron/primitives";
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
import type { Block, BlockSeal, BlockTransaction, Gateway } from "../gateway/gateway.ts";
import { digestOf, heightOf, LISTED_IDS, type NoProof } from "./evidence.ts";
import { estimatedLast, type InclusionInterval, intervalAfter, isLast } from "./inclusion-interval.ts";
import { newSolidifiedBlocks, type ScanCursor } from "./solidified-blocks.ts";

/** Newest signature of each witness before the reference block. */
export type KnownWitnesses = ReadonlyMap<Address, BlockSeal>;

/** Block as a proof stores it. */
interface ReadBlock extends BlockReference {
  readonly parentId: BlockId;
}

/** State of a scan, as data. A stored scan continues from this state. */
export interface AbsenceScan {
  /** Transactions that are still searched for. */
  readonly searched: ReadonlyMap<TxId, InclusionInterval>;
  /**
   * Transactions that no block of their interval holds. They count as proven when the last block is confirmed
   * (`confirmAbsence`).
   */
  readonly ended: ReadonlyMap<TxId, EndedSearch>;
  /** Lowest height at which a reference block is searched, and the witnesses of the blocks up to there. */
  readonly opensTo: number;
  readonly opening: KnownWitnesses;
  /** Blocks read so far: solidified blocks without a gap, each the parent of the next. */
  readonly blocks: readonly ReadBlock[];
}

/** Part of the evidence that comes from the blocks. */
export interface BlockEvidence {
  readonly txId: TxId;
  /** ID of the reference block. */
  readonly parentId: BlockId;
  readonly first: BlockReference;
  readonly last: BlockReference;
  readonly count: number;
  readonly digest: ReturnType<typeof digestOf>;
  readonly blockIds?: readonly BlockId[];
}

export interface EndedSearch {
  readonly interval: InclusionInterval;
  readonly absent: BlockEvidence;
}

export interface FoundTransaction {
  readonly block: Block;
  readonly transaction: BlockTransaction;
}

/** Result of reading one more run of blocks, or the reason why the scan stopped. */
export type ScanStep =
  | {
      readonly kind: "read";
      readonly scan: AbsenceScan;
      readonly found: readonly FoundTransaction[];
      /** Not confirmed yet. */
      readonly absent: readonly BlockEvidence[];
      /** The block that these refer to is not on this chain, so their absence from its blocks proves nothing. */
      readonly foreign: readonly TxId[];
    }
  | { readonly kind: "stopped"; readonly reason: NoProof };

/** Number of blocks read, and the estimated total. */
export interface ScanProgress {
  readonly read: number;
  readonly total: number;
}

/**
 * Creates a scan that has read nothing yet.
 *
 * @param searched - Each transaction with the heights that can hold it.
 */
export function beginScan(searched: Iterable<readonly [TxId, InclusionInterval]>): AbsenceScan {
  const all = new Map(searched);
  const opensTo = Math.min(...[...all.values()].map(({ first }) => first - 1));
  return { searched: all, ended: new Map(), opensTo, opening: new Map(), blocks: [] };
}

/**
 * Reads solidified blocks until each searched transaction is either found or proven to be in none of its interval: one
 * scan for any number of them, 100 blocks per request. Local time plays no part.
 *
 * @returns steps; the last one is `stopped` unless all searches ended
 * @throws the errors of an unreachable gateway, and the signal's reason
 */
export async function* scanForAbsence(
  gateway: Gateway,
  begun: AbsenceScan,
  signal: AbortSignal,
): AsyncGenerator<ScanStep> {
  if (begun.searched.size === 0) return;
  let scan = begun;
  let newest: Block | undefined;
  const cursor = (it: Block): ScanCursor => {
    newest = it;
    return cursorOf(begun);
  };
  try {
    for await (const run of newSolidifiedBlocks(gateway, cursor, signal)) {
      const step = takeBlocks(scan, run);
      yield step;
      if (step.kind === "stopped" || step.scan.searched.size === 0) return;
      scan = step.scan;
    }
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    yield { kind: "stopped", reason };
    return;
  }
  yield { kind: "stopped", reason: unfinished(scan, newest) };
}

/**
 * Processes the blocks that follow those of the scan and that the scanner has linked. Their times must increase, too.
 */
function takeBlocks(scan: AbsenceScan, run: readonly Block[]): ScanStep {
  const searched = new Map(scan.searched);
  const ended = new Map(scan.ended);
  const opening = new Map(scan.opening);
  const blocks = [...scan.blocks];
  const found: FoundTransaction[] = [];
  const absent: BlockEvidence[] = [];
  const foreign: TxId[] = [];
  for (const block of run) {
    const fault = whyNotNext(block, blocks.at(-1), { searched, opensTo: scan.opensTo });
    if (fault !== undefined) return { kind: "stopped", reason: fault };
    const { number, id, timestamp, parentId } = block;
    blocks.push({ number, id, timestamp, parentId });
    if (number <= scan.opensTo && block.witness !== undefined && block.seal !== undefined) {
      opening.set(block.witness, block.seal);
    }
    for (const transaction of block.complete ? block.transactions : []) {
      if (searched.delete(transaction.txId)) found.push({ block, transaction });
    }
    for (const [txId, known] of searched) {
      const interval = intervalAfter(known, block);
      const proof = interval && proofOf(txId, interval, blocks);
      if (interval === undefined) foreign.push(txId);
      else if (proof !== undefined) ended.set(txId, { interval, absent: proof });
      if (proof !== undefined) absent.push(proof);
      if (interval === undefined || proof !== undefined) searched.delete(txId);
      else searched.set(txId, interval);
    }
  }
  return { kind: "read", scan: { ...scan, searched, ended, opening, blocks }, found, absent, foreign };
}

/**
 * Returns the reason why a block proves nothing after the previous blocks. Its content is checked as soon as it may
 * hold a transaction that is searched for.
 */
function whyNotNext(
  block: Block,
  before: ReadBlock | undefined,
  { searched, opensTo }: Pick<AbsenceScan, "searched" | "opensTo">,
): NoProof | undefined {
  const { number, timestamp, complete } = block;
  if (before !== undefined && timestamp <= before.timestamp) return { kind: "broken-link", height: number };
  if (number > 0 && number <= opensTo && block.seal === undefined) return { kind: "stranger", height: number };
  const decides = [...searched.values()].some(({ first }) => number >= first);
  return complete || !decides ? undefined : { kind: "incomplete", height: number };
}

/** Returns the progress of a scan for one of its transactions. */
export function progressOf({ blocks }: AbsenceScan, interval: InclusionInterval): ScanProgress {
  const last = blocks.at(-1);
  const read = last === undefined ? 0 : Math.max(0, last.number - interval.first + 1);
  if (last === undefined) return { read, total: 0 };
  return { read, total: Math.max(read, estimatedLast(interval, last) - interval.first + 1) };
}

/** Returns the evidence if the newest block ends the interval and the blocks cover all of it. */
function proofOf(txId: TxId, interval: InclusionInterval, blocks: readonly ReadBlock[]): BlockEvidence | undefined {
  const [oldest] = blocks;
  const last = blocks.at(-1);
  if (oldest === undefined || last === undefined || !interval.anchored || last.number < interval.first)
    return undefined;
  if (!isLast(interval, last)) return undefined;
  const first = blocks[interval.first - oldest.number];
  if (first === undefined) return undefined;
  const ids = blocks.slice(interval.first - oldest.number).map(({ id }) => id);
  return {
    txId,
    parentId: first.parentId,
    first: referenceOf(first),
    last: referenceOf(last),
    count: ids.length,
    digest: digestOf(ids),
    ...(ids.length <= LISTED_IDS ? { blockIds: ids } : {}),
  };
}

function referenceOf({ number, id, timestamp }: ReadBlock): BlockReference {
  return { number, id, timestamp };
}

function cursorOf({ searched, blocks }: AbsenceScan): ScanCursor {
  const last = blocks.at(-1);
  if (last !== undefined) return { number: last.number, id: last.id };
  return { number: Math.min(...[...searched.values()].map(({ from }) => from)) - 1 };
}

/** Returns the reason why a scan stopped before all transactions were found or proven absent. */
function unfinished({ searched, blocks }: AbsenceScan, newest: Block | undefined): NoProof {
  const last = blocks.at(-1);
  const height = last?.number ?? Math.min(...[...searched.values()].map(({ from }) => from)) - 1;
  if (newest === undefined) return { kind: "hole", height: height + 1 };
  if (newest.number < height) return { kind: "went-backwards", height, newest: newest.number };
  if (newest.number === last?.number && newest.id !== last.id) return { kind: "broken-link", height };
  return { kind: "not-reached", newest: newest.number };
}

/**
 * Returns the reason why the gateway's blocks do not form a chain; undefined for an error that says nothing about
 * blocks.
 */
function reasonOf(error: unknown): NoProof | undefined {
  if (!isChainError(error)) return undefined;
  switch (error.code) {
    case "CHAIN_BLOCK_MISSING":
      return { kind: "hole", height: error.details.height };
    case "CHAIN_LINK_BROKEN":
      return { kind: "broken-link", height: error.details.height };
    case "GATEWAY_ANSWER_MALFORMED":
      return { kind: "unreadable", message: error.message };
    default:
      return undefined;
  }
}

/**
 * Stores lines about scans, one list per key: a chain, or a network whose chain is unknown. It is only a cache: lost
 * lines are read from the chain again, so no method rejects.
 */
export interface ScanStore {
  load(key: string): Promise<readonly string[]>;
  /** Starts a new list; an empty one removes it. */
  begin(key: string, lines: readonly string[]): Promise<void>;
  append(key: string, line: string): Promise<void>;
}

/** Stored progress of a scan, to continue it after a restart. Each block is written once. */
export class SavedScan {
  readonly #store: ScanStore | undefined;
  readonly #keyOf: () => string;
  /** Key at the time of the first use: later knowledge about the chain does not split a scan. */
  #key: string | undefined;
  /** Scan in the lines; undefined if there are none. */
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

  /** Returns the scan of an earlier window, once. If another node does not know its blocks, the next step finds out. */
  async resume(): Promise<AbsenceScan | undefined> {
    if (this.#store === undefined || this.#loaded) return undefined;
    this.#loaded = true;
    this.#written = readScan(await this.#store.load(this.#name));
    return this.#written;
  }

  /** Stores the progress of a scan; undefined removes it. */
  async save(scan: AbsenceScan | undefined): Promise<void> {
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

/** Version of the stored lines. Blocks that earlier versions stored were not checked, so they are read again. */
const VERSION = 2;

/**
 * Returns a line with the transactions still searched for after these blocks. The line also holds ids and times of the
 * blocks after those that are already written.
 */
function lineOf({ searched, ended, opensTo, opening, blocks }: AbsenceScan, from: number): string {
  const added = blocks.slice(from);
  // Searches that ended without confirmation are repeated.
  const intervals = [...searched, ...[...ended].map(([txId, { interval }]) => [txId, interval] as const)];
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
    /** Height of the first block; on the first line. */
    start: wholeNumber,
    parentId: blockId,
    opensTo: wholeNumber,
    opening: listOf(object({ witness: address, hash: hashOf<Hex>(), signature: hex })),
  },
);

/** Returns the scan in the lines, up to the first incomplete one: blocks without a gap, or nothing. */
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
  const searched = new Map(last.wanted.map(({ txId, ...interval }) => [txId, interval]));
  return { searched, ended: new Map(), opensTo: opened?.opensTo ?? -1, opening, blocks };
}
