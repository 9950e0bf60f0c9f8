import { ruleOn } from "./retry-table.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";

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

/** Something that a person may do with a transaction. */
export type PossibleAction =
  | "sendSameBytes"
  /** The same bytes to another URL of the network's profile: where no answer came, or one that another node may explain. */
  | "tryOtherNode"
  | "createReplacement"
  | "exportProof"
  | "lookNow"
  | "remove";

/**
 * What may be done now, none of which can execute an intent twice.
 *
 * @param fallbackUrls - the other URLs of the profile, where they are known
 */
export function possibleActions(
  tracked: TrackedTransaction,
  fallbackUrls: readonly string[] = [],
): readonly PossibleAction[] {
  const alive = isAlive(tracked);
  const helpsElsewhere = ["another-node", "unknown"].includes(ruleOn(tracked).row) && isResendable(tracked);
  return [
    ...(isResendable(tracked) ? (["sendSameBytes"] as const) : []),
    ...(helpsElsewhere && fallbackUrls.length > 0 ? (["tryOtherNode"] as const) : []),
    ...(isReplaceable(tracked) ? (["createReplacement"] as const) : []),
    ...(tracked.absence === undefined ? [] : (["exportProof"] as const)),
    ...(alive ? (["lookNow"] as const) : (["remove"] as const)),
  ];
}

/** Whether sending the same bytes again can help. It can never do harm: the chain executes one txID once. */
export function isResendable(tracked: TrackedTransaction): boolean {
  return tracked.signed !== undefined && ruleOn(tracked).sameBytes !== "no";
}

/**
 * Whether the first and only submission was refused in so many words: then no node kept the bytes, and rebuilding needs no proof
 * (gateway document, Errors 2, rule 2).
 */
export function isFirstAndOnlyRejection(tracked: TrackedTransaction): boolean {
  return tracked.state.kind === "rejected" && ruleOn(tracked).anew === "at-once";
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
