export {
  decodeIncoming,
  encodeIncoming,
  type IncomingEntry,
  type IncomingWatch,
  type PaidToken,
  type Payment,
  paymentKey,
} from "./incoming/incoming-entry.ts";
export { type FoundPayment, IncomingLedger, type WatchStatus } from "./incoming/incoming-ledger.ts";
export { IncomingReader } from "./incoming/incoming-reader.ts";
