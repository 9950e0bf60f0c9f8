/** Modules of the journal and the tracker, loaded on first use. */

export {
  checkExpiry,
  decideActions,
  findDuplicates,
  recheckRejected,
  rejectedEquals,
  resendRefusal,
  resubmitTransaction,
  sinceSigned,
  storeTransaction,
  submitTransaction,
  TransactionTracker,
} from "@finality/client/tracking";
export { JournalFile } from "../host/journal/journal-file.ts";
export { ScanFile } from "../host/journal/scan-file.ts";
export { connectionsNow } from "../host/networks/connections.ts";
export { describeIssues as describeTroubles } from "../labels/troubles.ts";
