import type { TxId } from "@finality/tron/primitives";
import type { History } from "../life/history.ts";
import type { JournalEntry } from "../life/journal-entry.ts";

/**
 * The transactions whose signed bytes stand behind a claim for the first time. What was sent already is none of them,
 * wherever it stands: its lines are there again after somebody took them out of the journal.
 *
 * @param behind - what other windows wrote behind the claim
 * @param histories - with those entries
 */
export function newcomers(behind: readonly JournalEntry[], histories: ReadonlyMap<TxId, History>): ReadonlySet<TxId> {
  const signed = Map.groupBy(
    behind.filter(({ kind }) => kind === "signed"),
    ({ txId }) => txId,
  );
  const first = [...signed].filter(([txId, lines]) => {
    const history = histories.get(txId);
    return history?.signed.length === lines.length && history.started.length === 0;
  });
  return new Set(first.map(([txId]) => txId));
}
