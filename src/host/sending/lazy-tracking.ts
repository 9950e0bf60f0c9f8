/** The journal and the watching of the chain. A part of its own: nobody needs it before somebody looks or sends. */

export { judge, whyNotSent } from "../../core/retry/judge.ts";
export { refusedEquals, sinceSigned } from "../../core/retry/living-equal.ts";
export { duplicatesOf, lookForRefused } from "../../core/watch/look-before.ts";
export {
  keepTransaction,
  noteExpiry,
  resubmitTransaction,
  submitTransaction,
} from "../../core/watch/submit-transaction.ts";
export { TransactionTracker } from "../../core/watch/transaction-tracker.ts";
export { describeTroubles } from "../../words/sentences/troubles.ts";
export { JournalFile } from "../journal/journal-file.ts";
export { ScanFile } from "../journal/scan-file.ts";
export { connectionsNow } from "../networks/connections.ts";
