import type { TxId } from "../primitives/hash.ts";
import type { History } from "../tracking/history.ts";
import { trackedFromHistory } from "../tracking/tracked-from-history.ts";
import type { TrackedTransaction } from "../tracking/tracked-transaction.ts";
import { transition } from "../tracking/transition.ts";
import type { JournalEntry } from "./journal.ts";

/** The histories that entries add up to, whatever their order. */
export function foldEntries(entries: Iterable<JournalEntry>): Map<TxId, History> {
  const histories = new Map<TxId, History>();
  for (const entry of entries) histories.set(entry.txId, transition(histories.get(entry.txId), entry));
  return histories;
}

/** The state of every transaction that entries speak of. */
export function replay(entries: Iterable<JournalEntry>): Map<TxId, TrackedTransaction> {
  return new Map([...foldEntries(entries)].map(([txId, history]) => [txId, trackedFromHistory(history)]));
}
