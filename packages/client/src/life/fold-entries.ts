import type { TxId } from "@finality/tron/primitives";
import type { History } from "./history.ts";
import type { JournalEntry } from "./journal-entry.ts";
import { transition } from "./transition.ts";

/** The histories that entries add up to, whatever their order. */
export function foldEntries(entries: Iterable<JournalEntry>): Map<TxId, History> {
  const histories = new Map<TxId, History>();
  for (const entry of entries) histories.set(entry.txId, transition(histories.get(entry.txId), entry));
  return histories;
}
