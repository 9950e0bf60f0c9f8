import * as vscode from "vscode";
import { isChainError } from "../../core/errors/chain-error.ts";
import type { Gateway } from "../../core/gateway/gateway.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { Address } from "../../core/primitives/address.ts";
import type { Balance } from "./account.view.ts";

export interface BalanceSource {
  network(): NetworkProfile | undefined;
  addresses(): readonly Address[];
  gatewayFor(network: NetworkProfile): Promise<Gateway>;
}

const UNKNOWN: Balance = { kind: "unknown" };

/** The balances of the accounts on the active network, read when somebody looks. */
export class Balances implements vscode.Disposable {
  readonly #source: BalanceSource;
  readonly #changed = new vscode.EventEmitter<readonly Address[]>();
  #balances = new Map<Address, Balance>();
  #shownFor: string | undefined;
  #reading: AbortController | undefined;

  readonly onDidChange = this.#changed.event;

  /** Why balances are missing, as a sentence; undefined while they are not. */
  trouble: string | undefined;

  constructor(source: BalanceSource) {
    this.#source = source;
  }

  of(address: Address): Balance {
    return this.#balances.get(address) ?? UNKNOWN;
  }

  /** Reads all balances. A later call replaces one that still runs. */
  async refresh(): Promise<void> {
    this.#reading?.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const network = this.#source.network();
    this.#forgetOthers(network);
    if (network === undefined) return;
    const found = await this.#read(network, reading.signal);
    if (this.#reading !== reading) return;
    this.#balances = found;
    this.#changed.fire([...found.keys()]);
  }

  dispose(): void {
    this.#reading?.abort();
    this.#changed.dispose();
  }

  /** Balances of another network are not those of this one. */
  #forgetOthers(network: NetworkProfile | undefined): void {
    const shownFor = network === undefined ? undefined : `${network.name} ${network.baseUrl}`;
    if (shownFor === this.#shownFor) return;
    this.#shownFor = shownFor;
    this.#balances = new Map();
    this.trouble = undefined;
    this.#changed.fire([]);
  }

  async #read(network: NetworkProfile, signal: AbortSignal): Promise<Map<Address, Balance>> {
    const addresses = this.#source.addresses();
    try {
      const gateway = await this.#source.gatewayFor(network);
      const balances = await Promise.all(addresses.map((address) => readBalance(gateway, address, signal)));
      this.trouble = undefined;
      return new Map(balances.map((balance, index) => [addresses[index] as Address, balance]));
    } catch (error) {
      if (!signal.aborted) this.trouble = isChainError(error) ? error.message : String(error);
      return new Map(addresses.map((address) => [address, this.#lastKnown(address)]));
    }
  }

  #lastKnown(address: Address): Balance {
    const last = this.of(address);
    return last.kind === "unknown" ? { kind: "failed" } : last;
  }
}

async function readBalance(gateway: Gateway, address: Address, signal: AbortSignal): Promise<Balance> {
  const account = await gateway.account(address, signal);
  return account === undefined ? { kind: "not-activated" } : { kind: "known", amount: account.balance };
}
