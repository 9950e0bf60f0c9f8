import { lastFailureIn } from "@finality/client/explain";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { notify } from "../../host/prompts/notify.ts";
import type { ExplainContext } from "./explain-context.ts";

const NOTHING_PRINTED = t`The terminal tells of no command that printed something: it needs shell integration. Copy the text, and run Decode from Clipboard.`;

/**
 * Opens the last failure that the last command in the terminal printed, or all it printed: the way to the links by
 * keyboard.
 */
export async function decodeTerminal(context: ExplainContext): Promise<unknown> {
  const printed = await lastTerminalOutput();
  if (printed.trim() === "") return await notify("information", NOTHING_PRINTED);
  await context.nearlyReady();
  const input = lastFailureIn(printed, context.explain)?.input ?? printed;
  return await vscode.commands.executeCommand("finality.decode", { input, origin: t`terminal` });
}

/**
 * What the last command in the active terminal printed; empty when its shell does not say where commands begin and end.
 * Only the clipboard leads out of a terminal: it holds afterwards what it held before.
 */
async function lastTerminalOutput(): Promise<string> {
  const { clipboard } = vscode.env;
  const before = await clipboard.readText();
  try {
    await clipboard.writeText("");
    await vscode.commands.executeCommand("workbench.action.terminal.copyLastCommandOutput");
    return await clipboard.readText();
  } finally {
    await clipboard.writeText(before);
  }
}
