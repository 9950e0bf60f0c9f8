import { isErrorCode } from "@finality/tron/errors";
import type { Attempt, TrackedTransaction } from "./tracked-transaction.ts";

/**
 * Whether only the word of a gateway says that it was not executed: it was refused, its bytes were valid when they
 * left, and it was not yet looked for after its expiration. So it is looked for until then, also in the place of what
 * replaced it.
 */
export function isOnlyRefused({ signed, state, attempts, absence, notFoundAt }: TrackedTransaction): boolean {
  if (signed === undefined || absence !== undefined || notFoundAt !== undefined) return false;
  if (state.kind !== "rejected" && state.kind !== "replaced") return false;
  return attempts.some(isRefusedByGateway);
}

/** Whether the chain has it although each answer to it was a refusal: the gateway that said so was wrong, or lied. */
export function isThereAlthoughRefused({ state, attempts }: TrackedTransaction): boolean {
  const isThere = state.kind === "pending" || state.kind === "included" || state.kind === "solidified";
  return isThere && attempts.length > 0 && attempts.every(isRefusedByGateway);
}

/** What was said here and not by a gateway is certain: no byte of it left. */
function isRefusedByGateway({ outcome }: Attempt): boolean {
  return outcome?.kind === "rejected" && outcome.code !== "NOT_SENT" && !isErrorCode(outcome.code);
}
