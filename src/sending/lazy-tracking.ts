/** Modules of the journal and the tracker, loaded on first use. */

export {
  duplicatesOf,
  judge,
  keepTransaction,
  lookForRefused,
  noteExpiry,
  refusedEquals,
  resubmitTransaction,
  sinceSigned,
  submitTransaction,
  TransactionTracker,
  whyNotSent,
} from "@finality/client/tracking";
export { JournalFile } from "../host/journal/journal-file.ts";
export { ScanFile } from "../host/journal/scan-file.ts";
export { connectionsNow } from "../host/networks/connections.ts";
export { describeTroubles } from "../labels/troubles.ts";
