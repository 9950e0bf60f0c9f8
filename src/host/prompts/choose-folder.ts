import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { quickPick } from "./quick-input.ts";

/**
 * The folder of the workspace that a command is about: the only one, that of the active editor, else the one that the
 * person chooses.
 *
 * @returns undefined when there is none, or the person left
 */
export async function chooseFolder(title: string): Promise<vscode.WorkspaceFolder | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const at = folderOfEditor();
  if (at !== undefined || folders.length < 2) return at ?? folders[0];
  const items = folders.map((folder) => ({ label: folder.name, description: folder.uri.fsPath, folder }));
  return (await quickPick(items, { title, placeHolder: t`In which folder of this workspace?` }))?.folder;
}

/** Where a dialog for a file begins: in the folder of the active editor, else in the first one. */
export function folderAtHand(): vscode.Uri {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  return (folderOfEditor() ?? first)?.uri ?? vscode.Uri.file("/");
}

function folderOfEditor(): vscode.WorkspaceFolder | undefined {
  const document = vscode.window.activeTextEditor?.document;
  return document && vscode.workspace.getWorkspaceFolder(document.uri);
}
