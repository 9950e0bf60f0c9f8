import {
  CALL_FILE_SUFFIX,
  type CallSite,
  callSitesInCallFile,
  callSitesInScript,
  callSitesInSolidity,
} from "@finality/client/call-sites";
import * as vscode from "vscode";

/** File with calls that can be reviewed and sent. */
export const CALL_FILES: vscode.DocumentFilter = { pattern: `**/*${CALL_FILE_SUFFIX}` };

/** Documents that are searched for calls. */
export const SELECTOR: readonly vscode.DocumentFilter[] = [
  ...["typescript", "javascript", "typescriptreact", "javascriptreact", "solidity"].map((language) => ({ language })),
  { pattern: "**/*.sol" },
  CALL_FILES,
];

const FILES = `**/*{${CALL_FILE_SUFFIX},.sol}`;
const EXCLUDED = "**/node_modules/**";

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

/**
 * Returns the documents of a folder that may have calls, in the order of their paths: call files and contracts on disk,
 * and open documents.
 *
 * @param files - glob below the folder that limits them to files on disk
 */
export async function documentsWithCalls(
  folder: vscode.WorkspaceFolder,
  files?: string,
): Promise<readonly vscode.TextDocument[]> {
  const { workspace, languages } = vscode;
  const found = await workspace.findFiles(new vscode.RelativePattern(folder, files ?? FILES), EXCLUDED);
  const documents = new Set(await Promise.all(found.map((uri) => workspace.openTextDocument(uri))));
  for (const document of files === undefined ? workspace.textDocuments : [])
    if (workspace.getWorkspaceFolder(document.uri) === folder) documents.add(document);
  // VS Code returns files in any order.
  const inOrder = [...documents].sort((a, b) => (a.uri.toString() < b.uri.toString() ? -1 : 1));
  return inOrder.filter((document) => languages.match(SELECTOR, document) > 0);
}
