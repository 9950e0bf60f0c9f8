import type { Retry } from "../life/tracking-state.ts";

/** Whether the very same signed bytes may be handed to a gateway again. */
export type SameBytes = "yes" | "no" | "after";

/** Whether a new transaction may be built that does the same. */
export type Renewal =
  /**
   * Nothing else says that it may be executed. After a refusal it is looked for first: that is the word of a gateway
   * alone.
   */
  | "at-once"
  /** The safe replacement procedure comes first (gateway document, Endpoints rule 3). */
  | "after-proof"
  /** There is nothing to repeat, or something else has taken its place. */
  | "no";

/** Where a transaction stands when its answers alone do not say what to do. */
export type Standing =
  | "not-sent"
  | "unknown"
  | "turned-away"
  | "pending"
  | "included"
  | "executed"
  | "failed"
  | "disputed"
  | "proven-absent"
  | "replaced";

export type RetryRowName = Retry | Standing;

/** What may be done. */
export interface RetryRule {
  readonly sameBytes: SameBytes;
  readonly renewal: Renewal;
}

/** What is said about a row, for people. */
export interface RetryWords {
  /**
   * What has to happen before the same bytes may be sent again, as the rest of a sentence; there where something has
   * to.
   */
  readonly when?: string;
  /** What to do next; absent when there is nothing to do. */
  readonly advice?: string;
  /** Why the same bytes may not be sent, as sentences; there where they may not. */
  readonly whyNot?: string;
  /**
   * What an answer asks for when no history of its transaction is known, as the rest of a sentence: how the same bytes
   * may be sent again, or what to do instead.
   */
  readonly alone?: string;
}

const STILL_VALID = "while its expiration and reference block are valid";
const HARMLESS = "Sending the same bytes again is harmless; a new payment is not.";

/**
 * The one table of what may be done, and of its words; after refusals, `renewal` holds for the first and only
 * submission.
 */
export const RETRY_TABLE: { readonly [N in RetryRowName]: RetryRule & RetryWords } = {
  /** Gateway document, States: signed, not yet submitted. */
  "not-sent": {
    sameBytes: "yes",
    renewal: "no",
    advice: "The signed bytes are kept in the journal. Send them when you are ready.",
  },
  /** Gateway document, Idempotency 1 and 3. */
  unknown: { sameBytes: "yes", renewal: "after-proof", advice: `It may still be executed. ${HARMLESS}` },
  /**
   * Gateway document, Errors 1: 4xx, 401, 403, 429. Who said so is not the node, so it proves as little as no answer.
   */
  "turned-away": {
    sameBytes: "after",
    renewal: "after-proof",
    when: "what turned it away was corrected, or a pause of at least what Retry-After says",
    advice:
      "Whoever stands before the node said so, and not the node itself. Correct the cause, then send the same signed bytes again; a new payment could pay twice.",
  },
  /** Gateway document, Idempotency 2. */
  pending: { sameBytes: "yes", renewal: "after-proof" },
  /** Gateway document, States: included. */
  included: {
    sameBytes: "no",
    renewal: "after-proof",
    advice: "A reorganisation of the chain may still take it back.",
    whyNot: "A block holds it already: it cannot be executed a second time.",
  },
  /** Gateway document, States: executed successfully. */
  executed: { sameBytes: "no", renewal: "no", whyNot: "It is final: it cannot be executed a second time." },
  /** Gateway document, Errors 3. */
  failed: {
    sameBytes: "no",
    renewal: "at-once",
    advice: "It is final and failed. Find and correct the cause, then build and sign a new transaction.",
    whyNot: "It is final, although it failed: it cannot be executed a second time. Create a new transaction.",
  },
  /**
   * Idempotency 3: what is not known is not done again. A receipt is in no hash of a block, so neither word is proven.
   */
  disputed: {
    sameBytes: "no",
    renewal: "no",
    advice: "Its URLs do not agree whether it failed. Look at it in an explorer first: a new payment could pay twice.",
    whyNot: "It is final, and its URLs do not agree how it ended: it cannot be executed a second time.",
  },
  /** Gateway document, Endpoints rule 3. */
  "proven-absent": {
    sameBytes: "no",
    renewal: "at-once",
    advice: "It can never be executed any more. It is safe to send a new one.",
    whyNot: "It expired and is proven to be in no block: it can never be accepted any more. Create a new transaction.",
  },
  /** Protocol reference §16.6. */
  replaced: { sameBytes: "no", renewal: "no", whyNot: "It was replaced: sending it now could pay twice." },
  /** Gateway document, Errors 2, rule 4, and States: "Do not rebuild", while they can be funded. */
  "same-bytes-after-funding": {
    sameBytes: "after",
    renewal: "after-proof",
    when: "the account has the coins that it lacked",
    advice: "Top up the sender, then send the same signed bytes again.",
    alone: `after the account was funded, ${STILL_VALID}`,
  },
  /** Gateway document, Errors 2, rule 2: wait, or rebuild with an expiration in range. */
  "same-bytes-when-head-advances": {
    sameBytes: "after",
    renewal: "at-once",
    when: "the head of the chain is within 24 hours of its expiration",
    advice: "It expires too far ahead. Wait until the chain has advanced, then send the same signed bytes again.",
    alone: `when the head of the chain is within 24 hours of its expiration, ${STILL_VALID}`,
  },
  /** Protocol reference §7.4. */
  "same-bytes-later": {
    sameBytes: "after",
    renewal: "at-once",
    when: "a pause, of at least what Retry-After says",
    advice: "Wait a little, then send the same signed bytes again.",
    alone: `after a pause, ${STILL_VALID}`,
  },
  /** Gateway document, Errors 2, rule 3. */
  "sign-again": {
    sameBytes: "no",
    renewal: "at-once",
    advice:
      "Check the signing key. The gateway says that the signature was not accepted and that nothing was executed.",
    whyNot: "Its signatures were refused. Sign the same transaction again: its txID stays the same.",
    alone: "sign the unchanged raw data again: the txID stays the same",
  },
  /** Gateway document, Errors 2, rule 2. */
  rebuild: {
    sameBytes: "no",
    renewal: "at-once",
    advice: "The gateway says that nothing was executed. Send it anew.",
    whyNot: "It can never be accepted any more. Create a new transaction.",
    alone: "build and sign a new transaction, once no earlier attempt can be executed",
  },
  /** Gateway document, Errors 2: DUP_TRANSACTION_ERROR. */
  "another-node": {
    sameBytes: "yes",
    renewal: "at-once",
    advice: "This node gives no reason that helps. Send the same signed bytes to another node, which may show one.",
    alone: "through another synchronised node; keep following the txID",
  },
  /** Gateway document, Errors 2, rule 1. */
  "fix-request": {
    sameBytes: "after",
    renewal: "at-once",
    when: "what the node refused was corrected",
    advice: "The gateway says that nothing was executed. Correct the request and send it anew.",
    alone:
      "after its cause is corrected; if the cause is in the transaction itself, build and sign it again, once no earlier attempt can be executed",
  },
};

/** What a refusal may ask for. */
export const RETRIES: readonly Retry[] = [
  ...(["same-bytes-after-funding", "same-bytes-when-head-advances", "same-bytes-later", "sign-again"] as const),
  ...(["rebuild", "another-node", "fix-request"] as const),
];

/** A rule and its words, with the name of its row. */
export interface FoundRule extends RetryRule, RetryWords {
  readonly row: RetryRowName;
}

/** A row of the table, by its name. */
export function rule(row: RetryRowName): FoundRule {
  return { ...RETRY_TABLE[row], row };
}
