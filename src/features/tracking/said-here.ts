import type { TrackedTransaction } from "@finality/client/tracking";
import type { TxId } from "@finality/tron/primitives";
import type { Notice } from "./notifications.view.ts";

/** What decides whether a notice is said, and in which window. */
export interface Telling {
  list(): readonly TrackedTransaction[];
  /** Whether the person has had enough of notices like this one. */
  isHidden(notice: Notice): Promise<boolean>;
  /** Whether this window shows it anyway. */
  isInSight(notice: Notice, txId: TxId): boolean;
  /** Whether this window is the one of all that says it. */
  isSaidHere(what: string): Promise<boolean>;
}

/**
 * Whether this window tells it. Several windows know the same of a transaction: one tells it, the one that the person
 * looks at where there is one. What that one shows anyway is told nowhere, unless it is about money.
 */
export async function isSaidHere(notice: Notice, txId: TxId, telling: Telling): Promise<boolean> {
  if (notice.topic === "first-final" && firstFinal(telling.list()) !== txId) return false;
  if (await telling.isHidden(notice)) return false;
  if (!(await telling.isSaidHere(`${txId} ${notice.about}`))) return false;
  return notice.topic === undefined || !telling.isInSight(notice, txId);
}

/** The transaction of one's own that was the first to become final. */
function firstFinal(transactions: readonly TrackedTransaction[]): TxId | undefined {
  const own = transactions.filter(({ signed, state }) => signed !== undefined && state.kind === "solidified");
  const [first] = own.sort((a, b) => a.changedAt - b.changedAt || (a.txId < b.txId ? -1 : 1));
  return first?.txId;
}
