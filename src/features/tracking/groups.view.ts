import { isDisputed, isSending, isUnverifiedRejection, type TrackedTransaction } from "@finality/client/tracking";
import { t } from "@vscode/l10n";

/** Kind of attention that a transaction needs. */
export type Attention = "needs-you" | "waiting" | "final" | "older";

/** Transactions of one group of the tree, newest first. */
export interface TransactionGroup {
  /** Identifies the group in its grouping. */
  readonly kind: string;
  readonly label: string;
  readonly description?: string;
  readonly transactions: readonly TrackedTransaction[];
  /** False for groups that are collapsed at first. */
  readonly open: boolean;
}

const ORDER: readonly Attention[] = ["needs-you", "waiting", "final", "older"];

/** Times by the local clock, Unix ms. */
export interface GroupTimes {
  /** Last midnight: transactions that ended before are in the older group. */
  readonly startOfDay: number;
  /** Start of this window: a broadcast that began later may still be in flight. */
  readonly sessionStart: number;
}

/** Divides transactions, newest first, into groups without empty ones. */
export type GroupTransactions = (
  shown: readonly TrackedTransaction[],
  times: GroupTimes,
) => readonly TransactionGroup[];

/** Groups by the action that transactions need. */
export const groupByAttention: GroupTransactions = (shown, times) => {
  const groups = Map.groupBy(shown, (it) => attentionOf(it, times));
  return ORDER.flatMap((kind) => {
    const transactions = groups.get(kind) ?? [];
    if (transactions.length === 0) return [];
    return [{ kind, transactions, label: groupLabel(kind, transactions.length), open: kind !== "older" }];
  });
};

/** Returns the attention that a transaction needs: first by the required action, then by its state. */
export function attentionOf(tracked: TrackedTransaction, { startOfDay, sessionStart }: GroupTimes): Attention {
  if (isSending(tracked, sessionStart)) return "waiting";
  switch (tracked.state.kind) {
    case "unknown":
      return tracked.signed === undefined ? "waiting" : "needs-you";
    case "signed":
      return tracked.replacedBy === undefined ? "needs-you" : "waiting";
    case "rejected":
    case "proven-absent":
      return "needs-you";
    case "pending":
    case "included":
      return "waiting";
    case "solidified":
    case "replaced":
      return tracked.changedAt >= startOfDay ? "final" : "older";
  }
}

/**
 * Returns whether *Clear Final* removes a transaction: it is solidified, proven absent or replaced, and no gateway is
 * suspected of a wrong report about it.
 */
export function isClearable(tracked: TrackedTransaction): boolean {
  const { hidden, state, absence } = tracked;
  if (hidden || isDisputed(tracked) || isUnverifiedRejection(tracked)) return false;
  if (state.kind === "solidified") return absence === undefined;
  return state.kind === "proven-absent" || state.kind === "replaced";
}

function groupLabel(kind: Attention, count: number): string {
  switch (kind) {
    case "needs-you":
      return t`Needs attention (${count})`;
    case "waiting":
      return t`Waiting (${count})`;
    case "final":
      return t`Final today (${count})`;
    case "older":
      return t`Older (${count})`;
  }
}
