import { isAlive } from "../life/is-alive.ts";
import { isOnlyRefused } from "../life/only-refused.ts";
import { UNKNOWN_NETWORK } from "../life/tracked-from-history.ts";
import type { TrackedTransaction } from "../life/tracked-transaction.ts";
import { ruleOn } from "./rule-on.ts";

/** Whether the chain may still have something to say about it, so that it is worth a request. */
export function isLive(tracked: TrackedTransaction): boolean {
  return isFollowed(tracked) && tracked.state.kind !== "signed" && isAlive(tracked);
}

/**
 * Whether a proof of absence is what settles it, unless the chain shows it first: it is our own and its outcome is
 * open.
 */
export function awaitsProof(tracked: TrackedTransaction): boolean {
  const { signed, state } = tracked;
  if (!isFollowed(tracked) || signed === undefined) return false;
  if (state.kind === "rejected") return ruleOn(tracked).renewal !== "at-once";
  return state.kind === "unknown" || state.kind === "pending";
}

/** Whether it is watched though a gateway refused it, and nothing else speaks for its being executed. */
export function isLookedFor(tracked: TrackedTransaction): boolean {
  return isFollowed(tracked) && isOnlyRefused(tracked) && !isLive(tracked);
}

function isFollowed({ hidden, network }: TrackedTransaction): boolean {
  return !hidden && network !== UNKNOWN_NETWORK;
}
