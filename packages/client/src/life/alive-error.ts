import { ChainError } from "@finality/tron/errors";
import type { TrackedTransaction } from "./tracked-transaction.ts";

/**
 * Why something may not be done: this transaction does the same.
 *
 * @param untold - its network, where nobody could say whether that is another chain
 */
export function aliveError({ txId, state }: Pick<TrackedTransaction, "txId" | "state">, untold?: string): ChainError {
  const isFailed = state.kind === "solidified" && state.outcome.kind === "failed";
  const details = { txId, state: isFailed ? "failed" : state.kind };
  return new ChainError("EQUAL_TRANSACTION_ALIVE", { ...details, ...(untold === undefined ? {} : { untold }) });
}
