import type { ValidatedRun } from "@finality/client/runs";
import * as vscode from "vscode";
import { problemsInFile } from "./run-page.view.ts";

/** Problems of run files at their rows and columns. They disappear when the file changes. */
export class RunDiagnostics implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection("finality-run");
  readonly #following = vscode.workspace.onDidChangeTextDocument(({ document }) =>
    this.#collection.delete(document.uri),
  );

  /** Shows the problems of a run in its file, unless the editor cannot show the file as text. */
  async show(uri: vscode.Uri, run: ValidatedRun): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri).then(
      (it) => it,
      () => undefined,
    );
    if (document === undefined) return;
    const diagnostics = problemsInFile(run).map(({ range, message, isError }) => {
      const severity = isError ? vscode.DiagnosticSeverity.Error : vscode.DiagnosticSeverity.Warning;
      const marked = new vscode.Range(document.positionAt(range.start), document.positionAt(range.end));
      const diagnostic = new vscode.Diagnostic(marked, message, severity);
      diagnostic.source = "Finality";
      return diagnostic;
    });
    this.#collection.set(uri, diagnostics);
  }

  dispose(): void {
    this.#following.dispose();
    this.#collection.dispose();
  }
}
