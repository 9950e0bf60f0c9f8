/** Modules of the product that a schedule drives: the transaction service of a window with everything below it. */
export { createHttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
export { sinceSigned, unsettledEquals } from "../../../packages/client/src/retry/conflicting-transactions.ts";
export { decideActions } from "../../../packages/client/src/retry/permitted-actions.ts";
export { isUnverifiedRejection } from "../../../packages/client/src/transaction-state/transaction-conditions.ts";
export { JournalFile } from "../../../packages/node/src/journal/journal-file.ts";
/** Loaded before a schedule starts, because an import takes event loop turns. */
export { oneOfEach } from "../../../src/host/secrets/lazy-signing.ts";
export { ConflictGuard } from "../../../src/sending/conflicting-payments.ts";
export { consentOfClick } from "../../../src/sending/consent.ts";
export { TransactionService } from "../../../src/sending/transaction-service.ts";
