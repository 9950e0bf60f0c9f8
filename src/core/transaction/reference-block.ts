import type { BlockId } from "../primitives/block.ts";
import { type Hex, hexToBytes } from "../primitives/bytes.ts";

/** TAPOS: the recent block a transaction refers to. It can only be executed on a chain that holds this block. */
export interface ReferenceBlock {
  /** The low 2 bytes of the height, big-endian. */
  readonly bytes: Uint8Array;
  /** Bytes 8 to 15 of the block's id. */
  readonly hash: Uint8Array;
}

/** The TAPOS fields that point at a block (protocol reference §5.1). */
export function referenceTo(blockId: BlockId): ReferenceBlock {
  const id = hexToBytes(blockId);
  return { bytes: id.slice(6, 8), hash: id.slice(8, 16) };
}

/** Whether the TAPOS fields can mean this block. */
export function refersTo(reference: { bytes: Hex; hash: Hex }, blockId: BlockId): boolean {
  return blockId.slice(12, 16) === reference.bytes && blockId.slice(16, 32) === reference.hash;
}

/** A transaction lives at most this long ahead of the head (gateway document, Limits). */
export const MAX_EXPIRATION_AHEAD_MS = 24 * 60 * 60 * 1000;
/** What builders of the node give: head time + 60 s. */
export const DEFAULT_EXPIRATION_AHEAD_MS = 60_000;
