export { type EarlierRuns, type PaidAgain, paidAgainText } from "./runs/earlier-runs.ts";
export { type RunMismatch, type RunRecheck, recheckLines, recheckRun } from "./runs/recheck-run.ts";
export {
  type ReconciledLine,
  readReconciliation,
  reconciledLines,
  reconciliationCsv,
  reconciliationJson,
} from "./runs/reconciliation.ts";
export type { RunSigner } from "./runs/run-attempt.ts";
export { requireRunAuthority } from "./runs/run-authority.ts";
export { type BoundRow, bindPayments, boundRow } from "./runs/run-binding.ts";
export type { RunToken } from "./runs/run-cell.ts";
export {
  type CallRow,
  type CallsFile,
  type PaymentFile,
  type PaymentRow,
  type RunFile,
  type RunFileOptions,
  readRunFile,
  runIdOf,
} from "./runs/run-file.ts";
export type { RunFinding } from "./runs/run-findings.ts";
export { planRun, type RunMeans, type RunNeeds, type RunPlan } from "./runs/run-plan.ts";
export {
  failedRows,
  finalRows,
  type RowCounts,
  type RowProgress,
  type RowState,
  RunProgress,
  rowState,
  rowStateNames,
  rowStates,
} from "./runs/run-progress.ts";
export type { RunGateway } from "./runs/run-recipients.ts";
export {
  type PermittedRetries,
  permitRetries,
  type RetryPermission,
  retryPermission,
  verifyRetry,
} from "./runs/run-retry.ts";
export { type RunReview, type RunReviewContext, reviewRun } from "./runs/run-review.ts";
export {
  type Claim,
  type ClaimOptions,
  type CommitResult,
  intentText,
  isDecidingFact,
  isExecuted,
  isSameRows,
  type Leadership,
  mayBeUnsent,
  type NewRow,
  type NewRun,
  needsWork,
  type RetryReason,
  RUN_VERSION,
  type RunControl,
  type RunStore,
  type SignedEntry,
  type StoredRow,
  type StoredRun,
  type Worker,
} from "./runs/run-store.ts";
export type { RunColumn, RunRefusal, RunRefusalCode } from "./runs/run-table.ts";
export { type RunTotal, totalsIn, unitsText } from "./runs/run-totals.ts";
export { type RunEnd, RunWorker, type RunWorkerOptions } from "./runs/run-worker.ts";
export { type RunValidation, type ValidatedRun, validateRun } from "./runs/validate-run.ts";
