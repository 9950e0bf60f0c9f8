import { foldEntries } from "../../../packages/client/src/transaction-state/history.ts";
import type { JournalEntry } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { trackedFromHistory } from "../../../packages/client/src/transaction-state/tracked-from-history.ts";
import type { TrackedTransaction } from "../../../packages/client/src/transaction-state/tracked-transaction.ts";
import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";

/** A transaction as the tracker has it after it read these lines; undefined when none of them is about it. */
export function trackedFromEntries(entries: Iterable<JournalEntry>, txId: TxId): TrackedTransaction | undefined {
  const history = foldEntries(entries).get(txId);
  return history && trackedFromHistory(history);
}
