import type { FileEstimate } from "@finality/client/labels";
import { ChainError } from "@finality/tron/errors";
import { isJsonObject } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Networks } from "../../host/networks/networks.ts";
import type { TransactionState, TransactionsApi } from "../../public/api.ts";
import { type FinalityTask, readTask, TASKS } from "./task-definition.ts";
import { EXIT, estimateExitCode, estimateText, stateExitCode, stateText } from "./task-output.view.ts";
import { type Print, TaskTerminal } from "./task-terminal.ts";

/**
 * Estimates the calls in files of a folder.
 *
 * @param files - glob below the folder; by default call files and contracts
 */
type EstimateFiles = (
  folder: vscode.WorkspaceFolder,
  files: string | undefined,
  signal: AbortSignal,
) => AsyncIterable<FileEstimate>;

export interface TaskServices {
  readonly networks: Pick<Networks, "get">;
  /** Loads the journal. */
  readonly ready: () => Promise<void>;
  readonly transactions: Pick<TransactionsApi, "get" | "list" | "track" | "onDidChange">;
  readonly estimateFiles: EstimateFiles;
}

/** Returns the tasks that the editor offers: one of each kind, in each folder. */
export function offeredTasks(services: TaskServices): vscode.Task[] {
  if (!vscode.workspace.isTrusted) return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.flatMap((folder) => TASKS.map((task) => createTask(services, { type: "finality", task }, folder)));
}

/** Completes a task of `tasks.json`. */
export function resolveTask(services: TaskServices, task: vscode.Task): vscode.Task {
  return createTask(services, task.definition, typeof task.scope === "object" ? task.scope : undefined, task.name);
}

function createTask(
  services: TaskServices,
  definition: vscode.TaskDefinition,
  folder: vscode.WorkspaceFolder | undefined,
  name = String(definition.task),
): vscode.Task {
  const scope = folder ?? vscode.TaskScope.Workspace;
  const execution = new vscode.CustomExecution(
    async (resolved) =>
      new TaskTerminal((print, signal) => runTask(services, readTask(resolved), { folder, print, signal })),
  );
  const matchers = definition.task === "estimate" ? ["$finality-estimate"] : [];
  const task = new vscode.Task(definition, scope, name, "finality", execution, matchers);
  task.detail = detailOf(definition.task);
  return task;
}

function detailOf(task: unknown): string {
  switch (task) {
    case "chain":
      return t`Starts the local chain and ends when it is ready`;
    case "wait":
      return t`Waits until a transaction is final`;
    default:
      return t`Estimates calls and reports those over the budget of the snapshot`;
  }
}

/** Output, folder and cancellation of a task. */
export interface TaskRun {
  readonly folder: vscode.WorkspaceFolder | undefined;
  readonly print: Print;
  readonly signal: AbortSignal;
}

/** Runs a task. Returns its exit code. */
export async function runTask(services: TaskServices, task: FinalityTask, run: TaskRun): Promise<number> {
  if (!vscode.workspace.isTrusted) {
    run.print(t`Nothing was run: the workspace is in Restricted Mode.`);
    return EXIT.negative;
  }
  switch (task.task) {
    case "chain":
      return await startChain(run.print);
    case "wait":
      return await wait(services, task, run);
    case "estimate":
      return await estimate(services, task, run);
  }
}

async function startChain(print: Print): Promise<number> {
  const started: unknown = await vscode.commands.executeCommand("finality.startLocalChain", {});
  if (!isJsonObject(started)) return EXIT.negative;
  const { baseUrl, accounts } = started;
  print(t`The local chain is ready at ${String(baseUrl)}.`);
  for (const account of Array.isArray(accounts) ? accounts : [])
    if (isJsonObject(account)) print(`  ${String(account.label)}  ${String(account.address)}`);
  return EXIT.ok;
}

/** Prints each state of a transaction until it is final. */
async function wait(
  { ready, transactions, networks }: TaskServices,
  { txId: named, network }: Extract<FinalityTask, { task: "wait" }>,
  { print, signal }: TaskRun,
): Promise<number> {
  await ready();
  const txId = named ?? transactions.list()[0]?.txId;
  if (txId === undefined) {
    const reason = t`the list has no transaction; add "txId" to the task`;
    throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "txId", reason });
  }
  const known = transactions.get(txId);
  const options = known === undefined ? { network: networks.get(network).name } : {};
  const { state: first } = known ?? (await transactions.track(txId, options));
  print(txId);
  let last = "";
  const report = (state: TransactionState): number | undefined => {
    const text = stateText(state);
    if (text !== last) print(text);
    last = text;
    return stateExitCode(state);
  };
  return report(first) ?? (await nextFinal(transactions, txId, report, signal));
}

function nextFinal(
  transactions: TaskServices["transactions"],
  txId: string,
  report: (state: TransactionState) => number | undefined,
  signal: AbortSignal,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      following.dispose();
      reject(signal.reason);
    };
    const following = transactions.onDidChange((changed) => {
      const state = changed.includes(txId) ? transactions.get(txId)?.state : undefined;
      const code = state && report(state);
      if (code === undefined) return;
      following.dispose();
      signal.removeEventListener("abort", end);
      resolve(code);
    });
    signal.addEventListener("abort", end, { once: true });
  });
}

async function estimate(
  { estimateFiles }: TaskServices,
  { files, tolerance }: Extract<FinalityTask, { task: "estimate" }>,
  { folder = vscode.workspace.workspaceFolders?.[0], print, signal }: TaskRun,
): Promise<number> {
  const calls: FileEstimate[] = [];
  if (folder !== undefined)
    for await (const call of estimateFiles(folder, files, signal)) {
      calls.push(call);
      print(estimateText(call, tolerance));
    }
  if (calls.length === 0) print(t`No file with calls was found.`);
  return estimateExitCode(calls, tolerance);
}
