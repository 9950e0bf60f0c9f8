import type { BlockReference } from "../primitives/block.ts";
import type { Hex } from "../primitives/bytes.ts";
import { readLifetime } from "../transaction/raw-data-reader.ts";
import { refersTo } from "../transaction/reference-block.ts";

/** The solidified heights that may hold one transaction, as far as they are known (protocol reference §16). */
export interface InclusionInterval {
  /** The lowest height. */
  readonly first: number;
  /** The highest height by its reference block alone; its expiration usually ends the interval long before. */
  readonly limit: number;
  /** `raw_data.expiration`, chain time in ms. */
  readonly expiration: number;
  /** TAPOS; absent when the bytes could not be read. */
  readonly reference?: { readonly bytes: Hex; readonly hash: Hex };
  /** Where to begin reading: at the reference block when it is near, for it tells this chain from any other. */
  readonly from: number;
  /** Whether the reference block was met, or is too far away to be looked for. */
  readonly anchored: boolean;
}

/** What is known of a transaction before its first signature was made. */
export interface BeforeSigning {
  readonly rawDataHex: Hex;
  readonly expiration: number;
  /** The solidified height that was seen before. */
  readonly solidHeight: number;
}

/** A reference names a height by its low 16 bits, so it holds for so many blocks. */
export const REFERENCE_BLOCKS = 65_536;
/** A reference block so near is read along: it is hardly ever one request more. */
const NEAR_BLOCKS = 100;
/** Blocks come at most so often; ms. */
const SLOT_MS = 3_000;

/**
 * The interval before any block of it was read: from the block after the solidified height known at signing.
 *
 * Of the heights that the reference can mean the newest one known then is taken; `intervalAfter` corrects it when the reference
 * block turns out to be a later one.
 */
export function inclusionInterval({ rawDataHex, expiration, solidHeight }: BeforeSigning): InclusionInterval {
  const first = solidHeight + 1;
  const reference = readLifetime(rawDataHex)?.reference;
  const unanchored = { first, from: first, expiration, anchored: true };
  if (reference === undefined) return { ...unanchored, limit: Number.MAX_SAFE_INTEGER };
  const low = Number.parseInt(reference.bytes, 16);
  const distance = (((solidHeight - low) % REFERENCE_BLOCKS) + REFERENCE_BLOCKS) % REFERENCE_BLOCKS;
  const candidate = solidHeight - distance;
  const interval = { ...unanchored, limit: candidate + REFERENCE_BLOCKS, reference };
  // Far behind is either an old reference or, more likely, one to a block that is not solidified yet and comes with the scan.
  const ahead = REFERENCE_BLOCKS - distance;
  if (distance > NEAR_BLOCKS && ahead > NEAR_BLOCKS) return interval;
  return { ...interval, from: distance > NEAR_BLOCKS ? first : Math.max(0, candidate), anchored: false };
}

/** The interval after a block was read: when that is the reference block, only later ones may hold the transaction. */
export function intervalAfter(interval: InclusionInterval, block: BlockReference): InclusionInterval {
  const { first, reference } = interval;
  if (reference === undefined || !refersTo(reference, block.id)) return interval;
  const anchored = { ...interval, anchored: true };
  const narrows = block.number >= first && !isLast(interval, block);
  return narrows ? { ...anchored, first: block.number + 1, limit: block.number + REFERENCE_BLOCKS } : anchored;
}

/**
 * Whether a solidified block ends the interval, itself included: the first one whose time reached the expiration. It may still
 * hold the transaction, because it was checked against the time of its parent.
 */
export function isLast({ expiration }: InclusionInterval, { timestamp }: { readonly timestamp: number }): boolean {
  return timestamp >= expiration;
}

/** The height of the last block as it looks from an earlier one: exact without missed slots, else too high. */
export function estimatedLast(interval: InclusionInterval, from: { number: number; timestamp: number }): number {
  const slots = Math.max(0, Math.ceil((interval.expiration - from.timestamp) / SLOT_MS));
  return Math.min(interval.limit, from.number + slots);
}
