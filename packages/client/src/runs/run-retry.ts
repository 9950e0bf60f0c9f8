import { t } from "@vscode/l10n";
import { type ChainSources, findDuplicates, type TransactionLog } from "../retry/conflicting-transactions.ts";
import { decideActions } from "../retry/permitted-actions.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import { isDisputed } from "../transaction-state/transaction-conditions.ts";
import type { RunProgress } from "./run-progress.ts";
import type { RetryReason, RunStore } from "./run-store.ts";

/** Permission for another attempt of a row, or the reason why there is none now. */
export type RetryPermission =
  | { readonly kind: "permitted"; readonly reason: RetryReason; readonly isReplacement: boolean }
  | { readonly kind: "refused"; readonly why: string };

/**
 * Returns whether another attempt after this one is permitted, without a request. A proof of absence and a final failure
 * permit one, and so does an explicit rejection that was not found after its expiration. That is stricter than the retry
 * policy, because a worker that lost the row may send the old bytes late. `isReplacement` is false after a failure.
 */
export function retryPermission(last: TrackedTransaction): RetryPermission {
  const { createReplacement, doItAgain } = decideActions(last);
  if (createReplacement.allowed) {
    const { because } = createReplacement;
    if (because.kind === "proof") {
      const { first, last: end } = because.absence;
      const message = t`No block from ${first.number} to ${end.number} contains ${last.txId}.`;
      return { kind: "permitted", isReplacement: true, reason: { kind: "proof", message } };
    }
    if (last.notFoundAt === undefined) return { kind: "refused", why: NOT_EXPIRED };
    const message = [because.code, because.message].filter((it) => it !== "").join(": ");
    return { kind: "permitted", isReplacement: true, reason: { kind: "rejection", message } };
  }
  if (doItAgain.allowed && last.state.kind === "solidified" && last.state.outcome.kind === "failed") {
    const { result, message } = last.state.outcome;
    const text = [result, message].filter((it) => it !== undefined && it !== "").join(": ");
    return { kind: "permitted", isReplacement: false, reason: { kind: "failure", message: text } };
  }
  const { state } = last;
  const isFailed = state.kind === "solidified" && state.outcome.kind === "failed";
  return { kind: "refused", why: isFailed ? doItAgainRefusal(last) : createReplacement.why };
}

const NOT_EXPIRED = t`A worker may still send its bytes. It has to expire, and to be missing from the final blocks after that.`;

function doItAgainRefusal(last: TrackedTransaction): string {
  const { doItAgain } = decideActions(last);
  return doItAgain.allowed ? "" : doItAgain.why;
}

/**
 * Verifies a permission with the chain: a rejection and a failure are claims of one gateway, so the transaction is
 * queried again, at the other URLs too.
 *
 * @returns the permission as it is afterwards
 */
export async function verifyRetry(
  last: TrackedTransaction,
  log: TransactionLog,
  sources: ChainSources,
): Promise<RetryPermission> {
  const early = retryPermission(last);
  if (early.kind === "refused" || last.signed === undefined || early.reason.kind === "proof") return early;
  const current = (): TrackedTransaction => log.get(last.txId) ?? last;
  // Other rows have equal intents and keys of their own, so this transaction alone is compared.
  const alone: TransactionLog = {
    get: (txId) => log.get(txId),
    list: () => [current()],
    refresh: (txId, signal) => log.refresh(txId, signal),
    note: (...facts) => log.note(...facts),
  };
  const { network, chain } = last;
  const intended = { network, ...(chain === undefined ? {} : { chain }), intent: last.signed.intent };
  const { conflicting } = await findDuplicates(alone, intended, sources);
  const late = retryPermission(current());
  if (late.kind === "refused" || conflicting.length === 0) return late;
  const isOpen = isDisputed(current()) || current().state.kind !== "rejected";
  return { kind: "refused", why: isOpen ? t`It may be executed.` : t`No node could be queried about it.` };
}

/** Rows that are tried again, and the reasons why others are not. */
export interface PermittedRetries {
  readonly permitted: number;
  readonly refused: readonly { readonly row: number; readonly why: string }[];
}

/** Permits another attempt of the failed rows of a run, where the retry policy does. Asks the network about each. */
export async function permitRetries(
  progress: RunProgress,
  store: RunStore,
  log: TransactionLog,
  sources: ChainSources,
): Promise<PermittedRetries> {
  let permitted = 0;
  const refused: { readonly row: number; readonly why: string }[] = [];
  for (const { row, state, last } of [...progress.rows()]) {
    if (last === undefined || !["failed", "rejected", "proven-absent"].includes(state)) continue;
    const permission = await verifyRetry(last, log, sources);
    if (permission.kind === "refused") refused.push({ row, why: permission.why });
    else {
      await store.permitRetry(progress.run, row, last.txId, permission.reason);
      progress.permitted(row, last.txId);
      permitted++;
    }
  }
  return { permitted, refused };
}
