import { lastFailureIn } from "@finality/client/explain";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { ExplainContext, StoredInputs } from "./explain-context.ts";
import { describeTooltip } from "./explanation.view.ts";

/** Kinds of outputs that are text. */
const ERROR = "application/vnd.code.notebook.error";
const TEXT = [ERROR, "application/vnd.code.notebook.stderr", "application/vnd.code.notebook.stdout", "text/plain"];
const LONGEST = 131_072;

/** Provides a status bar item under a notebook cell that printed a chain error. It opens the explanation. */
export async function cellItems(
  cell: vscode.NotebookCell,
  { context, kept }: { readonly context: ExplainContext; readonly kept: StoredInputs },
): Promise<vscode.NotebookCellStatusBarItem[]> {
  const printed = printedBy(cell);
  if (printed === "") return [];
  await context.nearlyReady();
  const failure = lastFailureIn(printed, context.explain);
  if (failure === undefined) return [];
  const item = new vscode.NotebookCellStatusBarItem(
    t`$(question) Explain This Failure`,
    vscode.NotebookCellStatusBarAlignment.Left,
  );
  item.tooltip = describeTooltip(failure.explanation);
  const origin = vscode.workspace.asRelativePath(cell.notebook.uri);
  const argument = kept.argumentFor(failure.input, origin);
  item.command = { title: t`Explain This Failure`, command: "finality.decode", arguments: [argument] };
  return [item];
}

function printedBy({ outputs }: vscode.NotebookCell): string {
  const texts = outputs.flatMap(({ items }) => items.filter(({ mime }) => TEXT.includes(mime)).map(textOf));
  return texts.join("\n").slice(-LONGEST);
}

/** A notebook error is JSON with a name, a message and a stack with escaped lines. */
function textOf({ mime, data }: vscode.NotebookCellOutputItem): string {
  const text = new TextDecoder().decode(data);
  return mime === ERROR ? text.replaceAll("\\n", "\n") : text;
}
