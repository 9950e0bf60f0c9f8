import { isChainError } from "@finality/tron/errors";
import { BLOCK_INTERVAL_MS, type BlockReference, type Hex } from "@finality/tron/primitives";
import { type Lifetime, MAX_EXPIRATION_AHEAD_MS, readLifetime, refersTo } from "@finality/tron/transaction";
import type { Gateway } from "../gateway/gateway.ts";

/** The solidified heights that may hold one transaction, as far as they are known (protocol reference §16). */
export interface InclusionInterval {
  /** The lowest height: the one after its reference block. */
  readonly first: number;
  /** The highest height by its reference block alone; its expiration usually ends the interval long before. */
  readonly limit: number;
  /** `raw_data.expiration`, chain time in ms. */
  readonly expiration: number;
  /** TAPOS; absent when the bytes could not be read, and then nothing can be proven. */
  readonly reference?: { readonly bytes: Hex; readonly hash: Hex };
  /** Height at which to begin reading: far enough before the reference block that its witnesses are known. */
  readonly from: number;
  /** True if the reference block was read and its id is the one in the bytes. Without it nothing is proven. */
  readonly anchored: boolean;
}

/** Facts about a transaction that are known before its first signature. */
interface SigningFacts {
  readonly rawDataHex: Hex;
  readonly expiration: number;
  /** The solidified height that was seen before. */
  readonly solidHeight: number;
}

/** A reference names a height by its low 16 bits, so it holds for so many blocks. */
export const REFERENCE_BLOCKS = 65_536;
/**
 * Maximum distance of a reference block ahead of the solidified block at that time. A block further ahead did not exist
 * yet.
 */
const AHEAD_BLOCKS = 100;
/** Two rounds of 27 witnesses. They come before the reference block, so they cannot have been made up since. */
const PRECEDING_BLOCKS = 54;

/**
 * The interval before any block of it was read: from the block after the reference block, which the bytes alone name.
 *
 * They name it by the low 16 bits of its height and by its id. The solidified height that was known at signing, or any
 * other hint, only says where to look first: no more follows from it, because a height is a gateway's word.
 *
 * @param attempt - how many of its `referenceHeights` were looked at before, in vain
 * @param newest - the newest solidified height
 */
export function inclusionInterval(signed: SigningFacts, attempt = 0, newest = Infinity): InclusionInterval {
  const { rawDataHex, expiration, solidHeight } = signed;
  const reference = readLifetime(rawDataHex)?.reference;
  if (reference === undefined) {
    const first = solidHeight + 1;
    return { first, from: first, expiration, anchored: false, limit: Number.MAX_SAFE_INTEGER };
  }
  const heights = referenceHeights(signed, newest);
  const height = heights[attempt % heights.length] ?? 0;
  return {
    first: height + 1,
    limit: height + REFERENCE_BLOCKS,
    expiration,
    reference,
    from: Math.max(0, height - PRECEDING_BLOCKS),
    anchored: false,
  };
}

/**
 * Returns the possible heights of a reference block, the likelier one first: the newest that existed, or one slightly
 * later.
 */
export function referenceHeights({ rawDataHex, solidHeight }: SigningFacts, newest: number): readonly number[] {
  const low = Number.parseInt(readLifetime(rawDataHex)?.reference.bytes ?? "0", 16);
  const distance = (((solidHeight - low) % REFERENCE_BLOCKS) + REFERENCE_BLOCKS) % REFERENCE_BLOCKS;
  const [below, above] = [solidHeight - distance, solidHeight - distance + REFERENCE_BLOCKS];
  const [likelier, other] = below < 0 || above - solidHeight <= AHEAD_BLOCKS ? [above, below] : [below, above];
  return other < 0 || other > newest ? [likelier] : [likelier, other];
}

/**
 * The interval after a block was read that is at the height of its reference block.
 *
 * @returns undefined when that is another block: this chain, or this height, is not the one that the bytes name
 */
export function intervalAfter(interval: InclusionInterval, block: BlockReference): InclusionInterval | undefined {
  const { first, reference } = interval;
  if (block.number !== first - 1) return block.number < first || interval.anchored ? interval : undefined;
  return reference !== undefined && refersTo(reference, block.id) ? { ...interval, anchored: true } : undefined;
}

/**
 * Returns true if a solidified block ends the interval, itself included: the first one whose time reached the
 * expiration. It may still hold the transaction, because the transaction was checked against the time of the block's
 * parent.
 */
export function isLast({ expiration }: InclusionInterval, { timestamp }: { readonly timestamp: number }): boolean {
  return timestamp >= expiration;
}

/** The height of the last block as it looks from an earlier one: exact without missed slots, else too high. */
export function estimatedLast(interval: InclusionInterval, from: { number: number; timestamp: number }): number {
  const slots = Math.max(0, Math.ceil((interval.expiration - from.timestamp) / BLOCK_INTERVAL_MS));
  return Math.min(interval.limit, from.number + slots);
}

/**
 * About how many solidified blocks a proof of absence reads, and in how many requests. Without missed slots it is
 * exact.
 */
