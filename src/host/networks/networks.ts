import type { NetworkProfile } from "@finality/client/gateway";
import { LOCAL_NETWORK_NAME, type ParsedNetworks, parseNetworks, printNetworkProfile } from "@finality/client/gateway";
import { ChainError } from "@finality/tron/errors";
import { labelKey } from "@finality/tron/primitives";
import * as vscode from "vscode";
import {
  activeNetworkSetting,
  networksSetting,
  onDidChangeSettings,
  writeActiveNetwork,
  writeNetworks,
} from "../settings/settings.ts";

const LOCAL_CHOSEN = "finality.localChainChosen";

/** Returns whether a network uses real money, by its chain. @param all - the networks as in the settings */
type IsRealMoney = (network: NetworkProfile, all: readonly NetworkProfile[]) => boolean;

/** Networks by name. */
export type NetworkLookup = Pick<Networks, "get">;

/** Networks of the settings and the running local chain, and which one is active. */
export class Networks implements vscode.Disposable {
  readonly #state: vscode.Memento;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #settings: vscode.Disposable;
  #parsed: ParsedNetworks;
  /** Last read value of `finality.activeNetwork`. */
  #setting: string;
  /** Last value of the setting other than the local chain. */
  #named = "";
  #local: NetworkProfile | undefined;
  /** Last choice when this window opened, or a choice in this window. Other windows do not change it. */
  #isLocalChosen: boolean;
  /** False until this window has looked for a running local chain. */
  #isLocalKnown = false;
  #isDisconnected = false;
  #isRealMoney: IsRealMoney = () => false;
  /** Names of networks with real money at the last event. */
  #real = "";

  /** Fires when the active network or a profile changes. */
  readonly onDidChange = this.#changed.event;

