import { markdownText } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { rangeIn } from "../../host/text-ranges.ts";
import { callsIn } from "./documents.ts";
import type { HintWords } from "./hint.view.ts";
import { type HintHover, hintHover } from "./hint-hover.view.ts";
import type { Hints } from "./hints.ts";
import { placeOf } from "./lenses.ts";

/** The table behind a number, over the call and the rest of its first line. From memory alone. */
export function hoverProvider(hints: Hints, words: () => HintWords): vscode.HoverProvider {
  return {
    provideHover: (document, position) => {
      if (hints.isIdle) return undefined;
      const found = callsIn(document).flatMap((wanted) => {
        const range = rangeIn(document, wanted.range);
        const isHere = range.contains(position) || range.start.line === position.line;
        const hover = isHere ? hintHover(hints.stateOf(wanted), words()) : undefined;
        return hover === undefined ? [] : [markdownOf(hover, placeOf(document, wanted))];
      });
      return found.length === 0 ? undefined : new vscode.Hover(found);
    },
  };
}

/** What a person can do from a hover; its links run nothing else. */
const COMMANDS = ["finality.estimateEnergy", "finality.chooseCaller", "finality.forgetAnswers"] as const;

/** Text of the chain goes in as text: it can make no link, no picture and no command. */
function markdownOf({ title, problems, rows, notes, assumptions }: HintHover, place: object): vscode.MarkdownString {
  const blocks = [
    `**$(zap) ${markdownText(title)}**`,
    ...problems.map((one) => `$(warning) ${markdownText(one)}`),
    ...(rows.length === 0 ? [] : [tableOf(rows)]),
    ...(notes.length === 0 ? [] : [listOf(notes)]),
    ...(assumptions.length === 0 ? [] : [t`**Assumed**\n\n${listOf(assumptions)}`]),
    linksOf(place),
  ];
  const markdown = new vscode.MarkdownString(blocks.join("\n\n"), true);
  markdown.isTrusted = { enabledCommands: COMMANDS };
  return markdown;
}

function tableOf(rows: HintHover["rows"]): string {
  const lines = rows.map(
    ({ name, value, source }) =>
      `| ${markdownText(name)} | ${markdownText(value)} | &nbsp;&nbsp;${markdownText(source)} |`,
  );
  return [t`| Figure | Value | &nbsp;&nbsp;From |`, "| :--- | ---: | :--- |", ...lines].join("\n");
}

function listOf(items: readonly string[]): string {
  return items.map((one) => `- ${markdownText(one)}`).join("\n");
}

function linksOf(place: object): string {
  const [ask, choose, forget] = COMMANDS;
  const argument = encodeURIComponent(JSON.stringify([place]));
  return t`[Ask Again](command:${ask}?${argument}) · [Choose Caller…](command:${choose}) · [Forget Answers](command:${forget})`;
}
