import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import { type CommandArguments, malformedArgument } from "../../host/commands/command-arguments.ts";
import { notify, passProgram } from "../../host/prompts/notify.ts";
import { folderAtHand } from "../../host/prompts/quick-input.ts";
import { incomingCsv, incomingJson } from "./export.view.ts";
import { type IncomingState, paymentsText } from "./incoming.view.ts";

/** What was exported. */
export interface ExportedIncoming {
  /** How many payments there are, those that were taken back included. */
  readonly payments: number;
  readonly json: string;
  readonly csv: string;
  /** Where it was written. */
  readonly file?: string;
}

/**
 * Writes what came in to a file, as CSV or JSON: of one watch, or of all in the list.
 *
 * @returns undefined when the person left
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED` no such watch, or the file that a program names exists already
 */
export async function exportIncoming(
  all: readonly IncomingState[],
  { id, file: name }: CommandArguments["finality.exportIncoming"],
  raw: unknown,
): Promise<ExportedIncoming | undefined> {
  const states = id === undefined ? all : all.filter(({ standing }) => standing.watch.id === id);
  if (id !== undefined && states.length === 0) throw malformedArgument("id", t`no watch in the list has it`);
  if (states.length === 0 && !isCallOfProgram(raw)) {
    await notify("information", t`There is nothing to export: nobody is waited for. Run Watch Incoming first.`);
    return undefined;
  }
  const [json, csv] = [incomingJson(states), incomingCsv(states)];
  const payments = states.reduce((sum, it) => sum + it.payments.length, 0);
  const isProgram = isCallOfProgram(raw);
  const file = isProgram ? await newFile(name) : await askFile();
  if (file === undefined) return isProgram ? { payments, json, csv } : undefined;
  if (!(await passProgram({ title: t`Write payments to ${file.fsPath}?` }, t`Write`))) return undefined;
  await vscode.workspace.fs.writeFile(file, Buffer.from(file.path.endsWith(".json") ? json : csv, "utf8"));
  if (!isProgram) void notify("information", t`${paymentsText(payments)} written to ${file.fsPath}.`);
  return { payments, json, csv, file: file.fsPath };
}

/** What a caller names is never written over. */
async function newFile(name: string | undefined): Promise<vscode.Uri | undefined> {
  if (name === undefined) return undefined;
  const file = vscode.Uri.file(name);
  const exists = await vscode.workspace.fs.stat(file).then(
    () => true,
    (error: unknown) => !(error instanceof vscode.FileSystemError && error.code === "FileNotFound"),
  );
  if (!exists) return file;
  throw malformedArgument("file", t`${file.fsPath} exists already, and nothing is written over it. Name another file`);
}

/** The save dialog asks before it writes over a file. */
function askFile(): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({
    title: t`Export Incoming`,
    filters: { CSV: ["csv"], JSON: ["json"] },
    saveLabel: t`Export`,
    defaultUri: vscode.Uri.joinPath(folderAtHand(), "incoming.csv"),
  });
}
