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
  if (reference === undefined) return { first, limit: Number.MAX_SAFE_INTEGER, expiration };
  const low = Number.parseInt(reference.bytes, 16);
  const distance = (((solidHeight - low) % REFERENCE_BLOCKS) + REFERENCE_BLOCKS) % REFERENCE_BLOCKS;
  return { first, limit: solidHeight - distance + REFERENCE_BLOCKS, expiration, reference };
}

/** The interval after a block of it was read: when it is the reference block, only later ones may hold the transaction. */
export function intervalAfter(interval: InclusionInterval, block: BlockReference): InclusionInterval {
  const { first, reference } = interval;
  const narrows = reference !== undefined && block.number >= first && !isLast(interval, block);
  if (!narrows || !refersTo(reference, block.id)) return interval;
  return { ...interval, first: block.number + 1, limit: block.number + REFERENCE_BLOCKS };
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
