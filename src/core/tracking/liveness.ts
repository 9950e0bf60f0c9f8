import { isAlive } from "./possible-actions.ts";
import { UNKNOWN_NETWORK } from "./tracked-from-history.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/** Whether the chain may still have something to say about it, so that it is worth a request. */
export function isLive(tracked: TrackedTransaction): boolean {
  const { hidden, network, state } = tracked;
  return !hidden && network !== UNKNOWN_NETWORK && state.kind !== "signed" && isAlive(tracked);
}
