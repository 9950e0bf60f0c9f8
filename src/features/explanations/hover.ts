import { hasTrace, positionIn, readingAt, windowAt } from "@finality/client/explain";
import * as vscode from "vscode";
import { hoverInSetting } from "../../host/settings/feature-settings.ts";
import type { ExplainContext } from "./explain-context.ts";
import { describeHover, HOVER_COMMANDS } from "./explanation.view.ts";
import type { KeptInputs } from "./kept-inputs.ts";

/** So much of a file tells whether it has to do with the chain. */
const BEGIN = new vscode.Range(0, 0, 1_000, 0);

/** What is meant where the pointer or the cursor is; undefined when that is nothing of the chain. */
export async function hoverAt(
  document: vscode.TextDocument,
  position: vscode.Position,
  { context, kept }: { readonly context: ExplainContext; readonly kept: KeptInputs },
): Promise<vscode.Hover | undefined> {
  if (!hasHovers(document)) return undefined;
  const lines = { lineCount: document.lineCount, line: (number: number) => document.lineAt(number).text };
  const window = windowAt(lines, position);
  const { isTracked } = context;
  const isOfChain = () => hasTrace(document.getText(BEGIN));
  const read = () => readingAt(window.text, window.offset, context.explain, { isTracked, isOfChain });
  if (read() === undefined) return undefined;
  await context.nearlyReady();
  const reading = read();
  if (reading === undefined) return undefined;
  const { start, end, input, explanation } = reading;
  const decode = kept.argumentFor(input, vscode.workspace.asRelativePath(document.uri));
  const text = describeHover({ explanation, live: context.liveOf(explanation), decode });
  return new vscode.Hover(markdownOf(text), rangeOf(positionIn(window, start), positionIn(window, end)));
}

/** Only our own commands can be run from it, and HTML is text. */
function markdownOf(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text);
  markdown.isTrusted = { enabledCommands: HOVER_COMMANDS };
  markdown.supportHtml = false;
  return markdown;
}

/** Whether a person wants hovers in this document. */
export function hasHovers({ languageId, uri }: vscode.TextDocument): boolean {
  return hoverInSetting().some((it) => it === "*" || it === languageId || it === uri.scheme);
}

type Place = { readonly line: number; readonly character: number };

function rangeOf(start: Place, end: Place): vscode.Range {
  return new vscode.Range(start.line, start.character, end.line, end.character);
}
