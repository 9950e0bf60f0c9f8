import { isChainError } from "@finality/tron/errors";
import type { BlockId, BlockReference, TxId } from "@finality/tron/primitives";
import type { Block, BlockTransaction, Gateway } from "../gateway/gateway.ts";
import { digestOf, LISTED_IDS, type NoProof } from "./evidence.ts";
import { estimatedLast, type InclusionInterval, intervalAfter, isLast } from "./inclusion-interval.ts";
import { newSolidifiedBlocks, type ScanCursor } from "./solidified-block-scanner.ts";
import type { KnownWitnesses } from "./witnesses.ts";

/** A block as a proof keeps it. */
interface ReadBlock extends BlockReference {
  readonly parentId: BlockId;
}

/** Where a scan stands, as data: kept, it goes on from there. */
export interface AbsenceScan {
  /** What is still looked for. */
  readonly wanted: ReadonlyMap<TxId, InclusionInterval>;
  /** What no block of its interval holds. It counts as proven when the last block is confirmed (`confirmAbsence`). */
  readonly ended: ReadonlyMap<TxId, Ended>;
  /** The oldest height at which a reference block is looked for, and who made the blocks up to there. */
  readonly opensTo: number;
  readonly opening: KnownWitnesses;
  /** What was read so far: solidified blocks without a gap, each the parent of the next. */
  readonly blocks: readonly ReadBlock[];
}

/** The part of the evidence that the blocks give. */
export interface AbsentFrom {
  readonly txId: TxId;
  /** The id of the reference block. */
  readonly parentId: BlockId;
  readonly first: BlockReference;
  readonly last: BlockReference;
  readonly count: number;
  readonly digest: ReturnType<typeof digestOf>;
  readonly blockIds?: readonly BlockId[];
}

export interface Ended {
  readonly interval: InclusionInterval;
  readonly absent: AbsentFrom;
}

export interface Found {
  readonly block: Block;
  readonly transaction: BlockTransaction;
}

/** What a scan learned with one more run of blocks, or why it stopped. */
export type ScanStep =
  | {
      readonly kind: "read";
      readonly scan: AbsenceScan;
      readonly found: readonly Found[];
      /** Not confirmed yet. */
      readonly absent: readonly AbsentFrom[];
      /** The block that these refer to is not on this chain: that none of its blocks holds them proves nothing. */
      readonly foreign: readonly TxId[];
    }
  | { readonly kind: "stopped"; readonly reason: NoProof };

/** Blocks that were read, and about how many it will be. */
export interface ScanProgress {
  readonly read: number;
  readonly total: number;
}

/**
 * A scan that has read nothing yet.
 *
 * @param wanted - each transaction with the heights that can hold it
 */
export function beginScan(wanted: Iterable<readonly [TxId, InclusionInterval]>): AbsenceScan {
  const all = new Map(wanted);
  const opensTo = Math.min(...[...all.values()].map(({ first }) => first - 1));
  return { wanted: all, ended: new Map(), opensTo, opening: new Map(), blocks: [] };
}

/**
 * Reads solidified blocks until each wanted transaction is either found or proven to be in none of its interval: one
 * scan for any number of them, 100 blocks a request. Local time plays no part.
 *
 * @returns steps; the last one is `stopped` unless nothing is wanted any more
 * @throws what the gateway throws when it cannot be reached, and the signal's reason
 */
export async function* scanForAbsence(
  gateway: Gateway,
  begun: AbsenceScan,
  signal: AbortSignal,
): AsyncGenerator<ScanStep> {
  if (begun.wanted.size === 0) return;
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
      if (step.kind === "stopped" || step.scan.wanted.size === 0) return;
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
 * One step: the blocks that follow those of the scan, which the scanner has linked. Their times have to increase, too.
 */
function takeBlocks(scan: AbsenceScan, run: readonly Block[]): ScanStep {
  const wanted = new Map(scan.wanted);
  const ended = new Map(scan.ended);
  const opening = new Map(scan.opening);
  const blocks = [...scan.blocks];
  const found: Found[] = [];
  const absent: AbsentFrom[] = [];
  const foreign: TxId[] = [];
  for (const block of run) {
    const fault = whyNotNext(block, blocks.at(-1), { wanted, opensTo: scan.opensTo });
    if (fault !== undefined) return { kind: "stopped", reason: fault };
    const { number, id, timestamp, parentId } = block;
    blocks.push({ number, id, timestamp, parentId });
    if (number <= scan.opensTo && block.witness !== undefined && block.seal !== undefined) {
      opening.set(block.witness, block.seal);
    }
    for (const transaction of block.complete ? block.transactions : []) {
      if (wanted.delete(transaction.txId)) found.push({ block, transaction });
    }
    for (const [txId, known] of wanted) {
      const interval = intervalAfter(known, block);
      const proof = interval && proofOf(txId, interval, blocks);
      if (interval === undefined) foreign.push(txId);
      else if (proof !== undefined) ended.set(txId, { interval, absent: proof });
      if (proof !== undefined) absent.push(proof);
      if (interval === undefined || proof !== undefined) wanted.delete(txId);
      else wanted.set(txId, interval);
    }
  }
  return { kind: "read", scan: { ...scan, wanted, ended, opening, blocks }, found, absent, foreign };
}

/**
 * Why a block proves nothing after those before it. What is in it decides as soon as it may hold something that is
 * wanted.
 */
function whyNotNext(
  block: Block,
  before: ReadBlock | undefined,
  { wanted, opensTo }: Pick<AbsenceScan, "wanted" | "opensTo">,
): NoProof | undefined {
  const { number, timestamp, complete } = block;
  if (before !== undefined && timestamp <= before.timestamp) return { kind: "broken-link", height: number };
  if (number > 0 && number <= opensTo && block.seal === undefined) return { kind: "stranger", height: number };
  const decides = [...wanted.values()].some(({ first }) => number >= first);
  return complete || !decides ? undefined : { kind: "incomplete", height: number };
}

/** How far a scan is for one of its transactions. */
export function progressOf({ blocks }: AbsenceScan, interval: InclusionInterval): ScanProgress {
  const last = blocks.at(-1);
  const read = last === undefined ? 0 : Math.max(0, last.number - interval.first + 1);
  if (last === undefined) return { read, total: 0 };
  return { read, total: Math.max(read, estimatedLast(interval, last) - interval.first + 1) };
}

/** The evidence when the newest block ends the interval and the blocks cover all of it. */
function proofOf(txId: TxId, interval: InclusionInterval, blocks: readonly ReadBlock[]): AbsentFrom | undefined {
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

function cursorOf({ wanted, blocks }: AbsenceScan): ScanCursor {
  const last = blocks.at(-1);
  if (last !== undefined) return { number: last.number, id: last.id };
  return { number: Math.min(...[...wanted.values()].map(({ from }) => from)) - 1 };
}

/** Why there was nothing to go on with although something is still wanted. */
function unfinished({ wanted, blocks }: AbsenceScan, newest: Block | undefined): NoProof {
  const last = blocks.at(-1);
  const height = last?.number ?? Math.min(...[...wanted.values()].map(({ from }) => from)) - 1;
  if (newest === undefined) return { kind: "hole", height: height + 1 };
  if (newest.number < height) return { kind: "went-backwards", height, newest: newest.number };
  if (newest.number === last?.number && newest.id !== last.id) return { kind: "broken-link", height };
  return { kind: "not-reached", newest: newest.number };
}

/** What the gateway showed that is no chain; undefined for an error that says nothing about blocks. */
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
