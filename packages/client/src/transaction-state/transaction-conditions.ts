import { ChainError, isErrorCode } from "@finality/tron/errors";
import { defined } from "@finality/tron/primitives";
import type { Attempt, TrackedTransaction } from "./tracked-transaction.ts";

/**
 * Returns true if a transaction may still be executed, or executed differently than it looks now. A node that refused
 * the bytes and later reports them as seen may hold them after all. One URL serves many nodes, and a node whose pool or
 * chain has the bytes answers "Dup transaction." (protocol reference D5). Re-signed bytes are about to be sent, and
 * others may send bytes that they have.
 */
export function isUnsettled({
  state,
  attempts,
  signed,
}: Pick<TrackedTransaction, "state" | "attempts" | "signed">): boolean {
  switch (state.kind) {
    case "signed":
    case "unknown":
    case "pending":
    case "included":
      return true;
    case "rejected":
      return (
        signed?.renewed === true ||
        signed?.shared === true ||
        attempts.some(({ outcome }) => outcome?.kind === "already-known")
      );
    case "solidified":
    case "proven-absent":
    case "replaced":
      return false;
  }
}

/**
 * Returns true if only a gateway claims that it was not executed. It was refused, its bytes were valid when they left,
 * and it was not yet queried after its expiration. It is queried until then, even if another transaction replaced it.
 */
export function isUnverifiedRejection({ signed, state, attempts, absence, notFoundAt }: TrackedTransaction): boolean {
  if (signed === undefined || absence !== undefined || notFoundAt !== undefined) return false;
  if (state.kind !== "rejected" && state.kind !== "replaced") return false;
  return attempts.some(isRejectedByGateway);
}

/** Returns true if the chain has it although every answer to it was a refusal: the gateway was wrong or adversarial. */
export function isWronglyRejected({ state, attempts }: TrackedTransaction): boolean {
  const isThere = state.kind === "pending" || state.kind === "included" || state.kind === "solidified";
  return isThere && attempts.length > 0 && attempts.every(isRejectedByGateway);
}

/** Returns true if a gateway rejected the attempt. A local rejection is certain: no byte of it left. */
function isRejectedByGateway({ outcome }: Attempt): boolean {
  return outcome?.kind === "rejected" && outcome.code !== "NOT_SENT" && !isErrorCode(outcome.code);
}

/** Returns true if its gateway reports a failure and no other source has reported an outcome. */
export function isUnconfirmedFailure({ state, outcomeElsewhere: otherOutcome }: TrackedTransaction): boolean {
  return state.kind === "solidified" && state.outcome.kind === "failed" && otherOutcome === undefined;
}

/** Returns true if its gateway reports a failure and another source reports success. */
export function isDisputed({
  state,
  outcomeElsewhere: otherOutcome,
}: Pick<TrackedTransaction, "state" | "outcomeElsewhere">): boolean {
  return state.kind === "solidified" && state.outcome.kind === "failed" && otherOutcome?.outcome.kind === "success";
}

/**
 * Returns the error for an intent that this transaction already has.
 *
 * @param unverified - its network, if no gateway could tell whether that is another chain
 */
export function conflictError({ txId, state }: TrackedTransaction, unverified?: string): ChainError {
  const isFailed = state.kind === "solidified" && state.outcome.kind === "failed";
  const details = { txId, state: isFailed ? "failed" : state.kind };
  return new ChainError("EQUAL_TRANSACTION_ALIVE", {
    ...details,
    ...defined({ unverified }),
  });
}

/** Returns true for a transaction in a block that runs code, or whose content is not known: it may have a trace. */
export function isTraceable({ state, signed }: TrackedTransaction): boolean {
  const kind = signed?.intent.kind ?? "contract-call";
  const isInBlock = state.kind === "included" || state.kind === "solidified";
  return isInBlock && (kind === "contract-call" || kind === "contract-creation");
}

/** Returns true for a failed run of code, which can be replayed on a record of the state that it read. */
export function isReplayable(tracked: TrackedTransaction): boolean {
  const { state } = tracked;
  const isInBlock = state.kind === "included" || state.kind === "solidified";
  return isTraceable(tracked) && isInBlock && state.outcome?.kind === "failed";
}
