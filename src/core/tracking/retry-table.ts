import type { Attempt, TrackedTransaction } from "./tracked-transaction.ts";
import type { Retry } from "./tracking-state.ts";

/** Whether the very same signed bytes may be handed to a gateway again. */
export type SameBytes = "yes" | "no" | "after";

/** Whether a new transaction may be built that does the same. */
export type Anew =
  /** Nothing can be executed twice. */
  | "at-once"
  /** The safe replacement procedure comes first (gateway document, Endpoints rule 3). */
  | "after-proof"
  /** There is nothing to repeat, or something else has taken its place. */
  | "no";

/** Where a transaction stands when its answers alone do not say what to do. */
export type Standing =
  | "not-sent"
  | "unknown"
  | "pending"
  | "included"
  | "executed"
  | "failed"
  | "proven-absent"
  | "replaced";

export type RetryRowName = Retry | Standing;

/** What may be done. */
export interface RetryRule {
  readonly sameBytes: SameBytes;
  readonly anew: Anew;
}

/** The one table of what may be done; after refusals, `anew` holds for the first and only submission. */
export const RETRY_TABLE: { readonly [N in RetryRowName]: RetryRule } = {
  /** Gateway document, States: signed, not yet submitted. */
  "not-sent": { sameBytes: "yes", anew: "no" },
  /** Gateway document, Idempotency 1 and 3. */
  unknown: { sameBytes: "yes", anew: "after-proof" },
  /** Gateway document, Idempotency 2. */
  pending: { sameBytes: "yes", anew: "after-proof" },
  /** Gateway document, States: included. */
  included: { sameBytes: "no", anew: "after-proof" },
  /** Gateway document, States: executed successfully. */
  executed: { sameBytes: "no", anew: "no" },
  /** Gateway document, Errors 3. */
  failed: { sameBytes: "no", anew: "at-once" },
  /** Gateway document, Endpoints rule 3. */
  "proven-absent": { sameBytes: "no", anew: "at-once" },
  /** Protocol reference §16.6. */
  replaced: { sameBytes: "no", anew: "no" },
  /** Gateway document, Errors 2, rule 4. */
  "same-bytes-after-funding": { sameBytes: "after", anew: "at-once" },
  /** Gateway document, Errors 2, rule 2. */
  "same-bytes-when-head-advances": { sameBytes: "after", anew: "at-once" },
  /** Gateway document, Retry summary: 429; protocol reference §7.4. */
  "same-bytes-later": { sameBytes: "after", anew: "at-once" },
  /** Gateway document, Errors 2, rule 3. */
  "sign-again": { sameBytes: "no", anew: "at-once" },
  /** Gateway document, Errors 2, rule 2. */
  rebuild: { sameBytes: "no", anew: "at-once" },
  /** Gateway document, Errors 2: DUP_TRANSACTION_ERROR. */
  "another-node": { sameBytes: "yes", anew: "at-once" },
  /** Gateway document, Errors 2, rule 1. */
  "fix-request": { sameBytes: "after", anew: "at-once" },
};

/** A rule with the name of its row, under which the words are found. */
export interface FoundRule extends RetryRule {
  readonly row: RetryRowName;
}

export function rule(row: RetryRowName): FoundRule {
  return { ...RETRY_TABLE[row], row };
}

/** Only an explicit refusal of the first and only submission makes a new transaction safe without a proof. */
export function ruleAfterRefusals(row: Retry, answers: readonly { readonly kind: string }[]): FoundRule {
  const firstAndOnly = answers.length === 1 && answers[0]?.kind === "rejected";
  return { ...rule(row), anew: firstAndOnly ? "at-once" : "after-proof" };
}

/** What of a tracked transaction says what may be done with it. */
export type Judged = Pick<TrackedTransaction, "state" | "attempts" | "replacedBy">;

/** What may be done with a transaction as it is tracked: its state is what its history and the chain come to. */
export function ruleOn({ state, attempts, replacedBy }: Judged): FoundRule {
  if (replacedBy !== undefined && state.kind !== "solidified") return rule("replaced");
  switch (state.kind) {
    case "signed":
      return rule("not-sent");
    case "solidified":
      return rule(state.outcome.kind === "success" ? "executed" : "failed");
    case "rejected":
      return ruleAfterRefusals(state.retry, attempts.map(answerTo));
    case "unknown":
      return attempts.length > 0 && attempts.every(isKnownThere)
        ? ruleAfterRefusals("another-node", attempts.map(answerTo))
        : rule("unknown");
    default:
      return rule(state.kind);
  }
}

function answerTo({ outcome }: Attempt): { readonly kind: string } {
  return outcome ?? { kind: "none" };
}

function isKnownThere({ outcome }: Attempt): boolean {
  return outcome?.kind === "already-known";
}
