import type { TrackedTransaction } from "@finality/client/tracking";
import { inlineCode, markdownText } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type GroupKind, isClearable, type TransactionGroup } from "./groups.view.ts";
import { describeTooltip, describeTransaction, type Fact, type Tooltip, type ViewContext } from "./transaction.view.ts";

/** Renders the rows of the tree. Loaded when the tree is first visible. */
export function groupItem(kind: GroupKind, group: TransactionGroup | undefined): vscode.TreeItem {
  const open = group?.open ?? false;
  const { Expanded, Collapsed } = vscode.TreeItemCollapsibleState;
  const item = new vscode.TreeItem(group?.label ?? "", open ? Expanded : Collapsed);
  item.id = `group ${kind}`;
  item.contextValue = group?.transactions.some(isClearable) === true ? `group.${kind}+final` : `group.${kind}`;
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
  // A click or Enter opens the timeline; the twistie and the right arrow expand the row.
  const about = { kind: "transaction", txId: tracked.txId };
  item.command = { command: "finality.showTimeline", title: t`Show Timeline`, arguments: [about] };
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
    item.command = { command: "finality.showTransaction", title: t`Show Transaction`, arguments: [leadsTo] };
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
