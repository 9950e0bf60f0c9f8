/** What of the product a schedule drives: the transaction service of a window with everything below it. */
export { createHttpGateway } from "../../../src/core/gateway/http/http-gateway.ts";
export { isOnlyRefused } from "../../../src/core/life/only-refused.ts";
export { judge } from "../../../src/core/retry/judge.ts";
export { livingEquals, sinceSigned } from "../../../src/core/retry/living-equal.ts";
export { JournalFile } from "../../../src/host/journal/journal-file.ts";
/** Loaded before time counts: an import takes turns that no schedule knows of. */
export { oneOfEach } from "../../../src/host/secrets/lazy-signing.ts";
export { consentOfClick } from "../../../src/host/sending/consent.ts";
export { EqualPayments } from "../../../src/host/sending/equal-payments.ts";
export { TransactionService } from "../../../src/host/sending/transaction-service.ts";
