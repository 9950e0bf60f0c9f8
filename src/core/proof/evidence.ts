import { type BlockId, blockId, blockReference } from "../primitives/block.ts";
import { bytesToHex, type Hex, hexToBytes, sha256 } from "../primitives/bytes.ts";
import { hashOf, listOf, type ObjectOf, object, oneOf, type ReadOf, text, wholeNumber } from "../primitives/read.ts";

const otherUrl = object({ endpoint: text, answer: oneOf("agrees", "behind", "silent") });

/** `behind`: it did not have the last block yet, and did not know the transaction. */
export type OtherUrl = ReadOf<typeof otherUrl>;

const proofChecks = object({
  /**
   * How many witnesses made the blocks before the reference block, how many of them were seen to build on the last
   * block, and how many of those signed with the key of their own address. The key of any other is the gateway's word.
   */
  witnesses: object({ known: wholeNumber, built: wholeNumber, own: wholeNumber }),
  /** The further URLs of the network, and what came of asking them. */
  others: listOf(otherUrl),
});

/** What stands behind the blocks of a proof. */
export type ProofChecks = ReadOf<typeof proofChecks>;

/** What every evidence of absence holds, in the journal and in a proof. */
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

/** What an evidence of absence may hold besides. */
export const furtherEvidence = {
  /** The ids of all blocks, in order; left out of proofs of more than 1,000 blocks, which the digest covers. */
  blockIds: listOf(blockId),
  /** What was checked besides; absent in what earlier versions proved, which took one gateway's word for the blocks. */
  checks: proofChecks,
};

/**
 * What was read to prove that no block holds a transaction: every solidified block from `first` to `last`, each the
 * parent of the next. Times of blocks are chain time in ms.
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

/** Why blocks prove nothing. The scan stays where it was; nothing was skipped. */
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
  /** A block without a signature that can be read, or with that of somebody else than its witness used before. */
  | { readonly kind: "stranger"; readonly height: number }
  /** A further URL of the network has another block at this height. */
  | { readonly kind: "differs-elsewhere"; readonly endpoint: string; readonly height: number }
  /** A further URL of the network holds the transaction. */
  | { readonly kind: "held-elsewhere"; readonly endpoint: string }
  | { readonly kind: "unreadable"; readonly message: string };

/** What to say of a transaction that refers to another chain. */
export const ON_ANOTHER_CHAIN =
  "The block that it refers to is not on this chain, so nothing is proven. Does the network still have the same URL? Nothing was replaced.";

const MS_A_MINUTE = 60_000;

/** The reason as a sentence that ends with what was not done. */
export function describeNoProof(reason: NoProof): string {
  return `${sentenceOf(reason)} Nothing was replaced.`;
}

/** The reason alone. */
export function sentenceOf(reason: NoProof): string {
  switch (reason.kind) {
    case "hole":
      return `Block ${reason.height} could not be read; the proof is incomplete.`;
    case "broken-link":
      return `Block ${reason.height} does not continue the chain; the proof is incomplete.`;
    case "incomplete":
      return `What block ${reason.height} is said to hold cannot be checked against its id; the proof is incomplete.`;
    case "went-backwards":
      return `The node is at solidified block ${reason.newest}, before block ${reason.height}; the proof is incomplete.`;
    case "not-reached":
      return `Solidified time has not reached the expiration at block ${reason.newest}.`;
    case "future": {
      const minutes = Math.ceil(reason.ahead / MS_A_MINUTE).toLocaleString("en-US");
      return `Block ${reason.height} is said to be ${minutes} minutes in the future; the proof is not believed. Is the clock of this computer right?`;
    }
    case "not-in-head":
      return `The full node does not have the solidified block ${reason.height}; the proof is not believed. Are both URLs of the network of the same chain?`;
    case "not-built-on":
      return `Only ${reason.built} of the ${reason.needed} witnesses that make block ${reason.height} final were seen to build on it.`;
    case "stranger":
      return `Block ${reason.height} is not signed as the blocks of its witness were before; the proof is not believed.`;
    case "differs-elsewhere":
      return `${reason.endpoint} has another block ${reason.height}: the URLs of the network follow different chains, and which is right is not known.`;
    case "held-elsewhere":
      return `${reason.endpoint} knows the transaction, so it may have been executed.`;
    case "unreadable":
      return `${reason.message} The proof is incomplete.`;
  }
}

/** What stands behind a proof, and whose word remains, as sentences. */
export function describeChecks(checks: ProofChecks | undefined): string {
  if (checks === undefined) {
    return "An earlier version proved it without checking ids, transactions and witnesses: it is one gateway's word. Recheck Proof checks it again.";
  }
  return `The reference block was met, and every block was checked against its id. ${ofWitnesses(checks)} ${ofOthers(checks)}`;
}

function ofWitnesses({ witnesses: { known, built, own } }: ProofChecks): string {
  if (known === 0)
    return "No witness was known from before the reference block: that the last block is final is the gateway's word.";
  const seen = `${built} of ${known} ${known === 1 ? "witness" : "witnesses"} from before the reference block built on the last block`;
  return own === built
    ? `${seen}, each with its own key.`
    : `${seen}, ${own} of them with the key of its own address. Whose the other keys are is the gateway's word.`;
}

function ofOthers({ others }: ProofChecks): string {
  if (others.length === 0) return "Only this gateway was asked.";
  return others.map(ofOther).join(" ");
}

function ofOther({ endpoint, answer }: OtherUrl): string {
  switch (answer) {
    case "agrees":
      return `${endpoint} has the same last block.`;
    case "behind":
      return `${endpoint} did not have the last block yet, and does not know the transaction.`;
    case "silent":
      return `${endpoint} did not answer, so it was not asked.`;
  }
}
