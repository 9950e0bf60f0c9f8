/** What of the product a schedule drives: the desk of a window with everything below it. */
export { createHttpGateway } from "../../../src/core/gateway/http-gateway.ts";
export { mayReplace, resendDanger } from "../../../src/core/replacement/safe-replacement.ts";
export {
  isAlive,
  isFirstAndOnlyRejection,
  isResendable,
} from "../../../src/core/tracking/possible-actions.ts";
export { JournalFile } from "../../../src/host/journal-file.ts";
export { EqualPayments } from "../../../src/host/sending/equal-payments.ts";
export { TransactionDesk } from "../../../src/host/transaction-desk.ts";
