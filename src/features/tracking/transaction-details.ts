import type { TrackedTransaction } from "@finality/client/tracking";
import { inlineCode, markdownText } from "@finality/tron/format";
import * as vscode from "vscode";
import { describeTooltip, type Tooltip } from "./tooltip.view.ts";
import type { ViewContext } from "./tracked-transaction.view.ts";

/** What a row of the tree shows when somebody looks closer. A part of its own: most rows are only read. */
export { describeLife } from "./life-line.view.ts";

export function tooltipOf(tracked: TrackedTransaction, context: ViewContext): vscode.MarkdownString {
  return toMarkdown(describeTooltip(tracked, context));
}

/** Texts of the chain and of people are escaped: they can never become links or commands. */
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
