import {
  type Account,
  type AccountGateway,
  type Clock,
  coinSymbolOf,
  type Gateway,
  type NetworkProfile,
  type Trc10Token,
} from "@finality/client/gateway";
import type { TrackedTransaction } from "@finality/client/tracking";
import { isChainError } from "@finality/tron/errors";
import { type Address, BLOCK_INTERVAL_MS, defined, type TxId } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import type { AccountDetails, Balance } from "./account.view.ts";

interface BalanceSource {
  readonly clock: Clock;
  network(): NetworkProfile | undefined;
  addresses(): readonly Address[];
  gatewayFor(network: NetworkProfile): Promise<DetailGateway>;
  /** Returns whether the account is expanded. */
  isOpen(address: Address): boolean;
  /** Returns whether the view is visible. */
  isWatched(): boolean;
  /** Called when balances were loaded or the network changed. */
  changed(): void;
}

type KnownBalance = Extract<Balance, { kind: "known" }>;

const UNKNOWN: Balance = { kind: "unknown" };

/** Refresh interval while the view is visible, ms. */
const PAUSE_MS = 60_000;
const LOCAL_PAUSE_MS = 6_000;

/** Balances of the accounts on the active network, read while the view is visible. */
export class Balances {
  readonly #source: BalanceSource;
  readonly #queries: PacedQueries;
  readonly #moves = new MovedBalances();
  #balances = new Map<Address, Balance>();
  #shownFor: string | undefined;
  #reading = new AbortController();
  #reader: { readonly gateway: DetailGateway; readonly details: DetailReader } | undefined;
  #following: Promise<void> | undefined;
  readonly #closing = new AbortController();

  /** Reason why balances are missing, as a sentence; undefined if none is missing. */
  issue: string | undefined;

  constructor(source: BalanceSource) {
    this.#source = source;
    this.#queries = new PacedQueries({
      clock: source.clock,
      isWatched: () => source.isWatched(),
      limit: () => (source.network()?.local === true ? Number.POSITIVE_INFINITY : ACCOUNTS_A_BLOCK),
      look: (addresses) => this.#read(addresses),
    });
  }

  of(address: Address): Balance {
    return this.#balances.get(address) ?? UNKNOWN;
  }

  /** Reads all balances at once, on the user's request. Resolves when they are read. */
  async refresh(cancelled?: AbortSignal): Promise<void> {
    this.#reader = undefined;
    this.#forgetOthers();
    this.#restart();
    cancelled?.addEventListener("abort", () => this.#restart(), { once: true });
    await this.#queries.ask(this.#source.addresses());
  }

  /** Reads the visible balances that were not read recently. Called when accounts, the network or the view changed. */
  look(): void {
    this.#forgetOthers();
    if (!this.#source.isWatched()) return;
    this.#queries.want(this.#source.addresses());
    this.#following ??= this.#follow(this.#closing.signal);
  }

  /** Reads the details of an account that the user expanded. */
  opened(address: Address): void {
    void this.#queries.ask([address]);
  }

  /** Reads the balances that changed transactions may have moved. */
  transactionsChanged(changed: readonly TrackedTransaction[]): void {
    this.moved(this.#moves.after(changed));
  }

  /** Reads the balances of these accounts, if the view is visible. */
  moved(whose: Moved): void {
    if (!this.#source.isWatched()) return;
    const addresses = this.#source.addresses();
    this.#queries.want(whose === "any" ? addresses : addresses.filter((it) => whose.includes(it)));
  }

  dispose(): void {
    this.#closing.abort();
    this.#reading.abort();
    this.#queries.dispose();
  }

  /** Refreshes while the view is visible. After an error it waits for the next change. */
  async #follow(signal: AbortSignal): Promise<void> {
    const { clock } = this.#source;
    while (!signal.aborted && this.#source.isWatched()) {
      await clock
        .sleep(this.#source.network()?.local === true ? LOCAL_PAUSE_MS : PAUSE_MS, signal)
        .catch(() => undefined);
      if (this.issue === undefined) this.moved("any");
    }
    this.#following = undefined;
  }

  /** Discards balances of the previous network. */
  #forgetOthers(): void {
    const network = this.#source.network();
    const shownFor = network === undefined ? undefined : `${network.name} ${network.baseUrl}`;
    if (shownFor === this.#shownFor) return;
    this.#shownFor = shownFor;
    this.#balances = new Map();
    this.#reader = undefined;
    this.issue = undefined;
    this.#restart();
    this.#queries.startOver();
    this.#source.changed();
  }

  /** Ignores answers of requests that started before the network changed. */
  #restart(): void {
    this.#reading.abort();
    this.#reading = new AbortController();
  }

  /** @returns whether the network answered */
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
      if (!signal.aborted) this.issue = undefined;
      return balances;
    } catch (error) {
      if (!signal.aborted) this.issue = isChainError(error) ? error.message : String(error);
      return undefined;
    }
  }

  /** Reads the balance, and the details if the account is expanded. */
  async #readOne(gateway: DetailGateway, address: Address, signal: AbortSignal): Promise<Balance> {
    const account = await gateway.account(address, signal);
    if (account === undefined) return { kind: "not-activated" };
    const symbol = coinSymbolOf(this.#source.network()?.baseUrl);
    const known = { kind: "known" as const, account, ...defined({ symbol }) };
    if (!this.#source.isOpen(address)) return known;
    this.#showMeanwhile(address, known, signal);
    return { ...known, details: await this.#detailsBy(gateway).read(account, signal) };
  }

  /** Shows the balance first and keeps the previous details until the new ones arrive. */
  #showMeanwhile(address: Address, balance: KnownBalance, signal: AbortSignal): void {
    if (signal.aborted) return;
    const last = this.of(address);
    this.#balances.set(address, last.kind === "known" ? { ...last, ...balance } : balance);
    this.#source.changed();
  }

  #detailsBy(gateway: DetailGateway): DetailReader {
    if (this.#reader?.gateway !== gateway) this.#reader = { gateway, details: new DetailReader(gateway) };
    return this.#reader.details;
  }

  /** Marks every account as failed that still waits for its balance. */
  #failOthers(): void {
    for (const address of this.#source.addresses()) this.#balances.set(address, this.#lastKnown(address));
  }

  #lastKnown(address: Address): Balance {
    const last = this.of(address);
    return last.kind === "unknown" ? { kind: "failed" } : last;
  }
}

