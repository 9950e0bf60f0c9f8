/** Modules of the journal and the tracker, loaded on first use. */

export { describeIssues as describeTroubles } from "@finality/client/labels";
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
export { JournalFile } from "@finality/node/journal";
export { ScanFile } from "../host/journal/scan-file.ts";
export { connectionsNow } from "../host/networks/connections.ts";
