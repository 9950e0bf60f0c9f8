import type { BlockId, BlockReference } from "../primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes } from "../primitives/bytes.ts";
import { sha256 } from "../primitives/hash.ts";

/**
 * What was read to prove that no block holds a transaction: every solidified block from `first` to `last`, each the parent of
 * the next. Times of blocks are chain time in ms.
 */
export interface AbsenceEvidence {
  readonly network: string;
  /** The base URL that was asked. */
  readonly endpoint: string;
  /** `raw_data.expiration`, chain time in ms. */
  readonly expiration: number;
  /** The solidified height before the first signature. */
  readonly solidHeight: number;
  /** The id of the block before the first one. */
  readonly parentId: BlockId;
  readonly first: BlockReference;
  /** The first solidified block whose time reached the expiration. */
  readonly last: BlockReference;
  readonly count: number;
  /** SHA-256 over the ids of all blocks, in order. */
  readonly digest: Hex;
  /** The ids of all blocks, in order; left out of proofs of more than 1,000 blocks, which the digest covers. */
  readonly blockIds?: readonly BlockId[];
  /** What was checked besides; absent in what earlier versions proved, which took one gateway's word for the blocks. */
  readonly checks?: ProofChecks;
}

/** What stands behind the blocks of a proof. */
export interface ProofChecks {
  /**
   * How many witnesses made the blocks before the reference block, how many of them were seen to build on the last block, and how many
   * of those signed with the key of their own address. The key of any other is the gateway's word.
   */
  readonly witnesses: { readonly known: number; readonly built: number; readonly own: number };
  /** The further URLs of the network, and what came of asking them. */
  readonly others: readonly OtherUrl[];
}

/** `behind`: it did not have the last block yet, and did not know the transaction. */
export interface OtherUrl {
  readonly endpoint: string;
  readonly answer: "agrees" | "behind" | "silent";
}

/** Ids that a line of the journal holds at most. */
export const LISTED_IDS = 1_000;

/** The digest of ids, in order. */
export function digestOf(ids: readonly BlockId[]): Hex {
  return bytesToHex(sha256(hexToBytes(ids.join(""))));
}

/** The height that an id begins with. */
export function heightOf(id: BlockId): number {
  return Number.parseInt(id.slice(0, 16), 16);
}