  constructor(state: vscode.Memento) {
    this.#state = state;
    this.#parsed = parseNetworks(networksSetting());
    this.#setting = activeNetworkSetting();
    if (this.#setting !== LOCAL_NETWORK_NAME) this.#named = this.#setting;
    this.#isLocalChosen = state.get(LOCAL_CHOSEN) === true || this.#setting === LOCAL_NETWORK_NAME;
    this.#settings = onDidChangeSettings(["finality.networks", "finality.activeNetwork"], () => this.#reload());
  }

  /**
   * Returns the local chain, then the networks of the settings in order. `production` is also true if the chain is
   * known to use real money.
   */
  list(): readonly NetworkProfile[] {
    const own = this.#parsed.profiles.map((it) => (this.#isRealDespiteRecord(it) ? { ...it, production: true } : it));
    return this.#local === undefined ? own : [this.#local, ...own];
  }

  /** Sets the function that recognises real money by chain. */
  setRealMoney(isRealMoney: IsRealMoney): void {
    this.#isRealMoney = isRealMoney;
  }

  /** Fires if the known chains changed which networks use real money. */
  followChains(): void {
    const real = this.#realNames();
    if (real === this.#real) return;
    this.#real = real;
    this.#changed.fire();
  }

  /** Problems of the settings. */
  get problems(): readonly ChainError[] {
    return this.#parsed.problems;
  }

  get local(): NetworkProfile | undefined {
    return this.#local;
  }

  /**
   * The chosen network. If the local chain was chosen and has stopped, there is none until the user chooses again by a
   * command or in `finality.activeNetwork`.
   */
  get active(): NetworkProfile | undefined {
    return this.#isLocalChosen ? this.#local : this.find(this.#named);
  }

  /** True if the local chain is the chosen network, and does not run or is disconnected. */
  get isLocalStopped(): boolean {
    return this.#isLocalChosen && this.#isLocalKnown && this.#local === undefined;
  }

  /** True if the local chain is the chosen network and runs, but this window disconnected from it. */
  get isLocalDisconnected(): boolean {
    return this.isLocalStopped && this.#isDisconnected;
  }

  find(name: string): NetworkProfile | undefined {
    return this.list().find((it) => it.name === name);
  }

  /** Returns whether another network has this name or one that looks like it. */
  isTaken(name: string, self?: string): boolean {
    const key = labelKey(name);
    return this.list().some((it) => it.name !== self && labelKey(it.name) === key);
  }

  /**
   * Returns the network with this name, or the active one.
   *
   * @throws {ChainError} `NETWORK_UNKNOWN`, `NETWORK_NOT_CHOSEN`, `LOCAL_CHAIN_STOPPED`
   */
  get(name?: string): NetworkProfile {
    const found = name === undefined ? this.active : this.find(name);
    if (found !== undefined) return found;
    const isLocal = name === undefined ? this.#isLocalChosen : name === LOCAL_NETWORK_NAME;
    if (isLocal) throw new ChainError("LOCAL_CHAIN_STOPPED", { isDisconnected: this.#isDisconnected });
    if (name === undefined) throw new ChainError("NETWORK_NOT_CHOSEN", { available: this.list().length });
    throw new ChainError("NETWORK_UNKNOWN", { network: name });
  }

  /** @throws {ChainError} `NETWORK_UNKNOWN` */
  async setActive(name: string): Promise<void> {
    const { local } = this.get(name);
    this.#isLocalChosen = local;
    await this.#state.update(LOCAL_CHOSEN, local);
    if (!local) this.#named = name;
    // The setting only shows the local chain, so a settings file that cannot be written does not keep it from starting.
    await writeActiveNetwork(name).then(undefined, (error: unknown) => {
      if (!local) throw error;
    });
    this.#changed.fire();
  }

  /**
   * Sets the URL of the local chain, or that it does not run.
   *
   * @param audience - of its tokens, if it requires them
   * @param isDisconnected - it runs, but this window no longer uses it
   */
  setLocal(baseUrl: string | undefined, audience?: string, isDisconnected = false): void {
    this.#isDisconnected = isDisconnected;
    this.#isLocalKnown = true;
    this.#local = baseUrl === undefined ? undefined : localProfile(baseUrl, audience);
    this.#changed.fire();
  }

  /**
   * Adds a network, or replaces the one named `replacing`.
   *
   * @throws {ChainError} `NETWORK_NAME_TAKEN`
   */
  async save(profile: NetworkProfile, replacing?: string): Promise<void> {
    const { profiles } = this.#parsed;
    if (this.isTaken(profile.name, replacing)) {
      throw new ChainError("NETWORK_NAME_TAKEN", { network: profile.name });
    }
    const isThere = profiles.some(({ name }) => name === replacing);
    const next = isThere ? profiles.map((it) => (it.name === replacing ? profile : it)) : [...profiles, profile];
    await writeNetworks(next.map(printNetworkProfile));
    if (replacing !== undefined) await this.#rename(replacing, profile.name);
    this.#reload();
  }

  /** @throws {ChainError} `NETWORK_UNKNOWN` */
  async remove(name: string): Promise<void> {
    this.get(name);
    await writeNetworks(this.#parsed.profiles.filter((it) => it.name !== name).map(printNetworkProfile));
    await this.#rename(name, "");
    this.#reload();
  }

  dispose(): void {
    this.#settings.dispose();
    this.#changed.dispose();
  }

  #isRealDespiteRecord(network: NetworkProfile): boolean {
    return !network.production && this.#isRealMoney(network, this.#parsed.profiles);
  }

  #realNames(): string {
    return JSON.stringify(this.list().flatMap(({ name, production }) => (production ? [name] : [])));
  }

  /** Follows the new name of the active network, or of the one that was active before the local chain. */
  async #rename(name: string, next: string): Promise<void> {
    if (this.#named === name) this.#named = next;
    if (activeNetworkSetting() === name) await writeActiveNetwork(next);
  }

  /** Another window that makes the local chain active changes the setting, and not the network of this window. */
  #reload(): void {
    this.#parsed = parseNetworks(networksSetting());
    const before = this.#setting;
    this.#setting = activeNetworkSetting();
    if (this.#setting !== before && this.#setting !== LOCAL_NETWORK_NAME) {
      this.#named = this.#setting;
      if (this.#isLocalChosen && this.#local === undefined) {
        this.#isLocalChosen = false;
        void this.#state.update(LOCAL_CHOSEN, false);
      }
    }
    this.#changed.fire();
  }
}

/** Returns the network of an embedded chain. @param audience - of its tokens, if it requires them */
export function localProfile(baseUrl: string, audience?: string): NetworkProfile {
  const none = { fallbackUrls: [], apiKeyHeader: "CHAIN-PRO-API-KEY", production: false };
  const tokens = audience === undefined ? { jwt: false } : { jwt: true, audience };
  return { name: LOCAL_NETWORK_NAME, baseUrl, ...none, ...tokens, local: true };
}
