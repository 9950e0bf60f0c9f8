import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import type { CommandArguments } from "../../host/commands/command-arguments.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { chooseAccount } from "../../host/prompts/choose-account.ts";

import { chooseNetwork } from "../../host/prompts/quick-input.ts";
import { type ReviewedRun, type RunChoice, RunReviewer } from "./review-run-file.ts";
import { RunDiagnostics } from "./run-diagnostics.ts";
import { RunPanel } from "./run-panel.ts";
import type { RunServices } from "./services.ts";

/** Commands and the page of runs. */
interface RunsPart {
  readonly commands: Commands<"runs">;
}

/** Result of the command for a program. */
interface ReviewResult {
  readonly rows: number;
  readonly canStart: boolean;
  readonly title: string;
  readonly lines: readonly string[];
  readonly problems: readonly { readonly row: number; readonly column?: string; readonly message: string }[];
}

/** Implements the commands of this feature. Loaded with the first of them. */
export function createRuns(services: RunServices): RunsPart {
  const reviewer = new RunReviewer(services);
  const diagnostics = new RunDiagnostics();
  const show = async (choice: RunChoice): Promise<ReviewedRun> => {
    const reviewed = await reviewer.review(choice);
    await diagnostics.show(choice.uri, reviewed.run);
    return reviewed;
  };
  const panel = new RunPanel({
    extensionUri: services.extensionUri,
    networks: services.networks,
    keys: services.keys,
    review: show,
  });
  return {
    commands: {
      "finality.reviewRunFile": async (argument, raw) => {
        const choice = await chooseRun(services, argument);
        if (choice === undefined) return undefined;
        const reviewed = await show(choice);
        if (!isCallOfProgram(raw)) panel.show(choice, reviewed);
        return resultOf(reviewed);
      },
    },
  };
}

/** Returns the file, the network and the account; undefined if the user cancels. */
async function chooseRun(
  { networks, keys }: RunServices,
  argument: CommandArguments["finality.reviewRunFile"],
): Promise<RunChoice | undefined> {
  const title = t`Review Run File`;
  const uri = await chooseFile(argument, title);
  if (uri === undefined) return undefined;
  const network = await chooseNetwork(networks, argument.network, { title });
  if (network === undefined) return undefined;
  const account = await chooseAccount(keys, argument.account, title);
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
  const [chosen] = (await vscode.window.showOpenDialog({ title, openLabel: t`Review` })) ?? [];
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
