import { isChainError } from "../errors/chain-error.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { BLOCK_INTERVAL_MS } from "../primitives/block.ts";
import type { Hex } from "../primitives/bytes.ts";
import { type Lifetime, MAX_EXPIRATION_AHEAD_MS, readLifetime, refersTo } from "../transaction/reference-block.ts";
import { AHEAD_BLOCKS, REFERENCE_BLOCKS } from "./inclusion-interval.ts";

/** Whether a chain has the block that bytes refer to; `untold` where the gateway cannot say so. */
export type ReferenceAnswer = "there" | "not-there" | "untold";

/** Bytes can be executed so long after their reference block; twice what it takes without missed slots, in ms. */
const LONGEST_LIFE_MS = MAX_EXPIRATION_AHEAD_MS + 2 * REFERENCE_BLOCKS * BLOCK_INTERVAL_MS;
/** A head that is so much older than now says nothing about newer blocks; ms. */
const BEHIND_MS = AHEAD_BLOCKS * BLOCK_INTERVAL_MS;
/** About a month of heights that the two bytes can mean. */
const MOST_READ = 14;

/**
 * Looks for the reference block of a transaction (TAPOS) at every height that its bytes can mean, the newest first.
 * Nobody can make up that it is there; that it is not there is the word of this gateway.
 *
 * @param now - local clock, Unix ms
 * @throws the reason of the signal
 */
export async function searchReference(
  gateway: Gateway,
  rawDataHex: Hex,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<ReferenceAnswer> {
  const lifetime = readLifetime(rawDataHex);
  if (lifetime === undefined) return "untold";
  try {
    return await search(gateway, lifetime, { now, signal });
  } catch (error) {
    signal.throwIfAborted();
    if (!isChainError(error)) throw error;
    return "untold";
  }
}

async function search(
  gateway: Gateway,
  { reference, expiration }: Lifetime,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<ReferenceAnswer> {
  const newest = await gateway.headBlock(signal);
  const first = newestHeight(reference.bytes, newest.number);
  for (let height = first, read = 0; height >= 0; height -= REFERENCE_BLOCKS, read++) {
    if (read === MOST_READ) return "untold";
    const [block] = await gateway.headBlocks(height, height + 1, signal);
    if (block === undefined) return "untold";
    if (refersTo(reference, block.id)) return "there";
    if (block.timestamp < expiration - LONGEST_LIFE_MS) break;
  }
  if (newest.isGuess === true) return "untold";
  const mayCome = first + REFERENCE_BLOCKS - newest.number <= AHEAD_BLOCKS || newest.timestamp < now - BEHIND_MS;
  return mayCome ? "untold" : "not-there";
}

/** The newest height with these low bytes; below 0 where there is none. */
function newestHeight(lowBytes: Hex, newest: number): number {
  const distance = (newest - Number.parseInt(lowBytes, 16)) % REFERENCE_BLOCKS;
  return newest - (distance < 0 ? distance + REFERENCE_BLOCKS : distance);
}
