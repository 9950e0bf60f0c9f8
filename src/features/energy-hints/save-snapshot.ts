import * as vscode from "vscode";
import { costName } from "../../core/estimates/cost-history.ts";
import type { CostRecord } from "./cost-record.ts";
import { callsIn, SELECTOR } from "./documents.ts";
import type { Hints } from "./hints.ts";
import { refreshDocument } from "./refresh-document.ts";

const FILES = "**/*.{finality.jsonc,sol}";
const EXCLUDED = "**/node_modules/**";

/** What a snapshot holds and where it is. */
export interface SavedSnapshot {
  readonly file: string;
  readonly calls: number;
}

/** Estimates every call of the call files and contracts of a folder and writes the figures into its snapshot. */
export async function saveSnapshot(hints: Hints, record: CostRecord): Promise<SavedSnapshot | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    void vscode.window.showInformationMessage("Open a folder first: the snapshot is a file of it.");
    return undefined;
  }
  const taken = new Map<string, bigint>();
  for (const uri of await vscode.workspace.findFiles(new vscode.RelativePattern(folder, FILES), EXCLUDED)) {
    const document = await vscode.workspace.openTextDocument(uri);
    if (vscode.languages.match(SELECTOR, document) === 0 || callsIn(document).length === 0) continue;
    for (const { state } of await refreshDocument(hints, document, new AbortController().signal)) {
      if (state.kind === "known" && state.estimate.kind === "estimated")
        taken.set(costName(state.bound), state.estimate.energy);
    }
  }
  const file = await record.save(folder.uri, taken);
  return { file: file.toString(), calls: taken.size };
}
