import { isAlive, isFirstAndOnlyRejection } from "./possible-actions.ts";
import { UNKNOWN_NETWORK } from "./tracked-from-history.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** Whether the chain may still have something to say about it, so that it is worth a request. */
export function isLive(tracked: TrackedTransaction): boolean {
  const { hidden, network, state } = tracked;
  return !hidden && network !== UNKNOWN_NETWORK && state.kind !== "signed" && isAlive(tracked);
}

/** Whether a proof of absence is what settles it, unless the chain shows it first: it is our own and its outcome is open. */
export function awaitsProof(tracked: TrackedTransaction): boolean {
  const { hidden, network, signed, state } = tracked;
  if (hidden || network === UNKNOWN_NETWORK || signed === undefined) return false;
  if (state.kind === "rejected") return !isFirstAndOnlyRejection(tracked);
  return state.kind === "unknown" || state.kind === "pending";
}
