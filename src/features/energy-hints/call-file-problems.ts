import * as vscode from "vscode";
import { readCallFile } from "../../core/call-sites/call-file.ts";
import { isCallFile } from "./documents.ts";

/** Rows for what cannot be used in call files, as they are typed. */
export function followCallFiles(): vscode.Disposable {
  const collection = vscode.languages.createDiagnosticCollection("finality.calls");
  const { workspace } = vscode;
  const look = (document: vscode.TextDocument): void => {
    if (isCallFile(document)) collection.set(document.uri, problemsOf(document));
  };
  for (const document of workspace.textDocuments) look(document);
  return vscode.Disposable.from(
    collection,
    workspace.onDidOpenTextDocument(look),
    workspace.onDidChangeTextDocument(({ document }) => look(document)),
    workspace.onDidCloseTextDocument(({ uri }) => collection.delete(uri)),
  );
}

function problemsOf(document: vscode.TextDocument): vscode.Diagnostic[] {
  return readCallFile(document.getText()).problems.map(({ range, message }) => {
    const where = new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
    const row = new vscode.Diagnostic(where, message, vscode.DiagnosticSeverity.Error);
    row.source = "finality";
    row.code = "call-file";
    return row;
  });
}
