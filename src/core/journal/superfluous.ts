import { foldEntries } from "../life/fold-entries.ts";
import type { History } from "../life/history.ts";
import type { JournalEntry } from "../life/journal-entry.ts";
import type { TxId } from "../primitives/bytes.ts";

/**
 * The entries that a journal could do without: those of a transaction at its end that its history does not hold,
 * because another fact says the same or more (an earlier sighting in the head, a second word about the same solidified
 * block).
 *
 * Nothing of a transaction that may still be executed is ever among them, nor are signed bytes, attempts, answers or
 * proofs.
 */
export function superfluousEntries(entries: readonly JournalEntry[]): ReadonlySet<JournalEntry> {
  const histories = foldEntries(entries);
  const held = new Map<TxId, ReadonlySet<unknown>>();
  for (const [txId, history] of histories) if (isAtItsEnd(history)) held.set(txId, new Set(factsOf(history)));
  return new Set(entries.filter((entry) => isSighting(entry) && held.get(entry.txId)?.has(entry) === false));
}

/** What only the chain tells, and tells again when it is asked. */
function isSighting({ kind }: JournalEntry): boolean {
  switch (kind) {
    case "head-time":
    case "seen-in-pool":
    case "seen-in-head":
    case "lost-from-head":
    case "solidified":
      return true;
    case "signed":
    case "adopted":
    case "broadcast-started":
    case "broadcast-answered":
    case "outcome-told":
    case "not-found":
    case "proven-absent":
    case "replaced":
    case "hidden":
      return false;
  }
}

/** Nothing takes back a solidified block. Whatever else looks like an end is left alone: it costs a few lines. */
function isAtItsEnd({ solidified }: History): boolean {
  return solidified !== undefined;
}

function factsOf(history: History): readonly unknown[] {
  return Object.values(history).flat();
}
