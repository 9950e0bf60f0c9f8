import * as vscode from "vscode";
import type { WantedCall } from "../../core/call-sites/wanted-call.ts";
import { costName, SNAPSHOT_FILE } from "../../core/estimates/cost-history.ts";
import type { CostRecord } from "./cost-record.ts";
import { callsIn, SELECTOR } from "./documents.ts";
import type { Hints } from "./hints.ts";
import { type Refreshed, refreshCalls } from "./refresh-document.ts";

const FILES = "**/*.{finality.jsonc,sol}";
const EXCLUDED = "**/node_modules/**";

/** What a snapshot holds and where it is. */
export interface SavedSnapshot {
  readonly file: string;
  readonly calls: number;
  /** Calls that have no figure now: they would fail, or something of them is not known. */
  readonly without: number;
}

/**
 * Estimates every call of the call files, the contracts and the open sources of a folder and writes the figures into its
 * snapshot. Nothing is written when a person cancels.
 */
export async function saveSnapshot(hints: Hints, record: CostRecord): Promise<SavedSnapshot | undefined> {
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder === undefined) {
    void vscode.window.showInformationMessage("Open a folder first: the snapshot is a file of it.");
    return undefined;
  }
  const calls = await callsOf(folder);
  const { refreshed, isCancelled } = await refreshCalls(hints, calls);
  if (isCancelled) return undefined;
  const taken = figuresOf(refreshed);
  const file = await record.save(folder.uri, taken);
  const without = refreshed.filter(({ state }) => !(state.kind === "known" && state.estimate.kind === "estimated"));
  return { file: file.toString(), calls: taken.size, without: without.length };
}

/** Says what was saved, and offers to show it. */
export async function tellSaved({ file, calls, without }: SavedSnapshot): Promise<void> {
  const left = without === 0 ? "" : ` ${without} without a figure ${without === 1 ? "is" : "are"} left out.`;
  const told = `${SNAPSHOT_FILE} has ${calls} ${calls === 1 ? "figure" : "figures"} of now.${left} Commit it, and lenses show what becomes dearer.`;
  const open = await vscode.window.showInformationMessage(told, "Open");
  if (open !== undefined) await vscode.window.showTextDocument(vscode.Uri.parse(file, true));
}

async function callsOf(folder: vscode.WorkspaceFolder): Promise<readonly WantedCall[]> {
  const { workspace, languages } = vscode;
  const found = await workspace.findFiles(new vscode.RelativePattern(folder, FILES), EXCLUDED);
  const documents = new Set(await Promise.all(found.map((uri) => workspace.openTextDocument(uri))));
  for (const document of workspace.textDocuments)
    if (workspace.getWorkspaceFolder(document.uri) === folder) documents.add(document);
  return [...documents].flatMap((document) => (languages.match(SELECTOR, document) > 0 ? callsIn(document) : []));
}

function figuresOf(refreshed: readonly Refreshed[]): ReadonlyMap<string, bigint> {
  return new Map(
    refreshed.flatMap(({ state }) =>
      state.kind === "known" && state.estimate.kind === "estimated"
        ? [[costName(state.bound), state.estimate.energy] as const]
        : [],
    ),
  );
}
