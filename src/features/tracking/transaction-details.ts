import * as vscode from "vscode";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import { describeTooltip, escapeMarkdown, type Tooltip } from "./tooltip.view.ts";
import type { ViewContext } from "./tracked-transaction.view.ts";

/** What a row of the tree shows when somebody looks closer. A part of its own: most rows are only read. */
export { describeLife } from "./life-line.view.ts";

export function tooltipOf(tracked: TrackedTransaction, context: ViewContext): vscode.MarkdownString {
  return toMarkdown(describeTooltip(tracked, context));
}

/** Texts of the chain and of people are escaped: they can never become links or commands. */
function toMarkdown({ title, state, advice, network, txId, life }: Tooltip): vscode.MarkdownString {
  const paragraphs = [
    `**${escapeMarkdown(title)}**`,
    escapeMarkdown(state),
    ...(advice === undefined ? [] : [escapeMarkdown(advice)]),
    "---",
    life.map((line) => `- ${escapeMarkdown(line)}`).join("\n"),
    `${escapeMarkdown(network)}  \n\`${escapeMarkdown(txId)}\``,
  ];
  return new vscode.MarkdownString(paragraphs.join("\n\n"));
}
