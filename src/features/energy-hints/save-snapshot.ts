import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { WantedCall } from "../../core/call-sites/call-site.ts";
import { compareCosts, costName, SNAPSHOT_FILE } from "../../core/call-sites/cost-history.ts";
import { chooseFolder } from "../../host/prompts/choose-folder.ts";
import { confirmModal, notify } from "../../host/prompts/notify.ts";
import { counted } from "../../words/forms/numbers.ts";
import { changeText } from "../../words/sentences/estimates.ts";
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
  /**
   * What takes more or less than in the snapshot before: that of the last commit where there is one. The largest change
   * first.
   */
  readonly changes: readonly { readonly name: string; readonly before: number; readonly after: number }[];
}

/**
 * Estimates every call of the call files, the contracts and the open sources of a folder and writes the figures into
 * its snapshot. Nothing is written when a person cancels, when there is no figure, or when a person does not want the
 * file that is not there yet.
 *
 * @throws {ChainError} `COST_SNAPSHOT_UNREADABLE`, before anything is asked
 */
export async function saveSnapshot(
  hints: Hints,
  record: CostRecord,
  isProgram: boolean,
): Promise<SavedSnapshot | undefined> {
  const isOpen = vscode.workspace.workspaceFolders !== undefined;
  if (!isOpen && !isProgram) void notify("information", t`Open a folder first: the snapshot is a file of it.`);
  const folder = isOpen ? await chooseFolder(t`Save Cost Snapshot`) : undefined;
  if (folder === undefined) return undefined;
  const known = await record.figuresIn(folder.uri);
  const calls = await callsOf(folder);
  const { refreshed, isCancelled } = await refreshCalls(hints, calls);
  if (isCancelled) return undefined;
  const taken = figuresOf(refreshed);
  if (taken.size === 0 && isProgram) return undefined;
  if (!isProgram && !(await mayWrite(folder, { known: known.size, calls: calls.length, taken: taken.size })))
    return undefined;
  const changes = compareCosts(record.before, taken);
  const file = await record.save(folder.uri, taken);
  const without = refreshed.filter(({ state }) => !(state.kind === "known" && state.estimate.kind === "estimated"));
  return {
    file: file.toString(),
    calls: taken.size,
    without: without.length,
    changes: changes.map(({ name, before, after }) => ({ name, before: Number(before), after: Number(after) })),
  };
}

/** A first snapshot is a new file of the repository; one without figures is none. */
async function mayWrite(
  { name }: vscode.WorkspaceFolder,
  { known, calls, taken }: { readonly known: number; readonly calls: number; readonly taken: number },
): Promise<boolean> {
  if (taken === 0) {
    const why =
      calls === 0
        ? t`no call file, contract or open source in it calls a contract`
        : t`none of its ${counted(calls, t`call`, t`calls`)} has a figure now. Show Estimate Details says why`;
    void notify("information", t`Nothing was saved in ${name}: ${why}.`);
    return false;
  }
  if (known > 0) return true;
  const title = t`Write ${SNAPSHOT_FILE} into ${name}?`;
  const detail = t`It will hold ${counted(taken, t`figure`, t`figures`)}, for you to commit: lenses then show what becomes dearer.`;
  return await confirmModal({ title, detail }, t`Write It`);
}

/** Says what was saved and what changed most, and offers to show the file. */
export async function tellSaved(saved: SavedSnapshot): Promise<void> {
  const open = await notify("information", savedWords(saved), t`Open`);
  if (open !== undefined) await vscode.window.showTextDocument(vscode.Uri.parse(saved.file, true));
}

function savedWords({ calls, without, changes }: SavedSnapshot): string {
  const [most] = changes;
  const changed =
    most === undefined
      ? t`Commit it, and lenses show what becomes dearer.`
      : t`${counted(changes.length, t`call`, t`calls`)} changed, most of all ${most.name}: ${changeText(BigInt(most.after - most.before))}.`;
  const left = without === 0 ? "" : t` ${counted(without, t`call`, t`calls`)} without a figure left out.`;
  return t`${SNAPSHOT_FILE} has ${counted(calls, t`figure`, t`figures`)} of now.${left} ${changed}`;
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
