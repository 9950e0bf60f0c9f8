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

/** `behind`: it did not have the last block yet, and did not know the transaction. */
export type OtherUrl = ReadOf<typeof otherUrl>;

const proofChecks = object({
  /**
   * Number of witnesses that made the blocks before the reference block, that were seen to build on the last block, and
   * that signed with the key of their own address. Any other key is the gateway's claim.
   */
  witnesses: object({ known: wholeNumber, built: wholeNumber, own: wholeNumber }),
  /** The further URLs of the network, and what came of asking them. */
  others: listOf(otherUrl),
});

/** Checks that support the blocks of a proof. */
export type ProofChecks = ReadOf<typeof proofChecks>;

/** Fields of every evidence of absence, in the journal and in a proof. */
export const evidenceFields = {
  network: text,
  /** The base URL that was asked. */
  endpoint: text,
  /** `raw_data.expiration`, chain time in ms. */
  expiration: wholeNumber,
  /** The solidified height before the first signature. */
  solidHeight: wholeNumber,
  /** The id of the block before the first one. */
  parentId: blockId,
  first: blockReference,
  /** The first solidified block whose time reached the expiration. */
  last: blockReference,
  count: wholeNumber,
  /** SHA-256 over the ids of all blocks, in order. */
  digest: hashOf<Hex>(),
};

/** Optional fields of an evidence of absence. */
export const furtherEvidence = {
  /** The ids of all blocks, in order; left out of proofs of more than 1,000 blocks, which the digest covers. */
  blockIds: listOf(blockId),
  /** Further checks. Absent in proofs of earlier versions, which relied on one gateway's claim for the blocks. */
  checks: proofChecks,
};

/**
 * Data that was read to prove that no block holds a transaction: every solidified block from `first` to `last`, each
 * the parent of the next. Times of blocks are chain time in ms.
 */
export type AbsenceEvidence = ObjectOf<typeof evidenceFields, typeof furtherEvidence>;

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

/** Reason why blocks prove nothing. The scan keeps its position; no block was skipped. */
export type NoProof =
  /** A block is not there, also when an answer is `{}`. */
  | { readonly kind: "hole"; readonly height: number }
  | { readonly kind: "broken-link"; readonly height: number }
  /** Its transactions are not those that its id stands for, or cannot be checked. */
  | { readonly kind: "incomplete"; readonly height: number }
  /** The node's newest solidified block is older than what was read, or known, before. */
  | { readonly kind: "went-backwards"; readonly height: number; readonly newest: number }
  /** Solidified time has not reached the expiration. */
  | { readonly kind: "not-reached"; readonly newest: number }
  /** It is later than the clock of this computer by so many ms. */
  | { readonly kind: "future"; readonly height: number; readonly ahead: number }
  /** The full node does not have the solidified block of this height: it has none, or another one. */
  | { readonly kind: "not-in-head"; readonly height: number }
  /** Too few of the witnesses that were known before built on the last block. */
  | { readonly kind: "not-built-on"; readonly height: number; readonly built: number; readonly needed: number }
  /** Block without a readable signature, or with the signature of a key other than the one its witness used before. */
  | { readonly kind: "stranger"; readonly height: number }
  /** A further URL of the network has another block at this height. */
  | { readonly kind: "differs-elsewhere"; readonly endpoint: string; readonly height: number }
  /** A further URL of the network holds the transaction. */
  | { readonly kind: "held-elsewhere"; readonly endpoint: string }
  | { readonly kind: "unreadable"; readonly message: string };
