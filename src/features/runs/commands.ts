import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { chooseAccount } from "../../host/prompts/choose-account.ts";
import { chooseNetwork } from "../../host/prompts/quick-input.ts";
import type { SigningAccount } from "../../host/secrets/signing-keys.ts";
import { accountsToSign } from "../../sending/possible-signers.ts";
import { RunExecutions } from "../../sending/run-executions.ts";
import { type ReviewedRun, type RunChoice, RunReviewer } from "./review-run-file.ts";
import { RunDiagnostics } from "./run-diagnostics.ts";
import { RunPanel } from "./run-panel.ts";
import type { RunServices } from "./services.ts";
import { showRuns } from "./show-runs.ts";
import { RunStarter } from "./start-run.ts";
import { StoredRunPages } from "./stored-run-pages.ts";

/** Commands and the pages of runs. */
export interface RunsPart {
  readonly commands: Commands<"runs">;
  /** Restores a page of the previous session. */
  revive(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  /** Ends all work. Resolves when the answers of what was sent are stored. */
  close(): Promise<void>;
}

/** Result of a review for a program. */
interface ReviewResult {
  readonly rows: number;
  readonly canStart: boolean;
  readonly title: string;
  readonly lines: readonly string[];
  readonly problems: readonly { readonly row: number; readonly column?: string; readonly message: string }[];
}

/** Implements the commands of this feature. Loaded with the first of them. */
export function createRuns(services: RunServices): RunsPart {
  const diagnostics = new RunDiagnostics();
  const runs = new RunExecutions(services);
  const parts = { ...services, runs };
  const reviewer = new RunReviewer(parts, (uri, run) => diagnostics.show(uri, run));
  const starter = new RunStarter(parts, reviewer);
  const pages = new StoredRunPages(parts);
  const { extensionUri, keys, log } = services;
  const start = async (choice: RunChoice, raw: unknown): Promise<unknown> => {
    const { run, reviewed, isKnown } = await starter.start(choice);
    if (run === undefined) {
      if (reviewed !== undefined && !isCallOfProgram(raw)) panel.show(choice, reviewed);
      return reviewed && resultOf(reviewed);
    }
    const page = await pages.show(run);
    // A program cannot resume what the user paused or stopped.
    if (isKnown && !isCallOfProgram(raw)) await page.resume();
    return { ...(reviewed === undefined ? {} : resultOf(reviewed)), run: run.id, rows: run.rows };
  };
  const panel = new RunPanel({
    ...{ extensionUri, keys, log, review: (choice) => reviewer.review(choice) },
    start: (choice) => start(choice, undefined),
  });
  return {
    commands: {
      "finality.runFile": async (argument, raw) => {
        const choice = await chooseRun(services, argument, { title: t`Run File`, mustSign: true });
        return choice && (await start(choice, raw));
      },
      "finality.showRuns": async (argument, raw) => await showRuns(parts, pages, argument, raw),
      "finality.reviewRunFile": async (argument, raw) => {
        const choice = await chooseRun(services, argument, { title: t`Review Run File`, mustSign: false });
        if (choice === undefined) return undefined;
        const reviewed = await reviewer.review(choice);
        if (!isCallOfProgram(raw)) panel.show(choice, reviewed);
        return resultOf(reviewed);
      },
    },
    revive: (webview, state) => pages.revive(webview, state),
    close: async () => {
      vscode.Disposable.from(diagnostics, panel, pages).dispose();
      await runs.close();
    },
  };
}

/** Returns the network, the file and the account; undefined if the user cancels. */
async function chooseRun(
  { networks, keys }: RunServices,
  argument: CommandArguments["finality.reviewRunFile"],
  { title, mustSign }: { readonly title: string; readonly mustSign: boolean },
): Promise<RunChoice | undefined> {
  // Without an account that signs, no file is of use.
  const signing = mustSign ? networks.get(argument.network) : undefined;
  const signers = signing === undefined ? [] : accountsToSign(keys, signing, undefined);
  const uri = await chooseFile(argument, title);
  if (uri === undefined) return undefined;
  const network = signing ?? (await chooseNetwork(networks, argument.network, { title }));
  if (network === undefined) return undefined;
  const signs = ({ address }: SigningAccount): boolean =>
    !keys.isOutside(address) && signers.some((it) => it.address === address && !it.watchOnly);
  const account = await chooseAccount(keys, argument.account, title, mustSign ? signs : undefined);
  return account && { uri, network, account };
}

/** Names of tables of payments. */
const TABLE = /\.(csv|tsv)$/i;

/** Returns the file of the argument, the active table, or one that the user chooses. */
async function chooseFile(
  { file, uri }: CommandArguments["finality.reviewRunFile"],
  title: string,
): Promise<vscode.Uri | undefined> {
  if (uri !== undefined) return vscode.Uri.parse(uri, true);
  if (file !== undefined) return vscode.Uri.file(file);
  const active = vscode.window.activeTextEditor?.document.uri;
  if (active !== undefined && TABLE.test(active.path)) return active;
  const [chosen] = (await vscode.window.showOpenDialog({ title, openLabel: t`Open` })) ?? [];
  return chosen;
}

function resultOf({ run, review }: ReviewedRun): ReviewResult {
  const { title, lines } = review;
  const cells = run.refusals.map(({ row, column, message }) => ({
    row,
    ...(column === undefined ? {} : { column }),
    message,
  }));
  const rows = run.findings.flatMap((it) =>
    it.severity === "refused" ? [{ row: it.rows[0] ?? 1, message: it.message }] : [],
  );
  return { rows: run.rows.length, canStart: run.canStart, title, lines, problems: [...cells, ...rows] };
}
