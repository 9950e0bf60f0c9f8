import * as vscode from "vscode";
import type { TextFix } from "../core/explain-in-text/text-problem.ts";

/** The quick fixes that change a text. */
export function changesOf(document: vscode.TextDocument, fixes: readonly TextFix[]): vscode.CodeAction[] {
  return fixes.map(({ title, range, text }) => {
    const action = new vscode.CodeAction(title, vscode.CodeActionKind.QuickFix);
    const changed = new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
    action.edit = new vscode.WorkspaceEdit();
    action.edit.replace(document.uri, changed, text);
    return action;
  });
}
