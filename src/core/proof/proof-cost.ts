import { BLOCK_INTERVAL_MS } from "../primitives/chain-constants.ts";
import { readLifetime } from "../transaction/raw-data-reader.ts";
import { MAX_EXPIRATION_AHEAD_MS } from "../transaction/reference-block.ts";
import { type BeforeSigning, inclusionInterval, PRECEDING_BLOCKS } from "./inclusion-interval.ts";

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
 * What a proof will cost, known before a transaction is signed: the blocks from some before its reference block until
 * the expiration (design, inclusion interval).
 *
 * @param solid - the solidified head of that time; chain time in ms
 */
export function proofCost(signed: BeforeSigning, solid: { number: number; timestamp: number }): ProofCost {
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
}: Omit<BeforeSigning, "solidHeight">): ProofCost | undefined {
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

/** The cost in words, such as "about 40 solidified blocks, in 1 request". */
export function describeProofCost({ blocks, requests }: ProofCost): string {
  const many = (count: number, one: string) => `${count.toLocaleString("en-US")} ${one}${count === 1 ? "" : "s"}`;
  return `about ${many(blocks, "solidified block")}, in ${many(requests, "request")}`;
}
