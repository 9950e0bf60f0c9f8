import type { AbiIndex } from "@finality/tron/abi";

/**
 * Origin of a failure: before an answer of the node, in its checks, in the contract, or in encoded data. `none` is not
 * a failure.
 */
export type Category = "http" | "validation" | "execution" | "abi" | "none";

/**
 * Decision on sending the same signed bytes again. For a request that was never signed, it applies to the same request.
 */
export interface RetryVerdict {
  readonly sameBytes: "yes" | "no" | "after";
  /** The condition, or what to do instead; a sentence without its full stop. */
  readonly when?: string;
}

/** A decoded value in a tree. */
export interface DecodedField {
  readonly name: string;
  /** For people; a list has a short summary. Text of the chain: never markup. */
  readonly value: string;
  readonly kind: "text" | "number" | "hex" | "address" | "tx-id" | "time" | "list";
  /** The type of the ABI, where there is one. */
  readonly type?: string;
  readonly children?: readonly DecodedField[];
}

/** Another reading of the same text. */
export interface Candidate {
  readonly code: string;
  readonly title: string;
  /** Why this may be meant, and who says so. */
  readonly reason: string;
}

/** Meaning of a text of the chain, with its cause and fix. */
export interface Explanation {
  readonly category: Category;
  /** The code of the answer, the value of the receipt, or a name of what was recognised, in capitals. */
  readonly code: string;
  /**
   * The entry of the catalogue that gave the words. Ids that begin with `generic-` know the code and not the message.
   */
  readonly entry: string;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly retry: RetryVerdict;
  readonly decoded: readonly DecodedField[];
  /** Origins of the explanation: documents, rules of the node, artifacts, dictionaries. */
  readonly sources: readonly string[];
  /** Other readings that cannot be excluded, the likelier ones first. Empty when there is one reading. */
  readonly candidates: readonly Candidate[];
  /** The whole input, unchanged. */
  readonly raw: string;
}

/** Information available besides the text. All of it is optional, and all of it makes the answer more precise. */
export interface ExplainContext {
  /** The status of the answer. */
  readonly status?: number | undefined;
  /** The path that was asked, such as `/wallet/broadcasttransaction`. */
  readonly endpoint?: string | undefined;
  /** Names of selectors: the workspace's artifacts first, then the dictionary that is shipped. */
  readonly abi?: AbiIndex | undefined;
  /**
   * Chain times in ms: the transaction's expiration and the head's time. They tell the two cases of `Transaction
   * expired` apart.
   */
  readonly expiration?: number | undefined;
  readonly headTime?: number | undefined;
  /** True if the surrounding text shows a trace of the chain. */
  readonly isOfChain?: (() => boolean) | undefined;
}
