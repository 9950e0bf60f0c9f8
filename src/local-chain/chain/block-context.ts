import type { Address } from "../../core/primitives/address.ts";
import type { Halt } from "./halt.ts";

/** The block that code runs in. */
export interface BlockContext {
  readonly number: number;
  /** Chain time in ms. */
  readonly timestamp: number;
  /** The 21 bytes of its producer as a number: the 41 in front stays. */
  readonly producer: bigint;
}

/** A trial run on arrival happens in a block of no height and no time. */
export const NO_BLOCK: BlockContext = { number: 0, timestamp: 0, producer: 0n };

/** What code may ask of the chain. */
export interface ChainContext {
  readonly block: BlockContext;
  /** The last four bytes of the genesis block's id. */
  readonly chainId: bigint;
  /** Whom votes can be for. */
  readonly witnesses: readonly Address[];
  /** The id of an older block as a number, 0 for one that there is not. */
  readonly blockHash: (height: number) => bigint;
  /** How the code of a transaction ends without having run, if somebody wants it to. */
  readonly endsCode?: () => Halt | undefined;
}
