import * as vscode from "vscode";
import { callsIn } from "./documents.ts";
import type { HintWords } from "./hint.view.ts";
import { type HintHover, hintHover } from "./hint-hover.view.ts";
import type { Hints } from "./hints.ts";
import { rangeIn } from "./lenses.ts";

/** The table behind a number, over the call and the rest of its first line. From memory alone. */
export function hoverProvider(hints: Hints, words: () => HintWords): vscode.HoverProvider {
  return {
    provideHover: (document, position) => {
      if (hints.isIdle) return undefined;
      const found = callsIn(document).flatMap((wanted) => {
        const range = rangeIn(document, wanted.range);
        const isHere = range.contains(position) || range.start.line === position.line;
        const hover = isHere ? hintHover(hints.stateOf(wanted), words()) : undefined;
        return hover === undefined ? [] : [markdownOf(hover)];
      });
      return found.length === 0 ? undefined : new vscode.Hover(found);
    },
  };
}

/** Text of the chain goes in as text: it can make no link, no picture and no command. */
function markdownOf({ title, problems, rows, notes, assumptions }: HintHover): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  markdown.supportThemeIcons = true;
  markdown.appendMarkdown("**$(zap) ").appendText(title).appendMarkdown("**\n\n");
  for (const problem of problems) markdown.appendMarkdown("$(warning) ").appendText(problem).appendMarkdown("\n\n");
  if (rows.length > 0) markdown.appendMarkdown("| | | |\n| --- | ---: | --- |\n");
  for (const { name, value, source } of rows)
    markdown.appendMarkdown(`| ${cell(name)} | ${cell(value)} | ${cell(source)} |\n`);
  markdown.appendMarkdown("\n");
  for (const note of notes) markdown.appendMarkdown("- ").appendText(note).appendMarkdown("\n");
  if (assumptions.length > 0) markdown.appendMarkdown("\n**Assumed**\n\n");
  for (const one of assumptions) markdown.appendMarkdown("- ").appendText(one).appendMarkdown("\n");
  return markdown;
}

/** Only our own words and numbers stand in the table; what could be markup is escaped all the same. */
function cell(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!|<>~$]/g, "\\$&").replaceAll("\n", " ");
}
