import { foldEntries } from "../../../src/core/life/fold-entries.ts";
import type { JournalEntry } from "../../../src/core/life/journal-entry.ts";
import { trackedFromHistory } from "../../../src/core/life/tracked-from-history.ts";
import type { TrackedTransaction } from "../../../src/core/life/tracked-transaction.ts";
import type { TxId } from "../../../src/core/primitives/bytes.ts";

/** A transaction as the tracker has it after it read these lines; undefined when none of them is about it. */
export function trackedFromEntries(entries: Iterable<JournalEntry>, txId: TxId): TrackedTransaction | undefined {
  const history = foldEntries(entries).get(txId);
  return history && trackedFromHistory(history);
}
