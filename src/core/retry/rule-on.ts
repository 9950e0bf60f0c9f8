import { isDisputed } from "../life/disputed.ts";
import { isAlive } from "../life/is-alive.ts";
import { isOnlyRefused } from "../life/only-refused.ts";
import { UNKNOWN_NETWORK } from "../life/tracked-from-history.ts";
import type { Attempt, TrackedTransaction } from "../life/tracked-transaction.ts";
import { type FoundRule, rule } from "./retry-table.ts";

/** What of a tracked transaction says which row is its own. */
export type Ruled = Pick<TrackedTransaction, "state" | "attempts" | "replacedBy" | "secondWord">;

/** The row of a transaction as it is tracked: its state is what its history and the chain come to. */
export function ruleOn(tracked: Ruled): FoundRule {
  const { state, attempts, replacedBy } = tracked;
  if (replacedBy !== undefined && state.kind !== "solidified") return rule("replaced");
  switch (state.kind) {
    case "signed":
      return rule("not-sent");
    case "solidified":
      if (state.outcome.kind === "success") return rule("executed");
      return rule(isDisputed(tracked) ? "disputed" : "failed");
    case "rejected":
      return provenUnlessOnly(rule(state.retry), attempts);
    case "unknown":
      return ruleWhileUnknown(attempts);
    default:
      return rule(state.kind);
  }
}

/** Only an explicit refusal of the first and only submission makes a new transaction safe without a proof. */
function provenUnlessOnly(found: FoundRule, attempts: readonly Attempt[]): FoundRule {
  const isOnly = attempts.length === 1 && attempts[0]?.outcome?.kind === "rejected";
  return isOnly ? found : { ...found, renewal: "after-proof" };
}

/** Where none of the answers says enough: what they have in common says what helps. */
function ruleWhileUnknown(attempts: readonly Attempt[]): FoundRule {
  if (attempts.length === 0) return rule("unknown");
  if (attempts.every(({ outcome }) => outcome?.kind === "already-known")) {
    return { ...rule("another-node"), renewal: "after-proof" };
  }
  const isTurnedAway = attempts.every(({ outcome }) => outcome?.kind === "unknown" && outcome.turnedAway === true);
  return rule(isTurnedAway ? "turned-away" : "unknown");
}

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
