import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import * as vscode from "vscode";
import { sources } from "./product.ts";

/** The build of samples/, which the index has to find by itself. */
export function addArtifacts(): void {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(folder);
  cpSync(sources("samples", "build"), join(folder, "build"), { recursive: true });
}
