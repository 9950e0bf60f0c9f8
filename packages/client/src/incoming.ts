export {
  type BlockWatch,
  chainKey,
  decodeIncoming,
  encodeIncoming,
  type IncomingEntry,
  type IncomingWatch,
  isEventWatch,
  type PaidToken,
  type Payment,
  paymentKey,
} from "./incoming/incoming-entry.ts";
export {
  type BlockWatchStatus,
  type FoundPayment,
  type FreshItems,
  IncomingLedger,
  MOST_EVENTS,
  type WatchStatus,
} from "./incoming/incoming-ledger.ts";
export { IncomingReader } from "./incoming/incoming-reader.ts";
