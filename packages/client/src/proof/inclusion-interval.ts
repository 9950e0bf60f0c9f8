import { isChainError } from "@finality/tron/errors";
import { BLOCK_INTERVAL_MS, type BlockReference, type Hex } from "@finality/tron/primitives";
import { type Lifetime, MAX_EXPIRATION_AHEAD_MS, readLifetime, refersTo } from "@finality/tron/transaction";
import type { Gateway } from "../gateway/gateway.ts";

/** Solidified heights that may hold a transaction, as far as known (protocol reference §16). */
export interface InclusionInterval {
  /** Lowest height: the one after its reference block. */
  readonly first: number;
  /** Highest height by its reference block alone; its expiration usually ends the interval long before. */
  readonly limit: number;
  /** `raw_data.expiration`, chain time in ms. */
  readonly expiration: number;
  /** TAPOS; undefined if the bytes are unreadable, and then nothing can be proven. */
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
  /** Solidified height that was known before. */
  readonly solidHeight: number;
}

/** A reference names a height by its low 16 bits, so it is ambiguous after this many blocks. */
export const REFERENCE_BLOCKS = 65_536;
/**
 * Maximum distance of a reference block ahead of the solidified block at that time. A block further ahead did not exist
 * yet.
 */
const AHEAD_BLOCKS = 100;
/** Two rounds of 27 witnesses. They come before the reference block, so they cannot have been forged since. */
const PRECEDING_BLOCKS = 54;

/**
 * Returns the interval before any of its blocks was read: from the block after the reference block. The bytes name that
 * block by the low 16 bits of its height and by its ID. The height known at signing only says where to search first,
 * because it is a gateway's claim.
 *
 * @param attempt - Number of `referenceHeights` that were checked before without success.
 * @param newest - Newest solidified height.
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
 * Returns the interval after the block at the height of its reference block was read.
 *
 * @returns undefined if that is another block: the chain or the height is not the one in the bytes
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

/** Returns the estimated height of the last block, from an earlier one: exact without missed slots, else too high. */
export function estimatedLast(interval: InclusionInterval, from: { number: number; timestamp: number }): number {
  const slots = Math.max(0, Math.ceil((interval.expiration - from.timestamp) / BLOCK_INTERVAL_MS));
  return Math.min(interval.limit, from.number + slots);
}

/** Estimated number of solidified blocks and requests of a proof of absence; exact without missed slots. */
export interface ProofCost {
  readonly blocks: number;
  readonly requests: number;
}

/** Maximum number of blocks per request. */
const BLOCKS_A_REQUEST = 100;
/** A block is solid after 19 of 27 witnesses built on it: usual distance of the solidified head. */
const USUAL_LAG = 19;

/**
 * Estimates the cost of a proof before a transaction is signed: the blocks from some before its reference block until
 * the expiration (design, inclusion interval).
 *
 * @param solid - Solidified head at that time; ms of chain time
 */
export function proofCost(signed: SigningFacts, solid: { number: number; timestamp: number }): ProofCost {
  const { from, expiration } = inclusionInterval(signed);
  return costOf(solid.number - from + 1 + slotsUntil(expiration, solid.timestamp));
}

/**
 * Estimates the same for a signed transaction whose head at that time is unknown, from its build time.
 *
 * @returns undefined if the bytes contain no build time, or an impossible one
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

/** Maximum time between a reference block and execution; twice the time without missed slots, ms. */
const LONGEST_LIFETIME_MS = MAX_EXPIRATION_AHEAD_MS + 2 * REFERENCE_BLOCKS * BLOCK_INTERVAL_MS;
/** A head older than this says nothing about newer blocks; ms. */
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
    if (block.timestamp < expiration - LONGEST_LIFETIME_MS) break;
  }
  if (newest.isGuess === true) return { answer: "unknown" };
  const mayCome = first + REFERENCE_BLOCKS - newest.number <= AHEAD_BLOCKS || newest.timestamp < now - BEHIND_MS;
  return { answer: mayCome ? "unknown" : "not-there" };
}

/** Returns the newest height with these low bytes; below 0 if there is none. */
function newestHeight(lowBytes: Hex, newest: number): number {
  const distance = (newest - Number.parseInt(lowBytes, 16)) % REFERENCE_BLOCKS;
  return newest - (distance < 0 ? distance + REFERENCE_BLOCKS : distance);
}
