import { type Clock, coinSymbolOf, type NetworkProfile } from "@finality/client/gateway";
import type { TrackedTransaction } from "@finality/client/tracking";
import { isChainError } from "@finality/tron/errors";
import type { Address } from "@finality/tron/primitives";
import type { Balance } from "./account.view.ts";
import { type DetailGateway, DetailReader } from "./account-details.ts";
import { ACCOUNTS_A_BLOCK, type Moved, MovedBalances, PacedLooks } from "./balance-looks.ts";

export interface BalanceSource {
  readonly clock: Clock;
  network(): NetworkProfile | undefined;
  addresses(): readonly Address[];
  gatewayFor(network: NetworkProfile): Promise<DetailGateway>;
  /** Whether somebody sees what else the account has. */
  isOpen(address: Address): boolean;
  /** Whether somebody sees the balances. */
  isWatched(): boolean;
  /** Told when balances were read, or belong to another network now. */
  changed(): void;
}

type KnownBalance = Extract<Balance, { kind: "known" }>;

const UNKNOWN: Balance = { kind: "unknown" };

/** How often a network is asked by itself while somebody looks: what others send, and what recovers, shows so. */
const PAUSE_MS = 60_000;
const LOCAL_PAUSE_MS = 6_000;

/** The balances of the accounts on the active network, read when somebody looks. */
export class Balances {
  readonly #source: BalanceSource;
  readonly #looks: PacedLooks;
  readonly #moves = new MovedBalances();
  #balances = new Map<Address, Balance>();
  #shownFor: string | undefined;
  #reading = new AbortController();
  #reader: { readonly gateway: DetailGateway; readonly details: DetailReader } | undefined;
  #following: Promise<void> | undefined;
  readonly #closing = new AbortController();

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
  async refresh(cancelled?: AbortSignal): Promise<void> {
    this.#reader = undefined;
    this.#forgetOthers();
    this.#restart();
    cancelled?.addEventListener("abort", () => this.#restart(), { once: true });
    await this.#looks.ask(this.#source.addresses());
  }

  /** Accounts, the network or the view changed: reads what somebody sees and was not read a moment ago. */
  look(): void {
    this.#forgetOthers();
    if (!this.#source.isWatched()) return;
    this.#looks.want(this.#source.addresses());
    this.#following ??= this.#follow(this.#closing.signal);
  }

  /** Somebody opened an account: what else it has is read at once. */
  opened(address: Address): void {
    void this.#looks.ask([address]);
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
    this.#closing.abort();
    this.#reading.abort();
    this.#looks.dispose();
  }

  /** Looks again and again until nobody does; a network that does not answer is asked when something changes. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { clock } = this.#source;
    while (!signal.aborted && this.#source.isWatched()) {
      await clock
        .sleep(this.#source.network()?.local === true ? LOCAL_PAUSE_MS : PAUSE_MS, signal)
        .catch(() => undefined);
      if (this.trouble === undefined) this.moved("any");
    }
    this.#following = undefined;
  }

  /** Balances of another network are not those of this one. */
  #forgetOthers(): void {
    const network = this.#source.network();
    const shownFor = network === undefined ? undefined : `${network.name} ${network.baseUrl}`;
    if (shownFor === this.#shownFor) return;
    this.#shownFor = shownFor;
    this.#balances = new Map();
    this.#reader = undefined;
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
      const balances = await Promise.all(addresses.map((address) => this.#readOne(gateway, address, signal)));
      if (!signal.aborted) this.trouble = undefined;
      return balances;
    } catch (error) {
      if (!signal.aborted) this.trouble = isChainError(error) ? error.message : String(error);
      return undefined;
    }
  }

  /** One request, and more where somebody sees more. */
  async #readOne(gateway: DetailGateway, address: Address, signal: AbortSignal): Promise<Balance> {
    const account = await gateway.account(address, signal);
    if (account === undefined) return { kind: "not-activated" };
    const symbol = coinSymbolOf(this.#source.network()?.baseUrl);
    const known = { kind: "known" as const, account, ...(symbol === undefined ? {} : { symbol }) };
    if (!this.#source.isOpen(address)) return known;
    this.#showMeanwhile(address, known, signal);
    return { ...known, details: await this.#detailsBy(gateway).read(account, signal) };
  }

  /** The balance is there before everything else, which keeps what it was. */
  #showMeanwhile(address: Address, known: KnownBalance, signal: AbortSignal): void {
    if (signal.aborted) return;
    const last = this.of(address);
    this.#balances.set(address, last.kind === "known" ? { ...last, ...known } : known);
    this.#source.changed();
  }

  #detailsBy(gateway: DetailGateway): DetailReader {
    if (this.#reader?.gateway !== gateway) this.#reader = { gateway, details: new DetailReader(gateway) };
    return this.#reader.details;
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
