import { isChainError } from "../errors/chain-error.ts";
import type { Block, BlockTransaction, Gateway } from "../gateway/gateway.ts";
import type { BlockId, BlockReference } from "../primitives/block.ts";
import type { TxId } from "../primitives/hash.ts";
import { newSolidifiedBlocks, type ScanCursor } from "../tracking/solidified-block-scanner.ts";
import { digestOf, LISTED_IDS } from "./evidence.ts";
import { estimatedLast, type InclusionInterval, intervalAfter, isLast } from "./inclusion-interval.ts";

/** A block as a proof keeps it. */
interface ReadBlock extends BlockReference {
  readonly parentId: BlockId;
}

/** Where a scan stands, as data: kept, it goes on from there. */
export interface AbsenceScan {
  /** What is still looked for. */
  readonly wanted: ReadonlyMap<TxId, InclusionInterval>;
  /** What was read so far: solidified blocks without a gap, each the parent of the next. */
  readonly blocks: readonly ReadBlock[];
}

/** The part of the evidence that the blocks give. */
export interface AbsentFrom {
  readonly txId: TxId;
  readonly parentId: BlockId;
  readonly first: BlockReference;
  readonly last: BlockReference;
  readonly count: number;
  readonly digest: ReturnType<typeof digestOf>;
  readonly blockIds?: readonly BlockId[];
}

export interface Found {
  readonly block: Block;
  readonly transaction: BlockTransaction;
}

/** Why blocks prove nothing. The scan stays where it was; nothing was skipped. */
export type NoProof =
  /** A block is not there, also when an answer is `{}`. */
  | { readonly kind: "hole"; readonly height: number }
  | { readonly kind: "broken-link"; readonly height: number }
  /** The node's newest solidified block is older than what was read, or known, before. */
  | { readonly kind: "went-backwards"; readonly height: number; readonly newest: number }
  /** Solidified time has not reached the expiration. */
  | { readonly kind: "not-reached"; readonly newest: number }
  | { readonly kind: "unreadable"; readonly message: string };

/** What a scan learned with one more run of blocks, or why it stopped. */
export type ScanStep =
  | {
      readonly kind: "read";
      readonly scan: AbsenceScan;
      readonly found: readonly Found[];
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

export function beginScan(wanted: Iterable<readonly [TxId, InclusionInterval]>): AbsenceScan {
  return { wanted: new Map(wanted), blocks: [] };
}

/**
 * Reads solidified blocks until each wanted transaction is either found or proven to be in none of its interval: one scan for any
 * number of them, 100 blocks a request. Local time plays no part.
 *
 * @returns steps; the last one is `stopped` unless nothing is wanted any more
 * @throws what the gateway throws when it cannot be reached, and the signal's reason
 */
export async function* scanForAbsence(
  gateway: Gateway,
  begun: AbsenceScan,
  signal: AbortSignal,
): AsyncGenerator<ScanStep> {
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

/** One step: the blocks that follow those of the scan, which the scanner has linked. Their times have to increase, too. Pure. */
function takeBlocks(scan: AbsenceScan, run: readonly Block[]): ScanStep {
  const wanted = new Map(scan.wanted);
  const blocks = [...scan.blocks];
  const found: Found[] = [];
  const absent: AbsentFrom[] = [];
  const foreign: TxId[] = [];
  for (const block of run) {
    const before = blocks.at(-1);
    if (before !== undefined && block.timestamp <= before.timestamp) {
      return { kind: "stopped", reason: { kind: "broken-link", height: block.number } };
    }
    const { number, id, timestamp, parentId } = block;
    blocks.push({ number, id, timestamp, parentId });
    for (const transaction of block.transactions) {
      if (wanted.delete(transaction.txId)) found.push({ block, transaction });
    }
    for (const [txId, known] of wanted) {
      const interval = intervalAfter(known, block);
      wanted.set(txId, interval);
      const proof = proofOf(txId, interval, blocks);
      if (proof === undefined) continue;
      wanted.delete(txId);
      if (interval.anchored) absent.push(proof);
      else foreign.push(txId);
    }
  }
  return { kind: "read", scan: { wanted, blocks }, found, absent, foreign };
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
  if (oldest === undefined || last === undefined || !isLast(interval, last)) return undefined;
  const first = blocks[interval.first - oldest.number];
  if (first === undefined) return undefined;
  const ids = blocks.slice(interval.first - oldest.number).map(({ id }) => id);
  return {
    ...{ txId, parentId: first.parentId, first: referenceOf(first), last: referenceOf(last) },
    ...{ count: ids.length, digest: digestOf(ids) },
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

/** What to say of a transaction that refers to another chain. */
export const ON_ANOTHER_CHAIN =
  "The block that it refers to is not on this chain, so nothing is proven. Does the network still have the same URL? Nothing was replaced.";

/** The reason as a sentence that ends with what was not done. */
export function describeNoProof(reason: NoProof): string {
  switch (reason.kind) {
    case "hole":
      return `Block ${reason.height} could not be read; the proof is incomplete. Nothing was replaced.`;
    case "broken-link":
      return `Block ${reason.height} does not continue the chain; the proof is incomplete. Nothing was replaced.`;
    case "went-backwards":
      return `The node is at solidified block ${reason.newest}, before block ${reason.height}; the proof is incomplete. Nothing was replaced.`;
    case "not-reached":
      return `Solidified time has not reached the expiration at block ${reason.newest}. Nothing was replaced.`;
    case "unreadable":
      return `${reason.message} The proof is incomplete. Nothing was replaced.`;
  }
}
