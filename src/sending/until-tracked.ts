import type { TrackedTransaction } from "@finality/client/tracking";
import type { TxId } from "@finality/tron/primitives";
import type { TransactionService } from "./transaction-service.ts";

/**
 * Returns a transaction as soon as the condition is true for it; undefined if the list does not have it, or no longer
 * has it. Rejects with the reason of the signal.
 */
export async function untilTracked(
  transactions: TransactionService,
  txId: TxId,
  isReached: (tracked: TrackedTransaction) => boolean,
  signal?: AbortSignal,
): Promise<TrackedTransaction | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<TrackedTransaction | undefined>();
  const look = (): void => {
    const tracked = transactions.get(txId);
    if (tracked === undefined || isReached(tracked)) resolve(tracked);
  };
  const end = (): void => reject(signal?.reason);
  const following = transactions.onDidChange(look);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  look();
  try {
    return await promise;
  } finally {
    following.dispose();
    signal?.removeEventListener("abort", end);
  }
}
