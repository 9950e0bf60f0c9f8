import { compareCosts, costName, SNAPSHOT_FILE } from "@finality/client/call-sites";
import { changeText } from "@finality/client/labels";
import { counted } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { malformedArgument } from "../../host/commands/command-arguments.ts";
import { confirmModal, notify } from "../../host/prompts/notify.ts";
import { chooseFolder } from "../../host/prompts/quick-input.ts";
import type { CostRecord } from "./cost-record.ts";
import { callsIn, documentsWithCalls } from "./documents.ts";
import type { WhyNoFigure } from "./hint.view.ts";
import type { Hints } from "./hints.ts";
import { type Refreshed, refreshCalls } from "./refresh-document.ts";

interface SnapshotServices {
  readonly hints: Hints;
  readonly record: CostRecord;
  readonly why: WhyNoFigure;
}

/** Number of calls, and of their estimates. */
interface Taken {
  /** Estimates that the snapshot contains already. */
  readonly known: number;
  readonly calls: number;
  /** Calls that were estimated now. */
  readonly taken: number;
  /** Reason why the first call without an estimate has none. */
  readonly reason: string | undefined;
}

/** Content and location of a snapshot. */
export interface SavedSnapshot {
  readonly file: string;
  readonly calls: number;
  /** Calls without an estimate: they would fail, or a value is missing. */
  readonly without: number;
  /**
   * Calls that need more or less energy than in the previous snapshot, which is that of the last commit if there is
   * one. The largest change is first.
   */
  readonly changes: readonly { readonly name: string; readonly before: number; readonly after: number }[];
}

/**
 * Estimates every call of the call files, the contracts and the open sources of a folder and writes the figures into
 * its snapshot. Nothing is written when a person cancels, when there is no figure, or when a person does not want the
 * file that is not there yet.
 *
 * @param named - the name or the path of the folder; without it a person chooses, and a program gets the first
 * @throws {ChainError} `COST_SNAPSHOT_UNREADABLE`, before anything is asked; `COMMAND_ARGUMENT_MALFORMED`
 */
export async function saveSnapshot(
  { hints, record, why }: SnapshotServices,
  named: string | undefined,
  isProgram: boolean,
): Promise<SavedSnapshot | undefined> {
  const folder = await folderFor(named, isProgram);
  if (folder === undefined) return undefined;
  const known = await record.figuresIn(folder.uri);
  const calls = (await documentsWithCalls(folder)).flatMap(callsIn);
  const { refreshed, isCancelled } = await refreshCalls(hints, calls);
  if (isCancelled) return undefined;
  const taken = figuresOf(refreshed);
  if (taken.size === 0 && isProgram) return undefined;
  const reason = refreshed.map(({ state }) => why(state)).find((it) => it !== undefined);
  const round = { known: known.size, calls: calls.length, taken: taken.size, reason };
  if (!isProgram && !(await mayWrite(folder, round))) return undefined;
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

async function folderFor(named: string | undefined, isProgram: boolean): Promise<vscode.WorkspaceFolder | undefined> {
  const { workspaceFolders: folders = [] } = vscode.workspace;
  if (named !== undefined) {
    const found = folders.find(({ name, uri }) => name === named || uri.fsPath === named);
    if (found !== undefined) return found;
    throw malformedArgument(
      "folder",
      t`this workspace has no folder ${named}; it has ${folders.map((it) => it.name).join(t`, `)}`,
    );
  }
  if (isProgram) return folders[0];
  if (folders.length > 0) return await chooseFolder(t`Save Cost Snapshot`);
  void notify("information", t`Open a folder first: the snapshot is a file in it.`);
  return undefined;
}

/** A first snapshot creates a file in the repository; one without estimates is not written. */
async function mayWrite(
  { name }: vscode.WorkspaceFolder,
  { known, calls, taken, reason = "" }: Taken,
): Promise<boolean> {
  if (taken === 0) {
    const why =
      calls === 0
        ? t`no call file, contract or open source in it calls a contract.`
        : t`none of its ${counted(calls, t`call`, t`calls`)} could be estimated. First failure: ${reason}`;
    void notify("information", t`Nothing was saved in ${name}: ${why}`);
    return false;
  }
  if (known > 0) return true;
  const title = t`Write ${SNAPSHOT_FILE} into ${name}?`;
  const detail = t`It will contain ${counted(taken, t`estimate`, t`estimates`)} for you to commit. Lenses then show which calls cost more.`;
  return await confirmModal({ title, detail }, t`Write File`);
}

/** Reports what was saved and the largest change, and offers to open the file. */
export async function reportSaved(saved: SavedSnapshot): Promise<void> {
  const open = await notify("information", savedText(saved), t`Open`);
  if (open !== undefined) await vscode.window.showTextDocument(vscode.Uri.parse(saved.file, true));
}

function savedText({ calls, without, changes }: SavedSnapshot): string {
  const [most] = changes;
  const changed =
    most === undefined
      ? t`Commit it, and lenses show which calls cost more.`
      : t`${counted(changes.length, t`call`, t`calls`)} changed, most of all ${most.name}: ${changeText(BigInt(most.after - most.before))}.`;
  const left = without === 0 ? "" : t` ${counted(without, t`call`, t`calls`)} without an estimate left out.`;
  return t`${SNAPSHOT_FILE} now has ${counted(calls, t`estimate`, t`estimates`)}.${left} ${changed}`;
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
