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
  const target = workspaceFolders === undefined ? vscode.ConfigurationTarget.Global : vscode.ConfigurationTarget.Workspace;
  return vscode.workspace.getConfiguration().update("finality.energy.display", display, target);
}

/** Room above the needed `fee_limit`, in percent. */
export function marginSetting(): bigint {
  const given = read("finality.energy.marginPercent");
  if (typeof given !== "number" || !Number.isFinite(given) || given < 0) return 20n;
  return BigInt(Math.round(Math.min(given, 1_000)));
}

export function isAutoRefreshOn(): boolean {
  return read("finality.energy.autoRefresh") === true;
}
