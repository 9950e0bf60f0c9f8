import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { quickPick } from "../../host/prompts/quick-input.ts";
import type { EnergyDisplay } from "../../host/settings/feature-settings.ts";

type Where = "person" | "workspace";

const DOES: Readonly<Record<EnergyDisplay, string>> = {
  off: t`Turn energy hints off`,
  codeLens: t`Show energy above the calls`,
  inlayHint: t`Show energy at the end of the lines`,
};

/**
 * Says which settings are written before they are: those of a workspace are a file of its repository.
 *
 * @param usual - whose settings count now
 * @returns undefined when the person left
 */
export async function askWhereToWrite(display: EnergyDisplay, usual: Where): Promise<Where | undefined> {
  const person = {
    label: t`$(account) In my settings`,
    detail: t`For you, in every window where a workspace says nothing else.`,
    where: "person" as const,
  };
  const workspace = {
    label: t`$(folder) In the settings of this workspace`,
    detail: t`A file of the workspace is written, and everybody who opens it has it so.`,
    where: "workspace" as const,
  };
  const hasFolder = vscode.workspace.workspaceFolders !== undefined;
  // Where the workspace says how, one's own settings would change nothing.
  const items = usual === "workspace" ? [workspace] : hasFolder ? [person, workspace] : [person];
  const placeHolder = t`${DOES[display]}: which settings should say so?`;
  return (await quickPick(items, { title: t`Toggle Energy Hints`, placeHolder }))?.where;
}
