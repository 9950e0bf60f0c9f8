import * as vscode from "vscode";
import { read } from "./settings.ts";

/** How energy is shown in editors. */
export type EnergyDisplay = "codeLens" | "inlayHint" | "off";

export function displaySetting(): EnergyDisplay {
  const chosen = read("finality.energy.display");
  return chosen === "inlayHint" || chosen === "off" ? chosen : "codeLens";
}

/** For this workspace where there is one, else for the person. */
export function writeDisplay(display: EnergyDisplay): Thenable<void> {
  const { workspaceFolders } = vscode.workspace;
  const target =
    workspaceFolders === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  return vscode.workspace.getConfiguration().update("finality.energy.display", display, target);
}

export function isAutoRefreshOn(): boolean {
  return read("finality.energy.autoRefresh") === true;
}
