import * as vscode from "vscode";
import { findSource } from "../../host/artifacts/source-files.ts";
import type { SourceLine } from "./trace-content.view.ts";

/** Opens a source file at a line, beside the page. */
export async function openSource({ file, line }: SourceLine, page: vscode.WebviewPanel): Promise<void> {
  const uri = await findSource(file);
  if (uri === undefined) return;
  const document = await vscode.workspace.openTextDocument(uri);
  const { One, Beside } = vscode.ViewColumn;
  const viewColumn = page.viewColumn === undefined || page.viewColumn === One ? Beside : One;
  const { range } = document.lineAt(Math.min(line, document.lineCount) - 1);
  const start = range.start.with({ character: document.lineAt(range.start).firstNonWhitespaceCharacterIndex });
  await vscode.window.showTextDocument(document, { viewColumn, selection: new vscode.Range(start, start) });
}
