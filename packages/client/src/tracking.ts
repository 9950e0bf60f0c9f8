export { decodeLine, encodeEntry, type LineMark, superfluousEntries } from "./journal/journal-codec.ts";
export type { ChainSources } from "./retry/conflicting-transactions.ts";
export {
  conflictsOf,
  type Duplicate,
  type Duplicates,
  findDuplicates,
  type IntendedPayment,
  type IntendedTransaction,
  intentKey,
  recheckRejected,
  rejectedEquals,
  type Since,
  sinceReference,
  sinceSigned,
} from "./retry/conflicting-transactions.ts";
export {
  type Action,
  allowedActions,
  decideActions,
  type ResendPermission,
  resendRefusal,
} from "./retry/permitted-actions.ts";
export { awaitsProof, type ReplacementPermission, type ReplacementReason } from "./retry/retry-policy.ts";
export type { ConnectionIssue } from "./tracking/connection-issue.ts";
export { LONGEST_PAUSE_MS } from "./tracking/poll-interval.ts";
export {
  checkExpiry,
  resubmitTransaction,
  type StoredContext,
  type SubmissionContext,
  storeTransaction,
  submitTransaction,
} from "./tracking/submit-transaction.ts";
export type { BlockFollowers } from "./tracking/transaction-tracker.ts";
export { TransactionTracker } from "./tracking/transaction-tracker.ts";
export {
  contractOf,
  type Deployment,
  deploymentOf,
  deploymentsOn,
  hasDeployed,
} from "./transaction-state/deployments.ts";
export type { ExecutionOutcome, SeenBlock } from "./transaction-state/execution-outcome.ts";
export { outcomeInInfo } from "./transaction-state/execution-outcome.ts";
export type { JournalEntry, JournalStore, LoadedJournal, RecordedOutcome } from "./transaction-state/journal-entry.ts";
export type { TrackingState } from "./transaction-state/tracked-transaction.ts";
export {
  type Attempt,
  type Failure,
  failureOf,
  hasEnoughSignatures,
  isSending,
  type ProofProgress,
  type ProvenAbsence,
  type SignedPart,
  type StopReason,
  stateNames,
  type TrackedTransaction,
} from "./transaction-state/tracked-transaction.ts";
export {
  conflictError,
  isDisputed,
  isReplayable,
  isTraceable,
  isUnsettled,
  isUnverifiedRejection,
  isWronglyRejected,
} from "./transaction-state/transaction-conditions.ts";
