import { isChainError } from "../../core/errors/chain-error.ts";
import type { Gateway } from "../../core/gateway/gateway.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import type { Address } from "../../core/primitives/address.ts";
import type { Clock } from "../../core/time/clock.ts";
import type { Balance } from "./account.view.ts";
import { ACCOUNTS_A_BLOCK, type Moved, MovedBalances, PacedLooks } from "./balance-looks.ts";

export interface BalanceSource {
  readonly clock: Clock;
  network(): NetworkProfile | undefined;
  addresses(): readonly Address[];
  gatewayFor(network: NetworkProfile): Promise<Pick<Gateway, "account">>;
  /** Whether somebody sees the balances. */
  isWatched(): boolean;
  /** Told when balances were read, or belong to another network now. */
  changed(): void;
}

const UNKNOWN: Balance = { kind: "unknown" };

/** The balances of the accounts on the active network, read when somebody looks. */
export class Balances {
  readonly #source: BalanceSource;
  readonly #looks: PacedLooks;
  readonly #moves = new MovedBalances();
  #balances = new Map<Address, Balance>();
  #shownFor: string | undefined;
  #reading = new AbortController();

  /** Why balances are missing, as a sentence; undefined while they are not. */
  trouble: string | undefined;

  constructor(source: BalanceSource) {
    this.#source = source;
    this.#looks = new PacedLooks({
      clock: source.clock,
      isWatched: () => source.isWatched(),
      limit: () => (source.network()?.local === true ? Number.POSITIVE_INFINITY : ACCOUNTS_A_BLOCK),
      look: (addresses) => this.#read(addresses),
    });
  }

  of(address: Address): Balance {
    return this.#balances.get(address) ?? UNKNOWN;
  }

  /** Reads all balances because a person asked; resolves when they are read. */
  async refresh(): Promise<void> {
    this.#forgetOthers();
    this.#restart();
    await this.#looks.ask(this.#source.addresses());
  }

  /** Accounts, the network or the view changed: reads what somebody sees and was not read a moment ago. */
  look(): void {
    this.#forgetOthers();
    if (this.#source.isWatched()) this.#looks.want(this.#source.addresses());
  }

  /** Transactions changed: the balances that moved by it are read anew. */
  transactionsChanged(changed: readonly TrackedTransaction[]): void {
    this.moved(this.#moves.after(changed));
  }

  /** Coins of these accounts moved. Nobody who does not look costs a request. */
  moved(whose: Moved): void {
    if (!this.#source.isWatched()) return;
    const addresses = this.#source.addresses();
    this.#looks.want(whose === "any" ? addresses : addresses.filter((it) => whose.includes(it)));
  }

  dispose(): void {
    this.#reading.abort();
    this.#looks.dispose();
  }

  /** Balances of another network are not those of this one. */
  #forgetOthers(): void {
    const network = this.#source.network();
    const shownFor = network === undefined ? undefined : `${network.name} ${network.baseUrl}`;
    if (shownFor === this.#shownFor) return;
    this.#shownFor = shownFor;
    this.#balances = new Map();
    this.trouble = undefined;
    this.#restart();
    this.#looks.startOver();
    this.#source.changed();
  }

  /** Answers that are under way are of the past. */
  #restart(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
  }

  /** @returns whether the network answers */
  async #read(addresses: readonly Address[]): Promise<boolean> {
    const { signal } = this.#reading;
    const found = await this.#ask(addresses, signal);
    if (signal.aborted) return false;
    for (const [index, address] of addresses.entries()) {
      this.#balances.set(address, found?.[index] ?? this.#lastKnown(address));
    }
    if (found === undefined) this.#failOthers();
    this.#source.changed();
    return found !== undefined;
  }

  async #ask(addresses: readonly Address[], signal: AbortSignal): Promise<readonly Balance[] | undefined> {
    const network = this.#source.network();
    if (network === undefined) return undefined;
    try {
      const gateway = await this.#source.gatewayFor(network);
      const balances = await Promise.all(addresses.map((address) => readBalance(gateway, address, signal)));
      if (!signal.aborted) this.trouble = undefined;
      return balances;
    } catch (error) {
      if (!signal.aborted) this.trouble = isChainError(error) ? error.message : String(error);
      return undefined;
    }
  }

  /** Those that were to be read after the ones that failed. */
  #failOthers(): void {
    for (const address of this.#source.addresses()) this.#balances.set(address, this.#lastKnown(address));
  }

  #lastKnown(address: Address): Balance {
    const last = this.of(address);
    return last.kind === "unknown" ? { kind: "failed" } : last;
  }
}

async function readBalance(gateway: Pick<Gateway, "account">, address: Address, signal: AbortSignal): Promise<Balance> {
  const account = await gateway.account(address, signal);
  return account === undefined ? { kind: "not-activated" } : { kind: "known", amount: account.balance };
}
