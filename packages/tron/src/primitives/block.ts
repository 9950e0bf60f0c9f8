import type { Hex } from "./bytes.ts";
import { hashOf, object, type ReadOf, wholeNumber } from "./read.ts";

/** The identity of a block: 64 hex digits, the first 16 of which are its height. */
export type BlockId = Hex & { readonly of: "BlockId" };

export const blockId = hashOf<BlockId>();

/** Reads which block, and when. */
export const blockReference = object({ number: wholeNumber, timestamp: wholeNumber, id: blockId });

/** Block and its time. `timestamp` is chain time in ms: never compare it with a local clock. */
export type BlockReference = ReadOf<typeof blockReference>;

/** Blocks come every 3 s on every known chain (protocol reference §6); ms. */
export const BLOCK_INTERVAL_MS = 3_000;
