import type { TrackedTransaction } from "./tracked-transaction.ts";
import { whyNotAgain } from "./why-not-again.ts";

/** Whether a transaction may still be executed, or executed differently than it looks now. */
export function isAlive({ state }: TrackedTransaction): boolean {
  switch (state.kind) {
    case "signed":
    case "unknown":
    case "pending":
    case "included":
      return true;
    case "solidified":
    case "rejected":
    case "proven-absent":
    case "replaced":
      return false;
  }
}

/** Whether sending the same bytes again can help. It can never do harm: the chain executes one txID once. */
export function isResendable(tracked: TrackedTransaction): boolean {
  return whyNotAgain(tracked) === undefined;
}
