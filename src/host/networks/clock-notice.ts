import { counted } from "@finality/tron/format";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { notify } from "../prompts/notify.ts";

const [LOG, HIDE] = [t`Show Log`, t`Don't Show Again`];

/**
 * Says that the clock of this machine differs from a chain. A part of its own: hardly anybody needs it.
 *
 * @returns whether the person has had enough of it
 */
export async function sayClockDiffers(network: string, differenceMs: number): Promise<boolean> {
  const seconds = counted(Math.round(differenceMs / 1000), t`second`, t`seconds`);
  const message = t`The clock of this machine and the chain of ${network} differ by ${seconds}. Its gateway may refuse tokens: set the clock.`;
  const chosen = await notify("warning", message, LOG, HIDE);
  if (chosen === LOG) await vscode.commands.executeCommand("finality.showLog");
  return chosen === HIDE;
}
