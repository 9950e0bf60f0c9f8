import type { TextRange } from "@finality/client/call-sites";
import type { TextFix } from "@finality/client/explain";
import * as vscode from "vscode";

/** Converts character offsets to a range of lines and columns. */
export function rangeIn(document: vscode.TextDocument, { start, end }: TextRange): vscode.Range {
  return new vscode.Range(document.positionAt(start), document.positionAt(end));
}

/** Returns the line and the column of an offset in a text that is not open in the editor. */
export function positionIn(text: string, offset: number): vscode.Position {
  const lines = text.slice(0, offset).split("\n");
  return new vscode.Position(lines.length - 1, lines.at(-1)?.length ?? 0);
}

/** Returns quick fixes that edit the document. */
export function changesOf(document: vscode.TextDocument, fixes: readonly TextFix[]): vscode.CodeAction[] {
  return fixes.map(({ title, range, text }) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(document.uri, rangeIn(document, range), text);
    return action;
  });
}
