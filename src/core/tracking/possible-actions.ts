import type { TrackedTransaction } from "./tracked-transaction.ts";
import { whyNotAgain } from "./why-not-again.ts";

/**
 * Whether a transaction may still be executed, or executed differently than it looks now.
 *
 * A node that refused the bytes and later says that it has seen them may hold them after all: behind one URL stand many nodes,
 * and "Dup transaction." is what one says whose pool or chain has it (protocol reference D5).
 */
export function isAlive({ state, attempts }: Pick<TrackedTransaction, "state" | "attempts">): boolean {
  switch (state.kind) {
    case "signed":
    case "unknown":
    case "pending":
    case "included":
      return true;
    case "rejected":
      return attempts.some(({ outcome }) => outcome?.kind === "already-known");
    case "solidified":
    case "proven-absent":
    case "replaced":
      return false;
  }
}

/** Whether sending the same bytes again can help. It can never do harm: the chain executes one txID once. */
export function isResendable(tracked: TrackedTransaction): boolean {
  return whyNotAgain(tracked) === undefined;
}

/**
 * Whether the first and only submission was refused in so many words: then no node kept the bytes, and rebuilding needs no proof
 * (gateway document, Errors 2, rule 2).
 */
export function isFirstAndOnlyRejection({ state, attempts }: TrackedTransaction): boolean {
  return state.kind === "rejected" && attempts.length === 1 && attempts[0]?.outcome?.kind === "rejected";
}

/** Whether another transaction may take its place; `mayReplace` says why not. */
export function isReplaceable(tracked: TrackedTransaction): boolean {
  const proven = tracked.state.kind === "proven-absent" && tracked.absence !== undefined;
  return tracked.signed !== undefined && (proven || isFirstAndOnlyRejection(tracked));
}

/** Whether a contract of it can be called: its deployment is in a block and did not fail. */
export function hasDeployed({ signed, state }: TrackedTransaction): boolean {
  if (signed?.intent.kind !== "contract-creation") return false;
  if (state.kind === "included") return state.outcome?.kind !== "failed";
  return state.kind === "solidified" && state.outcome.kind === "success";
}
