import type { JsonObject } from "@finality/tron/primitives";
import * as vscode from "vscode";
import type { SettingId } from "../contributions.ts";

/** Bounds of `finality.localChain.blockTime` in ms, as in the manifest. */
const BLOCK_TIME = { least: 100, most: 60_000, usual: 3000 };

/** A setting of this extension, as it is: every reader checks what it gets. */
export function read(id: SettingId): unknown {
  return vscode.workspace.getConfiguration().get<unknown>(id);
}

/** Settings of scope application exist once, in the user's settings. */
function write(id: SettingId, value: unknown): Thenable<void> {
  return vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
}

export function networksSetting(): unknown {
  return read("finality.networks");
}

export function writeNetworks(networks: readonly JsonObject[]): Thenable<void> {
  return write("finality.networks", networks.length === 0 ? undefined : networks);
}

/** The name of the active network; empty when none was chosen. */
export function activeNetworkSetting(): string {
  const name = read("finality.activeNetwork");
  return typeof name === "string" ? name.trim() : "";
}

export function writeActiveNetwork(name: string): Thenable<void> {
  return write("finality.activeNetwork", name === "" ? undefined : name);
}

/** Names of addresses: base58 and what the person calls it. */
export function addressNamesSetting(): unknown {
  return read("finality.addressBook");
}

export function writeAddressNames(names: JsonObject): Thenable<void> {
  return write("finality.addressBook", Object.keys(names).length === 0 ? undefined : names);
}

/** ms between two blocks of the local chain; what cannot be used counts as the default. */
export function blockTimeSetting(): number {
  const value = read("finality.localChain.blockTime");
  if (typeof value !== "number" || !Number.isFinite(value)) return BLOCK_TIME.usual;
  return Math.round(Math.min(Math.max(value, BLOCK_TIME.least), BLOCK_TIME.most));
}

/** Room above the needed `fee_limit`, in percent; what cannot be used counts as the default. */
export function energyMarginSetting(): bigint {
  const value = read("finality.energy.marginPercent");
  const usable = typeof value === "number" && Number.isFinite(value) && value >= 0 && value <= 1000;
  return BigInt(usable ? Math.round(value) : 20);
}

/** Tells of changes of these settings, or of the sections that they begin with. */
export function onDidChangeSettings(ids: readonly (SettingId | "http")[], listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (ids.some((id) => event.affectsConfiguration(id))) listener();
  });
}