/**
 * Hosted gateways limit requests without stating the limit, so at most this number of accounts is queried per block
 * interval.
 */
const ACCOUNTS_A_BLOCK = 10;

interface PacedQueriesOptions {
  readonly clock: Clock;
  /** Returns whether the view is visible. */
  readonly isWatched: () => boolean;
  /** Returns the maximum number of accounts per block interval. */
  readonly limit: () => number;
  /** Queries these accounts. Returns false to end the round, because further queries would fail too. */
  readonly look: (addresses: readonly Address[]) => Promise<boolean>;
}

/**
 * Limits account queries: each account at most once per block interval, a limited number at a time, and only while the
 * view is visible.
 */
class PacedQueries {
  readonly #options: PacedQueriesOptions;
  readonly #due = new Set<Address>();
  readonly #queriedAt = new Map<Address, number>();
  #round: Promise<void> | undefined;
  #startedAt = 0;
  #started = 0;
  #closing = new AbortController();

  constructor(options: PacedQueriesOptions) {
    this.#options = options;
  }

  /** Queries these accounts as soon as the limit allows. */
  want(addresses: readonly Address[]): void {
    for (const it of addresses) this.#due.add(it);
    void this.#go();
  }

  /** Queries these accounts at once, even if they were queried recently. Resolves when all of them were queried. */
  async ask(addresses: readonly Address[]): Promise<void> {
    for (const it of addresses) this.#queriedAt.delete(it);
    this.#cut();
    for (const it of addresses) this.#due.add(it);
    await this.#go(true);
  }

  /** Forgets all queries, because the network changed. */
  startOver(): void {
    this.#queriedAt.clear();
    this.#due.clear();
    this.#started = 0;
    this.#cut();
  }

  dispose(): void {
    this.startOver();
  }

