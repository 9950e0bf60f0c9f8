import type { Hex } from "./bytes.ts";

/** The identity of a block: 64 hex digits, the first 16 of which are its height. */
export type BlockId = Hex & { readonly of: "BlockId" };

/** Which block, and when. `timestamp` is chain time in ms: never compare it with a local clock. */
export interface BlockReference {
  readonly number: number;
  readonly id: BlockId;
  readonly timestamp: number;
}
