import type { Hex } from "./bytes.ts";
import { hashOf, object, type ReadOf, wholeNumber } from "./read.ts";

/** ID of a block: 64 hex digits, the first 16 of which are its height. */
export type BlockId = Hex & { readonly of: "BlockId" };

export const blockId = hashOf<BlockId>();

/** Parses a block ID with its height and time. */
export const blockReference = object({ number: wholeNumber, timestamp: wholeNumber, id: blockId });

/** Block and its time. `timestamp` is chain time in ms: never compare it with a local clock. */
export type BlockReference = ReadOf<typeof blockReference>;

/** Block interval of every known chain, 3 s (protocol reference §6); ms. */
export const BLOCK_INTERVAL_MS = 3_000;