  /** Ends the current round. Accounts that were not queried stay due. */
  #cut(): void {
    this.#closing.abort();
    this.#closing = new AbortController();
    this.#round = undefined;
  }

  /** A round without work would finish before it is stored as the current one, and would then never be cleared. */
  async #go(requested = false): Promise<void> {
    if (this.#round === undefined && this.#hasWork(requested)) this.#round = this.#run(requested, this.#closing.signal);
    await this.#round;
  }

  #hasWork(requested: boolean): boolean {
    return this.#due.size > 0 && (requested || this.#options.isWatched());
  }

  async #run(requested: boolean, signal: AbortSignal): Promise<void> {
    const { clock, look } = this.#options;
    while (this.#hasWork(requested)) {
      const now = clock.now();
      const some = this.#allowed(now);
      if (some.length === 0) await clock.sleep(this.#pause(now), signal).catch(() => undefined);
      else if (!(await look(some))) this.#due.clear();
      if (signal.aborted) return;
    }
    this.#round = undefined;
  }

  /** Takes the accounts that may be queried now from the queue. */
  #allowed(now: number): readonly Address[] {
    if (Math.abs(now - this.#startedAt) >= BLOCK_INTERVAL_MS) {
      this.#startedAt = now;
      this.#started = 0;
    }
    const room = Math.max(0, this.#options.limit() - this.#started);
    const some = [...this.#due].filter((it) => this.#freeAt(it, now) <= now).slice(0, room);
    for (const it of some) {
      this.#due.delete(it);
      this.#queriedAt.set(it, now);
    }
    this.#started += some.length;
    return some;
  }

  /** Returns the time of the next query. A clock that was set back does not extend the wait. */
  #freeAt(address: Address, now: number): number {
    const last = this.#queriedAt.get(address);
    return last === undefined || last > now ? now : last + BLOCK_INTERVAL_MS;
  }

  #pause(now: number): number {
    const first = Math.min(...[...this.#due].map((it) => this.#freeAt(it, now)));
    const room = this.#options.limit() > this.#started ? now : this.#startedAt + BLOCK_INTERVAL_MS;
    return Math.max(1, Math.max(first, room) - now);
  }
}

/**
 * Accounts whose balances may have moved. "any" if they are unknown, as for contract calls and incoming transactions.
 */
type Moved = readonly Address[] | "any";

/**
 * Reports the accounts whose balances a change of transactions may have moved. A balance moves when a block includes a
 * transaction or loses it. Later solidification of the same block, an answer or a search for a proof moves nothing.
 */
export class MovedBalances {
  /** Height of the block in which each transaction was last seen; undefined if it is in no block. */
  readonly #heights = new Map<TxId, number | undefined>();

  after(changed: readonly TrackedTransaction[]): Moved {
    const moved = new Set<Address>();
    let any = false;
    for (const { txId, state, signed } of changed) {
      const height = state.kind === "included" || state.kind === "solidified" ? state.block.number : undefined;
      if (this.#heights.get(txId) === height) continue;
      this.#heights.set(txId, height);
      const parties = signed === undefined ? undefined : partiesOf(signed.intent);
      any ||= parties === undefined;
      for (const it of parties ?? []) moved.add(it);
    }
    return any ? "any" : [...moved];
  }
}

/** Returns the accounts whose balance an intent changes, or undefined for contract calls. */
function partiesOf(intent: Intent): readonly Address[] | undefined {
  if (intent.kind === "contract-call" || intent.kind === "contract-creation") return undefined;
  const { owner, to, receiver, account } = { to: undefined, receiver: undefined, account: undefined, ...intent };
  return [owner, to, receiver, account].filter((it) => it !== undefined);
}

type DetailGateway = Pick<Gateway, "account" | "accountResources" | "headBlock"> & AccountGateway;

/** Maximum number of delegation partners and of tokens to query. Each costs a request. */
const DETAILS_EACH = 10;

/** Reads account details on one chain. Immutable data is read once. */
export class DetailReader {
  readonly #gateway: DetailGateway;
  readonly #tokens = new Map<string, Trc10Token>();

  constructor(gateway: DetailGateway) {
    this.#gateway = gateway;
  }

  /**
   * Sends three requests, plus one for the list of delegations, one for each partner, and one for each token without a
   * stored description.
   */
  async read(account: Account, signal: AbortSignal): Promise<AccountDetails> {
    const gateway = this.#gateway;
    const { address } = account;
    const [head, resources, reward, delegations] = await Promise.all([
      orNothing(gateway.headBlock(signal)),
      orNothing(gateway.accountResources(address, signal)),
      orNothing(gateway.reward(address, signal)),
      this.#delegationsOf(account, signal),
      this.#describeTokens(account, signal),
    ]);
    return { headTimestamp: head?.timestamp, resources, reward, ...delegations, tokens: this.#tokens };
  }

  async #delegationsOf({ address, stakes }: Account, signal: AbortSignal) {
    const amounts = stakes === undefined ? [] : [...Object.values(stakes.delegated), ...Object.values(stakes.received)];
    if (amounts.every((it) => it === 0n)) return { delegations: [], unreportedDelegations: 0 };
    const { receivers, owners } = (await orNothing(this.#gateway.delegationIndex(address, signal))) ?? {
      receivers: [],
      owners: [],
    };
    const pairs = [...receivers.map((to) => ({ from: address, to })), ...owners.map((from) => ({ from, to: address }))];
    const requested = pairs.slice(0, DETAILS_EACH);
    const delegations = await Promise.all(requested.map((it) => this.#delegationsBetween(it, signal)));
    return { delegations: delegations.flat(), unreportedDelegations: pairs.length - requested.length };
  }

  /** Ignores delegations between other accounts than the requested ones. */
  async #delegationsBetween(parties: { readonly from: Address; readonly to: Address }, signal: AbortSignal) {
    const delegations = (await orNothing(this.#gateway.delegationsBetween(parties, signal))) ?? [];
    return delegations.filter(({ from, to }) => from === parties.from && to === parties.to);
  }

  async #describeTokens({ trc10 }: Account, signal: AbortSignal): Promise<void> {
    const unknown = [...(trc10?.keys() ?? [])].slice(0, DETAILS_EACH).filter((it) => !this.#tokens.has(it));
    const tokens = await Promise.all(unknown.map((it) => orNothing(this.#gateway.trc10Token(it, signal))));
    for (const [at, id] of unknown.entries()) {
      const token = tokens[at];
      if (token?.id === id) this.#tokens.set(id, token);
    }
  }
}

/** Tries each query separately, because a gateway may support some of them only. */
function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  return answer.catch(() => undefined);
}
