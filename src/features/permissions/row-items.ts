import * as vscode from "vscode";
import type { PermissionRow } from "./permissions.view.ts";

/** A row as an entry of a list. */
export function itemOf(row: PermissionRow): PermissionRow & vscode.QuickPickItem {
  const kind = row.isHeading === true ? vscode.QuickPickItemKind.Separator : vscode.QuickPickItemKind.Default;
  return { ...row, kind };
}
