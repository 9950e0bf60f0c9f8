import assert from "node:assert/strict";
import * as vscode from "vscode";
import { copySamples } from "../support/samples/copy-samples.ts";
import { sources } from "./product.ts";

/** The build of samples/, which the index has to find by itself. */
export function addArtifacts(): void {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  assert.ok(folder);
  copySamples(sources("samples"), folder, ["build"]);
}
