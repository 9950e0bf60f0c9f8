import { RETRY_WORDS, type RetryWords } from "../../words/reasons/retry.ts";
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

/**
 * The one table of what may be done; after refusals, `renewal` holds for the first and only submission. Its words stand
 * in `src/words/reasons/retry.ts`.
 */
export const RETRY_TABLE: { readonly [N in RetryRowName]: RetryRule } = {
  /** Gateway document, States: signed, not yet submitted. */
  "not-sent": { sameBytes: "yes", renewal: "no" },
  /** Gateway document, Idempotency 1 and 3. */
  unknown: { sameBytes: "yes", renewal: "after-proof" },
  /**
   * Gateway document, Errors 1: 4xx, 401, 403, 429. Who said so is not the node, so it proves as little as no answer.
   */
  "turned-away": { sameBytes: "after", renewal: "after-proof" },
  /** Gateway document, Idempotency 2. */
  pending: { sameBytes: "yes", renewal: "after-proof" },
  /** Gateway document, States: included. */
  included: { sameBytes: "no", renewal: "after-proof" },
  /** Gateway document, States: executed successfully. */
  executed: { sameBytes: "no", renewal: "no" },
  /** Gateway document, Errors 3. */
  failed: { sameBytes: "no", renewal: "at-once" },
  /**
   * Idempotency 3: what is not known is not done again. A receipt is in no hash of a block, so neither word is proven.
   */
  disputed: { sameBytes: "no", renewal: "no" },
  /** Gateway document, Endpoints rule 3. */
  "proven-absent": { sameBytes: "no", renewal: "at-once" },
  /** Protocol reference §16.6. */
  replaced: { sameBytes: "no", renewal: "no" },
  /** Gateway document, Errors 2, rule 4, and States: "Do not rebuild", while they can be funded. */
  "same-bytes-after-funding": { sameBytes: "after", renewal: "after-proof" },
  /** Gateway document, Errors 2, rule 2: wait, or rebuild with an expiration in range. */
  "same-bytes-when-head-advances": { sameBytes: "after", renewal: "at-once" },
  /** Protocol reference §7.4. */
  "same-bytes-later": { sameBytes: "after", renewal: "at-once" },
  /** Gateway document, Errors 2, rule 3. */
  "sign-again": { sameBytes: "no", renewal: "at-once" },
  /** Gateway document, Errors 2, rule 2. */
  rebuild: { sameBytes: "no", renewal: "at-once" },
  /** Gateway document, Errors 2: DUP_TRANSACTION_ERROR. */
  "another-node": { sameBytes: "yes", renewal: "at-once" },
  /** Gateway document, Errors 2, rule 1. */
  "fix-request": { sameBytes: "after", renewal: "at-once" },
};

/** No row is without its words. */
const WORDS: { readonly [N in RetryRowName]: RetryWords } = RETRY_WORDS;

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
  return { ...RETRY_TABLE[row], ...WORDS[row], row };
}
