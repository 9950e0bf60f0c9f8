import {
  CALL_FILE_SUFFIX,
  type CallSite,
  callSitesInCallFile,
  callSitesInScript,
  callSitesInSolidity,
} from "@finality/client/call-sites";
import type * as vscode from "vscode";

/** File with calls that can be reviewed and sent. */
export const CALL_FILES: vscode.DocumentFilter = { pattern: `**/*${CALL_FILE_SUFFIX}` };

/** Documents that are searched for calls. */
export const SELECTOR: readonly vscode.DocumentFilter[] = [
  ...["typescript", "javascript", "typescriptreact", "javascriptreact", "solidity"].map((language) => ({ language })),
  { pattern: "**/*.sol" },
  CALL_FILES,
];

export function isCallFile({ uri }: vscode.TextDocument): boolean {
  return uri.path.endsWith(CALL_FILE_SUFFIX);
}

const read = new WeakMap<vscode.TextDocument, { readonly version: number; readonly calls: readonly CallSite[] }>();

/** Returns the calls of a document. Parses each version once. */
export function callsIn(document: vscode.TextDocument): readonly CallSite[] {
  const known = read.get(document);
  if (known?.version === document.version) return known.calls;
  const calls = readCalls(document);
  read.set(document, { version: document.version, calls });
  return calls;
}

function readCalls(document: vscode.TextDocument): readonly CallSite[] {
  const text = document.getText();
  if (isCallFile(document)) return callSitesInCallFile(text);
  if (document.languageId === "solidity" || document.uri.path.endsWith(".sol")) return callSitesInSolidity(text);
  return callSitesInScript(text);
}
