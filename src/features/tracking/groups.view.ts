import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";

export type GroupKind = "needs-you" | "waiting" | "final" | "older";

/** Transactions of one kind of attention, newest first. */
export interface TransactionGroup {
  readonly kind: GroupKind;
  readonly label: string;
  readonly transactions: readonly TrackedTransaction[];
  /** Groups that ask for nothing start closed. */
  readonly open: boolean;
}

const ORDER: readonly GroupKind[] = ["needs-you", "waiting", "final", "older"];

/**
 * The groups of the tree, empty ones left out.
 *
 * @param startOfDay - local midnight before now, Unix ms: what ended before it is older
 */
export function groupTransactions(all: readonly TrackedTransaction[], startOfDay: number): readonly TransactionGroup[] {
  const shown = all.filter((it) => !it.hidden).sort((left, right) => right.createdAt - left.createdAt);
  return ORDER.map((kind) => ({
    kind,
    transactions: shown.filter((it) => groupOf(it, startOfDay) === kind),
  }))
    .filter(({ transactions }) => transactions.length > 0)
    .map((group) => ({
      ...group,
      label: groupLabel(group.kind, group.transactions.length),
      open: group.kind !== "older",
    }));
}

/** Where a transaction belongs: by what a person has to do, then by what is still moving. */
export function groupOf(tracked: TrackedTransaction, startOfDay: number): GroupKind {
  switch (tracked.state.kind) {
    case "unknown":
      return tracked.signed === undefined ? "waiting" : "needs-you";
    case "signed":
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

function groupLabel(kind: GroupKind, count: number): string {
  switch (kind) {
    case "needs-you":
      return `Needs you (${count})`;
    case "waiting":
      return `Waiting (${count})`;
    case "final":
      return `Final today (${count})`;
    case "older":
      return `Older (${count})`;
  }
}
