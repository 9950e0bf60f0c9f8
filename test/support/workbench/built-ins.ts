import { existsSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { workbenchServer } from "../../../scripts/install/workbench.mjs";

/**
 * What starts by itself or brings hundreds of commands and settings, in every window anew, and is nothing that a test
 * of ours looks at. The tests in the extension host have them all.
 */
const LEFT_OUT = new Set([
  "copilot",
  "css-language-features",
  "debug-auto-launch",
  "debug-server-ready",
  "emmet",
  "extension-editing",
  "git",
  "git-base",
  "github",
  "github-authentication",
  "grunt",
  "gulp",
  "html-language-features",
  "ipynb",
  "jake",
  "merge-conflict",
  "mermaid-markdown-features",
  "microsoft-authentication",
  "ms-vscode.js-debug",
  "ms-vscode.js-debug-companion",
  "ms-vscode.vscode-js-profile-table",
  "notebook-renderers",
  "npm",
  "php-language-features",
  "references-view",
  "tunnel-forwarding",
  "typescript-language-features",
]);

/**
 * Links to the extensions that the workbench brings, without those that only take time.
 *
 * @returns the folder, for the workbench to take them from
 */
export function fewBuiltIns(folder: string): string {
  const all = join(dirname(workbenchServer), "..", "extensions");
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(all)) {
    if (!LEFT_OUT.has(name) && !existsSync(join(folder, name))) symlinkSync(join(all, name), join(folder, name));
  }
  return folder;
}
