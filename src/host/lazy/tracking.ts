/** The journal and the watching of the chain. A part of its own: nobody needs it before somebody looks or sends. */
export { whyNotResend } from "../../core/replacement/safe-replacement.ts";
export { resubmitTransaction, submitTransaction } from "../../core/tracking/submit-transaction.ts";
export { TransactionTracker } from "../../core/tracking/transaction-tracker.ts";
export { JournalFile } from "../journal-file.ts";
export { ScanFile } from "../scan-file.ts";
export { leadAlone } from "../tracking-leader.ts";
