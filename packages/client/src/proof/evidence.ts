import {
  type BlockId,
  blockId,
  blockReference,
  bytesToHex,
  type Hex,
  hexToBytes,
  sha256,
} from "@finality/tron/primitives";
import { hashOf, listOf, type ObjectOf, object, oneOf, type ReadOf, text, wholeNumber } from "@finality/tron/read";

const otherUrl = object({ endpoint: text, answer: oneOf("agrees", "behind", "silent") });

/** `behind`: the URL did not have the last block yet, and did not know the transaction. */
export type OtherUrl = ReadOf<typeof otherUrl>;

const proofChecks = object({
  /**
   * Number of witnesses of the blocks before the reference block that built on the last block and signed with the key
   * of their own address. Any other key is the gateway's claim.
   */
  witnesses: object({ known: wholeNumber, built: wholeNumber, own: wholeNumber }),
  /** Further URLs of the network, and their results. */
  others: listOf(otherUrl),
});

/** Checks that support the blocks of a proof. */
export type ProofChecks = ReadOf<typeof proofChecks>;

/** Fields of every evidence of absence, in the journal and in a proof. */
export const evidenceFields = {
  network: text,
  /** Queried base URL. */
  endpoint: text,
  /** `raw_data.expiration`, chain time in ms. */
  expiration: wholeNumber,
  /** Solidified height before the first signature. */
  solidHeight: wholeNumber,
  /** ID of the block before the first one. */
  parentId: blockId,
  first: blockReference,
  /** First solidified block whose time reached the expiration. */
  last: blockReference,
  count: wholeNumber,
  /** SHA-256 over the ids of all blocks, in order. */
  digest: hashOf<Hex>(),
};

/** Optional fields of an evidence of absence. */
export const furtherEvidence = {
  /** IDs of all blocks, in order; omitted in proofs of more than 1,000 blocks, which the digest covers. */
  blockIds: listOf(blockId),
  /** Further checks. Undefined in proofs of earlier versions, which relied on one gateway's claim for the blocks. */
  checks: proofChecks,
};

/**
 * Data that was read to prove that no block holds a transaction: every solidified block from `first` to `last`, each
 * the parent of the next. Times of blocks are chain time in ms.
 */
export type AbsenceEvidence = ObjectOf<typeof evidenceFields, typeof furtherEvidence>;

/** Maximum number of IDs in a line of the journal. */
export const LISTED_IDS = 1_000;

/** Returns the digest of IDs, in order. */
export function digestOf(ids: readonly BlockId[]): Hex {
  return bytesToHex(sha256(hexToBytes(ids.join(""))));
}

/** Returns the height at the start of an ID. */
export function heightOf(id: BlockId): number {
  return Number.parseInt(id.slice(0, 16), 16);
}

/** Reason why blocks prove nothing. The scan keeps its position; no block was skipped. */
export type NoProof =
  /** A block is missing, including an answer of `{}`. */
  | { readonly kind: "hole"; readonly height: number }
  | { readonly kind: "broken-link"; readonly height: number }
  /** Its transactions do not match its ID, or cannot be checked. */
  | { readonly kind: "incomplete"; readonly height: number }
  /** The node's newest solidified block is older than a known one. */
  | { readonly kind: "went-backwards"; readonly height: number; readonly newest: number }
  /** Solidified time has not reached the expiration. */
  | { readonly kind: "not-reached"; readonly newest: number }
  /** The block is later than the local clock by this many ms. */
  | { readonly kind: "future"; readonly height: number; readonly ahead: number }
  /** The full node has no block, or another one, at this solidified height. */
  | { readonly kind: "not-in-head"; readonly height: number }
  /** Too few of the known witnesses built on the last block. */
  | { readonly kind: "not-built-on"; readonly height: number; readonly built: number; readonly needed: number }
  /** Block without a readable signature, or with the signature of a key other than the one its witness used before. */
  | { readonly kind: "stranger"; readonly height: number }
  /** A further URL of the network has another block at this height. */
  | { readonly kind: "differs-elsewhere"; readonly endpoint: string; readonly height: number }
  /** A further URL of the network holds the transaction. */
  | { readonly kind: "held-elsewhere"; readonly endpoint: string }
  | { readonly kind: "unreadable"; readonly message: string };
