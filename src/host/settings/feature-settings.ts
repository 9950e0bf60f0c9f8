import { ChainError } from "@finality/tron/errors";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { SettingId } from "../contributions.ts";
import { read } from "./settings.ts";

/** Bounds of `finality.transaction.expirySeconds`, as in the manifest. A day is what nodes allow at most. */
const BOUNDS = { least: 30, most: 86_400, usual: 60 };
/** Shortest default with an external wallet, which the user has to find, open and read. */
const LEAST_OUTSIDE = 300;

/**
 * Returns the seconds until a transaction expires: the caller's value, else the setting.
 *
 * @param isOutside - an external wallet signs: the setting counts as at least five minutes
 * @throws {ChainError} `COMMAND_ARGUMENT_MALFORMED`
 */
export function expirySeconds(text: string | undefined, isOutside: boolean): number {
  if (text !== undefined) return readSeconds(text);
  const id: SettingId = "finality.transaction.expirySeconds";
  const value = vscode.workspace.getConfiguration().get<unknown>(id);
  const usual = typeof value === "number" && isWithin(value) ? value : BOUNDS.usual;
  return isOutside ? Math.max(usual, LEAST_OUTSIDE) : usual;
}

function readSeconds(text: string): number {
  const seconds = Number(text);
  if (isWithin(seconds)) return seconds;
  const reason = t`${text} is not a number of seconds from ${BOUNDS.least} to ${BOUNDS.most}`;
  throw new ChainError("COMMAND_ARGUMENT_MALFORMED", { argument: "expirySeconds", reason });
}

function isWithin(seconds: number): boolean {
  return Number.isInteger(seconds) && seconds >= BOUNDS.least && seconds <= BOUNDS.most;
}

/** Returns whether transactions with real money need two confirmations. */
export function asksTwice(): boolean {
  return read("finality.confirm") === "twice";
}

/** Returns whether only transactions with an unclear outcome, or that were rejected, cause a notification. */
export function areNoticesUrgentOnly(): boolean {
  return read("finality.notifications.transactions") === "urgent";
}

/** Frequency of notifications about incoming payments. */
export type IncomingNotices = "atOnce" | "everyMinute" | "off";

export function incomingNoticesSetting(): IncomingNotices {
  const chosen = read("finality.notifications.incoming");
  return chosen === "atOnce" || chosen === "off" ? chosen : "everyMinute";
}

/** Turns off notifications about incoming payments in the user's settings. */
export function muteIncomingNotices(): Thenable<void> {
  const id: SettingId = "finality.notifications.incoming";
  return vscode.workspace.getConfiguration().update(id, "off", vscode.ConfigurationTarget.Global);
}

/** Returns whether the user turned on the tools for agents. A workspace cannot. */
export function areAgentToolsOn(): boolean {
  return vscode.workspace.getConfiguration().inspect("finality.agents.enabled")?.globalValue === true;
}

/** Writes into the user's settings whether the tools for agents are on. */
export function writeAgentTools(isOn: boolean): Thenable<void> {
  const id: SettingId = "finality.agents.enabled";
  return vscode.workspace.getConfiguration().update(id, isOn, vscode.ConfigurationTarget.Global);
}

/** Display of energy in editors. */
export type EnergyDisplay = "codeLens" | "inlayHint" | "off";

export function displaySetting(): EnergyDisplay {
  const chosen = read("finality.energy.display");
  return chosen === "inlayHint" || chosen === "off" ? chosen : "codeLens";
}

/** Returns whether the workspace settings override the display of energy. */
export function isDisplayOfWorkspace(): boolean {
  return vscode.workspace.getConfiguration().inspect("finality.energy.display")?.workspaceValue !== undefined;
}

/** Writes the display of energy. @param where - workspace settings are a file of the repository */
export function writeDisplay(display: EnergyDisplay, where: "person" | "workspace"): Thenable<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  const target = where === "person" ? Global : Workspace;
  return vscode.workspace.getConfiguration().update("finality.energy.display", display, target);
}

export function isAutoRefreshOn(): boolean {
  return read("finality.energy.autoRefresh") === true;
}

/** Returns the globs of a folder's artifacts. */
export function abiGlobsSetting(folder: vscode.Uri): readonly string[] {
  return texts(vscode.workspace.getConfiguration(undefined, folder).get<unknown>("finality.abi.globs"));
}

/** Returns the languages and schemes with hovers; `*` means all. */
export function hoverInSetting(): readonly string[] {
  return texts(read("finality.decode.hoverIn"));
}

/** Returns the globs of documents with diagnostics. */
export function diagnosticsInSetting(): readonly string[] {
  return texts(read("finality.decode.diagnosticsIn"));
}

/** Returns whether a setting is on. */
export function isOn(id: "finality.decode.terminalLinks" | "finality.decode.watchTerminal"): boolean {
  return read(id) === true;
}

function texts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((it) => typeof it === "string" && it.trim() !== "") : [];
}
