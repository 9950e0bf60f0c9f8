import type { JsonObject } from "@finality/tron/primitives";
import * as vscode from "vscode";
import type { SettingId } from "../contributions.ts";

/** Bounds of `finality.localChain.blockTime` in ms, as in the manifest. */
const BLOCK_TIME = { least: 100, most: 60_000, usual: 3000 };

/** Returns a setting without validation: every caller checks it. */
export function read(id: SettingId): unknown {
  return vscode.workspace.getConfiguration().get<unknown>(id);
}

/** Writes a setting of scope `application`, which exists only in the user's settings. */
function write(id: SettingId, value: unknown): Thenable<void> {
  return vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
}

export function networksSetting(): unknown {
  return read("finality.networks");
}

export function writeNetworks(networks: readonly JsonObject[]): Thenable<void> {
  return write("finality.networks", networks.length === 0 ? undefined : networks);
}

/** Returns the name of the active network; empty if none was chosen. */
export function activeNetworkSetting(): string {
  const name = read("finality.activeNetwork");
  return typeof name === "string" ? name.trim() : "";
}

export function writeActiveNetwork(name: string): Thenable<void> {
  return write("finality.activeNetwork", name === "" ? undefined : name);
}

/** Returns the address names: base58 to name. */
export function addressNamesSetting(): unknown {
  return read("finality.addressBook");
}

export function writeAddressNames(names: JsonObject): Thenable<void> {
  return write("finality.addressBook", Object.keys(names).length === 0 ? undefined : names);
}

/** Returns the block time of the local chain in ms; the default if the value cannot be used. */
export function blockTimeSetting(): number {
  const value = read("finality.localChain.blockTime");
  if (typeof value !== "number" || !Number.isFinite(value)) return BLOCK_TIME.usual;
  return Math.round(Math.min(Math.max(value, BLOCK_TIME.least), BLOCK_TIME.most));
}

/** Bounds of `finality.localChain.stopAfter` in minutes, as in the manifest. */
const STOP_AFTER = { most: 10_080, usual: 30 };
const MINUTE_MS = 60_000;

/** Returns the time without a window after which the local chain ends, ms; 0 for never. */
export function stopAfterSetting(): number {
  const value = read("finality.localChain.stopAfter");
  const isUsable = typeof value === "number" && Number.isFinite(value) && value >= 0;
  return Math.round(Math.min(isUsable ? value : STOP_AFTER.usual, STOP_AFTER.most) * MINUTE_MS);
}

/** Returns the margin above the needed `fee_limit` in percent; the default if the value cannot be used. */
export function energyMarginSetting(): bigint {
  const value = read("finality.energy.marginPercent");
  const usable = typeof value === "number" && Number.isFinite(value) && value >= 0 && value <= 1000;
  return BigInt(usable ? Math.round(value) : 20);
}

/** Calls when one of these settings or sections changes. */
export function onDidChangeSettings(ids: readonly (SettingId | "http")[], listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (ids.some((id) => event.affectsConfiguration(id))) listener();
  });
}
