import { ChainError, isErrorCode } from "@finality/tron/errors";
import type { Attempt, TrackedTransaction } from "./tracked-transaction.ts";

/**
 * Whether a transaction may still be executed, or executed differently than it looks now.
 *
 * A node that refused the bytes and later says that it has seen them may hold them after all: behind one URL stand many
 * nodes, and "Dup transaction." is what one says whose pool or chain has it (protocol reference D5).
 * What was signed once more is about to be sent, and what others have may be sent by them.
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
 * Whether only the word of a gateway says that it was not executed: it was refused, its bytes were valid when they
 * left, and it was not yet looked for after its expiration. So it is looked for until then, also in the place of what
 * replaced it.
 */
export function isUnverifiedRejection({ signed, state, attempts, absence, notFoundAt }: TrackedTransaction): boolean {
  if (signed === undefined || absence !== undefined || notFoundAt !== undefined) return false;
  if (state.kind !== "rejected" && state.kind !== "replaced") return false;
  return attempts.some(isRejectedByGateway);
}

/** Whether the chain has it although each answer to it was a refusal: the gateway that said so was wrong, or lied. */
export function isWronglyRejected({ state, attempts }: TrackedTransaction): boolean {
  const isThere = state.kind === "pending" || state.kind === "included" || state.kind === "solidified";
  return isThere && attempts.length > 0 && attempts.every(isRejectedByGateway);
}

/** What was said here and not by a gateway is certain: no byte of it left. */
function isRejectedByGateway({ outcome }: Attempt): boolean {
  return outcome?.kind === "rejected" && outcome.code !== "NOT_SENT" && !isErrorCode(outcome.code);
}

/** Whether it failed, as its gateway says, and nobody else was heard about that. */
export function isUnconfirmedFailure({ state, outcomeElsewhere: secondWord }: TrackedTransaction): boolean {
  return state.kind === "solidified" && state.outcome.kind === "failed" && secondWord === undefined;
}

/** Whether its gateway says that it failed, and somebody else that it succeeded. */
export function isDisputed({
  state,
  outcomeElsewhere: secondWord,
}: Pick<TrackedTransaction, "state" | "outcomeElsewhere">): boolean {
  return state.kind === "solidified" && state.outcome.kind === "failed" && secondWord?.outcome.kind === "success";
}

/**
 * Why something may not be done: this transaction does the same.
 *
 * @param untold - its network, where nobody could say whether that is another chain
 */
export function conflictError(
  { txId, state }: Pick<TrackedTransaction, "txId" | "state">,
  untold?: string,
): ChainError {
  const isFailed = state.kind === "solidified" && state.outcome.kind === "failed";
  const details = { txId, state: isFailed ? "failed" : state.kind };
  return new ChainError("EQUAL_TRANSACTION_ALIVE", {
    ...details,
    ...(untold === undefined ? {} : { unverified: untold }),
  });
}
