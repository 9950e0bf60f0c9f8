import * as vscode from "vscode";
import { notify, type Severity } from "../prompts/notify.ts";
import type { CommandId } from "./command-ids.ts";

/** What a person can do next, as a button. */
export interface NextStep {
  readonly title: string;
  readonly command: CommandId | "workbench.trust.manage";
  /** The argument of the command, in place of the subject of the message. */
  readonly argument?: object;
}

/**
 * Says something with what a person can do next beside it, and does what they choose.
 *
 * @param argument - what it is about; the next step gets it too
 */
export async function notifyWithSteps(
  severity: Severity,
  message: string,
  steps: readonly NextStep[],
  argument?: unknown,
): Promise<void> {
  const chosen = await notify(severity, message, ...steps);
  if (chosen === undefined) return;
  const about = chosen.argument ?? argument;
  await vscode.commands.executeCommand(chosen.command, ...(about === undefined ? [] : [about]));
}