export interface ProofCost {
  readonly blocks: number;
  readonly requests: number;
}

/** Blocks that one request gives at most. */
const BLOCKS_A_REQUEST = 100;
/** Of 27 witnesses 19 have to build on a block before it is solid: so far the solidified head is usually behind. */
const USUAL_LAG = 19;

/**
 * Estimates the cost of a proof before a transaction is signed: the blocks from some before its reference block until
 * the expiration (design, inclusion interval).
 *
 * @param solid - the solidified head of that time; chain time in ms
 */
export function proofCost(signed: SigningFacts, solid: { number: number; timestamp: number }): ProofCost {
  const { from, expiration } = inclusionInterval(signed);
  return costOf(solid.number - from + 1 + slotsUntil(expiration, solid.timestamp));
}

/**
 * The same for one that is signed, when the time of that head is not known any more: counted from when it was built.
 *
 * @returns undefined when the bytes do not say when they were built, or say something that cannot be
 */
export function proofCostOfSigned({
  rawDataHex,
  expiration,
}: Omit<SigningFacts, "solidHeight">): ProofCost | undefined {
  const built = readLifetime(rawDataHex)?.timestamp;
  const lifetime = expiration - (built ?? 0);
  if (lifetime < 0 || lifetime > MAX_EXPIRATION_AHEAD_MS) return undefined;
  return costOf(slotsUntil(lifetime, 0) + USUAL_LAG + PRECEDING_BLOCKS + 1);
}

function slotsUntil(expiration: number, time: number): number {
  return Math.ceil(Math.max(0, expiration - time) / BLOCK_INTERVAL_MS);
}

function costOf(estimated: number): ProofCost {
  const blocks = Math.max(1, estimated);
  return { blocks, requests: Math.ceil(blocks / BLOCKS_A_REQUEST) };
}

/**
 * Result of checking that a chain has the block that bytes refer to. The third value means that the gateway cannot
 * tell.
 */
export type ReferenceAnswer = "there" | "not-there" | "unknown";

/** Bytes can be executed so long after their reference block; twice what it takes without missed slots, in ms. */
const LONGEST_LIFE_MS = MAX_EXPIRATION_AHEAD_MS + 2 * REFERENCE_BLOCKS * BLOCK_INTERVAL_MS;
/** A head that is so much older than now says nothing about newer blocks; ms. */
const BEHIND_MS = AHEAD_BLOCKS * BLOCK_INTERVAL_MS;
/** About a month of heights that the two bytes can mean. */
const MOST_READ = 14;

/** Result of the search for a reference block. Only `there` has a `height`. */
export interface FoundReference {
  readonly answer: ReferenceAnswer;
  readonly height?: number;
}

interface Now {
  /** Local clock, Unix ms. */
  readonly now: number;
  readonly signal: AbortSignal;
}

/**
 * Searches for the reference block of a transaction (TAPOS) at every height that its bytes can mean, the newest first.
 * Its presence cannot be forged; its absence is this gateway's claim.
 *
 * @throws the reason of the signal
 */
export async function findReference(gateway: Gateway, rawDataHex: Hex, now: Now): Promise<FoundReference> {
  const lifetime = readLifetime(rawDataHex);
  if (lifetime === undefined) return { answer: "unknown" };
  try {
    return await search(gateway, lifetime, now);
  } catch (error) {
    now.signal.throwIfAborted();
    if (!isChainError(error)) throw error;
    return { answer: "unknown" };
  }
}

/** Returns whether the chain has the reference block; see `findReference`. @throws the reason of the signal */
export async function searchReference(gateway: Gateway, rawDataHex: Hex, now: Now): Promise<ReferenceAnswer> {
  return (await findReference(gateway, rawDataHex, now)).answer;
}

async function search(
  gateway: Gateway,
  { reference, expiration }: Lifetime,
  { now, signal }: Now,
): Promise<FoundReference> {
  const newest = await gateway.headBlock(signal);
  const first = newestHeight(reference.bytes, newest.number);
  for (let height = first, read = 0; height >= 0; height -= REFERENCE_BLOCKS, read++) {
    if (read === MOST_READ) return { answer: "unknown" };
    const [block] = await gateway.headBlocks(height, height + 1, signal);
    if (block === undefined) return { answer: "unknown" };
    if (refersTo(reference, block.id)) return { answer: "there", height };
    if (block.timestamp < expiration - LONGEST_LIFE_MS) break;
  }
  if (newest.isGuess === true) return { answer: "unknown" };
  const mayCome = first + REFERENCE_BLOCKS - newest.number <= AHEAD_BLOCKS || newest.timestamp < now - BEHIND_MS;
  return { answer: mayCome ? "unknown" : "not-there" };
}

/** The newest height with these low bytes; below 0 where there is none. */
function newestHeight(lowBytes: Hex, newest: number): number {
  const distance = (newest - Number.parseInt(lowBytes, 16)) % REFERENCE_BLOCKS;
  return newest - (distance < 0 ? distance + REFERENCE_BLOCKS : distance);
}
