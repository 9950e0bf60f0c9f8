import { lastFailureIn } from "@finality/client/explain";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { notify } from "../../host/prompts/notify.ts";
import type { DebugOutput } from "./debug-output.ts";
import type { ExplainContext } from "./explain-context.ts";

const NOTHING_PRINTED = t`No debugged program has printed anything since Finality is awake. Run it again, or copy the text and run Decode from Clipboard.`;

/** Opens the last failure that a debugged program printed, or all that is kept. */
export async function decodeDebugOutput(output: DebugOutput, context: ExplainContext): Promise<unknown> {
  if (output.printed.trim() === "") return await notify("information", NOTHING_PRINTED);
  await context.nearlyReady();
  const input = lastFailureIn(output.printed, context.explain)?.input ?? output.printed;
  return await vscode.commands.executeCommand("finality.decode", { input, origin: t`debug console` });
}
