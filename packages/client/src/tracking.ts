export { decodeLine, encodeEntry, type LineMark, superfluousEntries } from "./journal/journal-codec.ts";
export type { JournalStore, LoadedJournal } from "./journal/journal-store.ts";
export { aliveError } from "./life/alive-error.ts";
export { isDisputed } from "./life/disputed.ts";
export { outcomeInInfo } from "./life/execution-outcome.ts";
export { isAlive } from "./life/is-alive.ts";
export { isSending } from "./life/is-sending.ts";
export type { JournalEntry, RecordedOutcome } from "./life/journal-entry.ts";
export { type Deployment, deploymentOf, deploymentsOn, hasDeployed } from "./life/known-deployments.ts";
export { isOnlyRefused, isThereAlthoughRefused } from "./life/only-refused.ts";
export {
  type Attempt,
  type Failure,
  failureOf,
  hasEnoughSignatures,
  type ProvenAbsence,
  type Proving,
  type SignedPart,
  type StopReason,
  type TrackedTransaction,
} from "./life/tracked-transaction.ts";
export type { ExecutionOutcome, SeenBlock, TrackingState } from "./life/tracking-state.ts";
export {
  type Action,
  allowedActions,
  judge,
  type ReplacementPermission,
  type ReplacementReason,
  type ResendPermission,
  whyNotSent,
} from "./retry/judge.ts";
export {
  equalsInTheWay,
  intentKey,
  type Payment,
  refusedEquals,
  type Since,
  sinceReference,
  sinceSigned,
} from "./retry/living-equal.ts";
export { LONGEST_PAUSE_MS } from "./watch/block-pace.ts";
export type { ChainSources } from "./watch/chain-relation.ts";
export { type Duplicate, type Duplicates, duplicatesOf, type Intended, lookForRefused } from "./watch/look-before.ts";
export {
  type KeptContext,
  keepTransaction,
  noteExpiry,
  resubmitTransaction,
  type SubmissionContext,
  submitTransaction,
} from "./watch/submit-transaction.ts";
export type { BlockFollowers } from "./watch/tracker-options.ts";
export { TransactionTracker } from "./watch/transaction-tracker.ts";
export type { Trouble } from "./watch/trouble.ts";
