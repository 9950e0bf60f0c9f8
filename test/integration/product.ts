import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as vscode from "vscode";

/** The extension as it is installed in this host. */
export function product(): vscode.Extension<unknown> {
  return vscode.extensions.getExtension("finality.finality") ?? assert.fail("finality.finality is not installed");
}

/**
 * The editor as the extension sees it: each extension of a host gets an object of its own. A test that answers in the
 * place of a person answers there.
 */
export function editorOfProduct(): typeof vscode {
  return createRequire(join(product().extensionPath, "package.json"))("vscode");
}

/** A folder of the sources: what the package does not bring. */
export function sources(...path: readonly string[]): string {
  return join(process.env.FINALITY_ROOT ?? assert.fail("the run names no sources"), ...path);
}
