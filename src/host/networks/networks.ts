import * as vscode from "vscode";
import { ChainError } from "../../core/errors/chain-error.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import {
  activeNetworkSetting,
  networksSetting,
  onDidChangeSettings,
  writeActiveNetwork,
  writeNetworks,
} from "../settings/settings.ts";
import { LOCAL_NETWORK_NAME, type ParsedNetworks, parseNetworks, printNetworkProfile } from "./network-settings.ts";

const LOCAL_CHOSEN = "finality.localChainChosen";

/** The networks of the settings and, while it runs, the local chain; and which of them is active. */
export class Networks implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #settings: vscode.Disposable;
  #parsed: ParsedNetworks;
  #local: NetworkProfile | undefined;

  /** The active network, or a profile, changed. */
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#parsed = parseNetworks(networksSetting());
    this.#settings = onDidChangeSettings(["finality.networks", "finality.activeNetwork"], () => this.#reload());
  }

  /** The local chain first, then the settings in their order. */
  list(): readonly NetworkProfile[] {
    return this.#local === undefined ? this.#parsed.profiles : [this.#local, ...this.#parsed.profiles];
  }

  /** What is wrong in the settings. */
  get problems(): readonly ChainError[] {
    return this.#parsed.problems;
  }

  get local(): NetworkProfile | undefined {
    return this.#local;
  }

  get active(): NetworkProfile | undefined {
    if (this.#local !== undefined && this.#state.get(LOCAL_CHOSEN) === true) return this.#local;
    return this.find(activeNetworkSetting());
  }

  find(name: string): NetworkProfile | undefined {
    return this.list().find((it) => it.name === name);
  }

  /**
   * The network of this name, or the active one.
   *
   * @throws {ChainError} `NETWORK_UNKNOWN`, `NETWORK_NOT_CHOSEN`, `LOCAL_CHAIN_STOPPED`
   */
  get(name?: string): NetworkProfile {
    const found = name === undefined ? this.active : this.find(name);
    if (found !== undefined) return found;
    if (name === undefined) throw new ChainError("NETWORK_NOT_CHOSEN", {});
    if (name === LOCAL_NETWORK_NAME) throw new ChainError("LOCAL_CHAIN_STOPPED", {});
    throw new ChainError("NETWORK_UNKNOWN", { network: name });
  }

  /** @throws {ChainError} `NETWORK_UNKNOWN` */
  async setActive(name: string): Promise<void> {
    const { local } = this.get(name);
    await this.#state.update(LOCAL_CHOSEN, local);
    if (!local) await writeActiveNetwork(name);
    this.#changed.fire();
  }

  /** Says where the local chain answers, or that it is gone. @param audience - of its tokens, while it asks for them */
  setLocal(baseUrl: string | undefined, audience?: string): void {
    this.#local = baseUrl === undefined ? undefined : localProfile(baseUrl, audience);
    this.#changed.fire();
  }

  /**
   * Adds a network, or puts it into the place of the one that had the name `replacing`.
   *
   * @throws {ChainError} `NETWORK_NAME_TAKEN`
   */
  async save(profile: NetworkProfile, replacing?: string): Promise<void> {
    const { profiles } = this.#parsed;
    if (profile.name !== replacing && this.find(profile.name) !== undefined) {
      throw new ChainError("NETWORK_NAME_TAKEN", { network: profile.name });
    }
    const isThere = profiles.some(({ name }) => name === replacing);
    const next = isThere ? profiles.map((it) => (it.name === replacing ? profile : it)) : [...profiles, profile];
    await writeNetworks(next.map(printNetworkProfile));
    if (replacing !== undefined && activeNetworkSetting() === replacing) await writeActiveNetwork(profile.name);
    this.#reload();
  }

  /** @throws {ChainError} `NETWORK_UNKNOWN` */
  async remove(name: string): Promise<void> {
    this.get(name);
    await writeNetworks(this.#parsed.profiles.filter((it) => it.name !== name).map(printNetworkProfile));
    if (activeNetworkSetting() === name) await writeActiveNetwork("");
    this.#reload();
  }

  dispose(): void {
    this.#settings.dispose();
    this.#changed.dispose();
  }

  #reload(): void {
    this.#parsed = parseNetworks(networksSetting());
    this.#changed.fire();
  }
}

function localProfile(baseUrl: string, audience: string | undefined): NetworkProfile {
  const none = { fallbackUrls: [], apiKeyHeader: "CHAIN-PRO-API-KEY", production: false };
  const tokens = audience === undefined ? { jwt: false } : { jwt: true, audience };
  return { name: LOCAL_NETWORK_NAME, baseUrl, ...none, ...tokens, local: true };
}
