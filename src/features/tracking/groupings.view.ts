import type { TrackedTransaction } from "@finality/client/tracking";
import { grouped, localDay, startOfDay } from "@finality/tron/format";
import { addressIn, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { attentionOf, type GroupTransactions, groupByAttention, type TransactionGroup } from "./groups.view.ts";
import { accountOf, addressText, contractOf, type FactContext } from "./transaction-facts.view.ts";

/** Property by which the tree groups transactions; `state` groups by the action that they need. */
export const groupings = ["state", "network", "account", "contract", "day"] as const;

export type Grouping = (typeof groupings)[number];

/** Groups that are open at first, besides those with a transaction that needs attention. */
const OPEN = 3;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** Returns the function that groups by a property. Groups are ordered by their newest transaction. */
export function groupingBy(grouping: Grouping, context: Pick<FactContext, "nameOf" | "networkOf">): GroupTransactions {
  if (grouping === "state") return groupByAttention;
  return (shown, times) => {
    const groups = Map.groupBy(shown, (it) => keyOf(it, grouping, context));
    return [...groups].map(([key, transactions], index): TransactionGroup => {
      const urgent = transactions.filter((it) => attentionOf(it, times) === "needs-you").length;
      return {
        kind: `${grouping} ${key}`,
        label: t`${labelOf(key, grouping, { ...context, today: times.startOfDay })} (${grouped(transactions.length)})`,
        ...(urgent === 0 ? {} : { description: attentionText(urgent) }),
        transactions,
        open: index < OPEN || urgent > 0,
      };
    });
  };
}

/** Returns the name of a grouping, for lists. */
export function groupingText(grouping: Grouping): string {
  switch (grouping) {
    case "state":
      return t`State`;
    case "network":
      return t`Network`;
    case "account":
      return t`Account`;
    case "contract":
      return t`Contract`;
    case "day":
      return t`Day`;
  }
}

/** Returns a grouping by its name; `state` for any other value. */
export function groupingOf(stored: unknown): Grouping {
  return groupings.find((it) => it === stored) ?? "state";
}

function attentionText(urgent: number): string {
  return urgent === 1 ? t`1 needs attention` : t`${grouped(urgent)} need attention`;
}

function keyOf(
  tracked: TrackedTransaction,
  grouping: Exclude<Grouping, "state">,
  { networkOf }: Pick<FactContext, "networkOf">,
): string {
  switch (grouping) {
    case "network":
      return networkOf(tracked);
    case "account":
      return accountOf(tracked) ?? "";
    case "contract":
      return contractOf(tracked) ?? "";
    case "day":
      return String(startOfDay(tracked.createdAt));
  }
}

interface LabelContext extends Pick<FactContext, "nameOf"> {
  /** Last midnight, Unix ms. */
  readonly today: number;
}

function labelOf(key: string, grouping: Exclude<Grouping, "state">, { nameOf, today }: LabelContext): string {
  const address = addressIn(key);
  switch (grouping) {
    case "network":
      return visibleLine(key, 60);
    case "account":
      return address === undefined ? t`Tracked by txID` : addressText(address, nameOf);
    case "contract":
      return address === undefined ? t`Without a contract` : addressText(address, nameOf);
    case "day":
      return dayText(Number(key), today);
  }
}

function dayText(midnight: number, today: number): string {
  if (midnight === today) return t`Today`;
  return midnight === startOfDay(today - DAY_MS / 2) ? t`Yesterday` : localDay(midnight);
}
