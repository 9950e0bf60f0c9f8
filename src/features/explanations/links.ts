import { hasTrace, type Reading, readingsIn } from "@finality/client/explain";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isOn } from "../../host/settings/feature-settings.ts";
import type { ExplainContext } from "./explain-context.ts";
import { commandUri, describeTooltip } from "./explanation.view.ts";
import { hasHovers } from "./hover.ts";
import type { KeptInputs } from "./kept-inputs.ts";

/** A link of a terminal, with the text that it opens. */
export interface TerminalReading extends vscode.TerminalLink {
  readonly input: string;
}

/** Of long documents the end is looked at: that is where new lines come. */
const MAX_LINES = 1_000;
const MAX_CHARACTERS = 200_000;
const MAX_LINKS = 300;
const OPEN = t`Open in Decoder`;

/** The links of a line of a terminal. Their tooltips are plain text. */
export async function terminalLinks(
  line: string,
  { context, isOfChain }: { readonly context: ExplainContext; readonly isOfChain: () => boolean },
): Promise<readonly TerminalReading[]> {
  if (!isOn("finality.decode.terminalLinks")) return [];
  await context.nearlyReady();
  return linksIn(line, context, isOfChain).map(({ start, end, input, explanation }) => ({
    startIndex: start,
    length: end - start,
    tooltip: describeTooltip(explanation),
    input,
  }));
}

/** The links of an output channel or a log file. */
export async function documentLinks(
  document: vscode.TextDocument,
  { context, kept }: { readonly context: ExplainContext; readonly kept: KeptInputs },
  token: vscode.CancellationToken,
): Promise<readonly vscode.DocumentLink[]> {
  await context.nearlyReady();
  const links: vscode.DocumentLink[] = [];
  const ofChain = hasTrace(document.getText(new vscode.Range(0, 0, MAX_LINES, 0)));
  let room = MAX_CHARACTERS;
  for (let line = document.lineCount - 1; line >= Math.max(0, document.lineCount - MAX_LINES); line--) {
    const { text } = document.lineAt(line);
    room -= text.length;
    if (room < 0 || links.length >= MAX_LINKS || token.isCancellationRequested) break;
    for (const reading of linksIn(text, context, () => ofChain))
      links.push(documentLink(line, reading, { document, kept }));
  }
  return links;
}

function linksIn(line: string, { explain }: ExplainContext, isOfChain: () => boolean): readonly Reading[] {
  return readingsIn(line, explain, isOfChain).filter(
    ({ explanation }) => explanation.category !== "none" || explanation.code === "TXID",
  );
}

function documentLink(
  line: number,
  { start, end, input, explanation }: Reading,
  { document, kept }: { readonly document: vscode.TextDocument; readonly kept: KeptInputs },
): vscode.DocumentLink {
  const target = commandUri("finality.decode", kept.argumentFor(input, vscode.workspace.asRelativePath(document.uri)));
  const link = new vscode.DocumentLink(new vscode.Range(line, start, line, end), vscode.Uri.parse(target));
  // The editor puts it below the hover, which tells the cause already.
  link.tooltip = hasHovers(document) ? OPEN : describeTooltip(explanation);
  return link;
}
