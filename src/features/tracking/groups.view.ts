import { isDisputed, isSending, isUnverifiedRejection, type TrackedTransaction } from "@finality/client/tracking";
import { t } from "@vscode/l10n";

export type GroupKind = "needs-you" | "waiting" | "final" | "older";

/** Transactions of one kind of attention, newest first. */
export interface TransactionGroup {
  readonly kind: GroupKind;
  readonly label: string;
  readonly transactions: readonly TrackedTransaction[];
  /** True for groups that need no action. They are collapsed at first. */
  readonly open: boolean;
}

const ORDER: readonly GroupKind[] = ["needs-you", "waiting", "final", "older"];

/** Times by the local clock, Unix ms. */
export interface GroupTimes {
  /** Last midnight: transactions that ended before are in the older group. */
  readonly startOfDay: number;
  /** Start of this window: a broadcast that began later may still be in flight. */
  readonly sessionStart: number;
}

/** Returns the groups of the tree without empty ones. */
export function groupTransactions(all: readonly TrackedTransaction[], times: GroupTimes): readonly TransactionGroup[] {
  const shown = all.filter((it) => !it.hidden).sort((left, right) => right.createdAt - left.createdAt);
  return ORDER.map((kind) => ({
    kind,
    transactions: shown.filter((it) => groupOf(it, times) === kind),
  }))
    .filter(({ transactions }) => transactions.length > 0)
    .map((group) => ({
      ...group,
      label: groupLabel(group.kind, group.transactions.length),
      open: group.kind !== "older",
    }));
}

/** Returns the group of a transaction: first by the action that it needs, then by its state. */
function groupOf(tracked: TrackedTransaction, { startOfDay, sessionStart }: GroupTimes): GroupKind {
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

function groupLabel(kind: GroupKind, count: number): string {
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
