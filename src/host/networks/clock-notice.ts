import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { counted } from "../../words/forms/numbers.ts";
import type { HiddenNotices } from "../commands/hidden-notices.ts";
import { notify } from "../prompts/notify.ts";

const [LOG, HIDE] = [t`Show Log`, t`Don't Show Again`];

/** Says that the clock of this machine is behind, by so many ms: who takes tokens compares their times with its own. */
export async function sayClockIsBehind(hidden: HiddenNotices, network: string, behindMs: number): Promise<void> {
  const seconds = counted(Math.round(behindMs / 1000), t`second`, t`seconds`);
  const message = t`The clock of this machine is ${seconds} behind the chain of ${network}. Its gateway may refuse tokens: set the clock.`;
  const chosen = await notify("warning", message, LOG, HIDE);
  if (chosen === HIDE) hidden.hide("clock");
  if (chosen === LOG) await vscode.commands.executeCommand("finality.showLog");
}
