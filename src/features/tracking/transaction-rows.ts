import type { TrackedTransaction } from "@finality/client/tracking";
import { grouped, inlineCode, markdownText } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isClearable, type TransactionGroup } from "./groups.view.ts";
import { describeTooltip, describeTransaction, type Fact, type Tooltip, type ViewContext } from "./transaction.view.ts";

/** Renders the rows of the tree. Loaded when the tree is first visible. */
export function groupItem(kind: string, group: TransactionGroup | undefined): vscode.TreeItem {
  const { label = "", description, open = false, transactions = [] } = group ?? {};
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(label, open ? Expanded : Collapsed);
  item.id = `group ${kind}`;
  if (description !== undefined) item.description = description;
  const [grouping = kind] = kind.split(" ");
  item.contextValue = transactions.some(isClearable) ? `group.${grouping}+final` : `group.${grouping}`;
  return item;
}

/** Row that shows the filter. @param counts - transactions that match, of all */
export function filterItem(text: string, { shown, all }: { readonly shown: number; readonly all: number }) {
  const item = new vscode.TreeItem(t`Filter: ${text}`);
  item.id = "filter";
  item.description = t`${grouped(shown)} of ${grouped(all)}`;
  item.iconPath = new vscode.ThemeIcon("filter-filled");
  item.contextValue = "filter";
  item.tooltip = t`Only matching transactions are shown. Run Clear Filter to show all.`;
  item.accessibilityInformation = {
    label: t`Filter: ${text}. ${grouped(shown)} of ${grouped(all)} transactions match.`,
  };
  item.command = { command: "finality.filterTransactions", title: t`Filter Transactions…` };
  return item;
}

/** Row that shows one more page of a group. @param left - number of rows that are not shown */
export function moreItem(
  node: { readonly kind: "more"; readonly group: string },
  { page, left }: { readonly page: number; readonly left: number },
): vscode.TreeItem {
  const item = new vscode.TreeItem(t`Show ${grouped(Math.min(page, left))} More`);
  item.id = `more ${node.group}`;
  item.description = t`${grouped(left)} older`;
  item.iconPath = new vscode.ThemeIcon("ellipsis");
  item.contextValue = "more";
  item.command = { command: "finality.showMoreTransactions", title: t`Show More Transactions`, arguments: [node] };
  return item;
}

export function transactionItem(tracked: TrackedTransaction, context: ViewContext): vscode.TreeItem {
  const row = describeTransaction(tracked, context);
  const item = new vscode.TreeItem(row.label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = tracked.txId;
  item.description = row.description;
  item.iconPath = themeIcon(row);
  item.contextValue = row.contextValue;
  item.accessibilityInformation = { label: row.spoken };
  // A click or Enter shows the page and keeps the focus; the twistie and the right arrow expand the row.
  const about = { kind: "transaction", txId: tracked.txId, focus: false };
  item.command = { command: "finality.showTimeline", title: t`Show Transaction`, arguments: [about] };
  return item;
}

export function factItem(txId: TxId, fact: Fact): vscode.TreeItem {
  const item = new vscode.TreeItem(fact.label);
  item.id = `${txId} ${fact.id}`;
  item.description = fact.description;
  item.iconPath = themeIcon(fact);
  item.contextValue = "fact";
  item.tooltip = fact.sentence;
  item.accessibilityInformation = { label: fact.sentence };
  if (fact.txId !== undefined) {
    const leadsTo = { txId: fact.txId };
    item.command = { command: "finality.showTransaction", title: t`Show in List`, arguments: [leadsTo] };
  }
  return item;
}

function themeIcon({ icon, color }: { icon: string; color?: string }): vscode.ThemeIcon {
  return new vscode.ThemeIcon(icon, color === undefined ? undefined : new vscode.ThemeColor(color));
}

/** Tooltips and details of a row. Loaded on demand. */
export { timelineOf } from "./transaction.view.ts";

export function tooltipOf(tracked: TrackedTransaction, context: ViewContext): vscode.MarkdownString {
  return toMarkdown(describeTooltip(tracked, context));
}

/** Escapes text from the chain and from users, so that it cannot become links or commands. */
function toMarkdown({ title, state, notes, advice, network, txId, life }: Tooltip): vscode.MarkdownString {
  const paragraphs = [
    `**${markdownText(title)}**`,
    markdownText(state),
    ...notes.map((note) => markdownText(note)),
    ...(advice === undefined ? [] : [markdownText(advice)]),
    "---",
    life.map((line) => `- ${markdownText(line)}`).join("\n"),
    `${markdownText(network)}  \n${inlineCode(txId)}`,
  ];
  return new vscode.MarkdownString(paragraphs.join("\n\n"));
}
