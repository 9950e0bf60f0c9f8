import { isChainError } from "@finality/tron/errors";
import { BLOCK_INTERVAL_MS, type Hex } from "@finality/tron/primitives";
import { type Lifetime, MAX_EXPIRATION_AHEAD_MS, readLifetime, refersTo } from "@finality/tron/transaction";
import type { Gateway } from "../gateway/gateway.ts";
import { AHEAD_BLOCKS, REFERENCE_BLOCKS } from "./inclusion-interval.ts";

/** Whether a chain has the block that bytes refer to; `untold` where the gateway cannot say so. */
export type ReferenceAnswer = "there" | "not-there" | "untold";

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
 * Looks for the reference block of a transaction (TAPOS) at every height that its bytes can mean, the newest first.
 * Nobody can make up that it is there; that it is not there is the word of this gateway.
 *
 * @throws the reason of the signal
 */
export async function findReference(gateway: Gateway, rawDataHex: Hex, now: Now): Promise<FoundReference> {
  const lifetime = readLifetime(rawDataHex);
  if (lifetime === undefined) return { answer: "untold" };
  try {
    return await search(gateway, lifetime, now);
  } catch (error) {
    now.signal.throwIfAborted();
    if (!isChainError(error)) throw error;
    return { answer: "untold" };
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
    if (read === MOST_READ) return { answer: "untold" };
    const [block] = await gateway.headBlocks(height, height + 1, signal);
    if (block === undefined) return { answer: "untold" };
    if (refersTo(reference, block.id)) return { answer: "there", height };
    if (block.timestamp < expiration - LONGEST_LIFE_MS) break;
  }
  if (newest.isGuess === true) return { answer: "untold" };
  const mayCome = first + REFERENCE_BLOCKS - newest.number <= AHEAD_BLOCKS || newest.timestamp < now - BEHIND_MS;
  return { answer: mayCome ? "untold" : "not-there" };
}

/** The newest height with these low bytes; below 0 where there is none. */
function newestHeight(lowBytes: Hex, newest: number): number {
  const distance = (newest - Number.parseInt(lowBytes, 16)) % REFERENCE_BLOCKS;
  return newest - (distance < 0 ? distance + REFERENCE_BLOCKS : distance);
}
