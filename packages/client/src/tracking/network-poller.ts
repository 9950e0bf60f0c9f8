import { BLOCK_INTERVAL_MS, type TxId } from "@finality/tron/primitives";
import type { Clock } from "../gateway/clock.ts";
import type { Gateway } from "../gateway/gateway.ts";
import { isLoopback } from "../gateway/network.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import type { QueryContext } from "../transaction-state/transaction-query.ts";
import { AbsencePoller, type AbsencePollerOptions } from "./absence-poller.ts";
import { BlockPoller } from "./block-poller.ts";
import {
  type ConnectionIssue,
  concernsWholeGateway,
  describeIssue,
  isUnreachable,
  pauseAfter,
} from "./connection-issue.ts";
import { INITIAL_POLL_INTERVAL, LONGEST_PAUSE_MS, withoutProgress } from "./poll-interval.ts";
import { type BlockFollower, type PollingContext, type PollingSubject, QueryFailures } from "./polling.ts";
import { RefusalPoller, type RefusalPollerOptions } from "./refusal-poller.ts";
import { TransactionPoller } from "./transaction-poller.ts";

/** Options that a network poller needs from the tracker. */
export interface NetworkPollerOptions extends PollingSubject, AbsencePollerOptions, RefusalPollerOptions {
  readonly clock: Clock;
  readonly gateway: () => Promise<Gateway>;
  /** Further reader of this network's blocks. */
  readonly follower: () => BlockFollower | undefined;
  readonly onIssue: (issue: ConnectionIssue | undefined) => void;
  /** Called with decisions and their reasons, for the log. */
  readonly onDecision: (message: string) => void;
  /** Identifies the URL and settings of the network: another text after they changed. Sends no request. */
  readonly profile?: (() => string) | undefined;
  /** Connection state of this computer, as a text; if absent, a restored connection is not noticed. */
  readonly connections?: (() => string) | undefined;
}

/** A pause that took this much longer than planned: the computer slept, or its clock was set. */
const JUMP_MS = 30_000;

/**
 * Interval of checking this computer's connections for a change while no gateway answers; the check sends no request.
 */
const CHECK_CONNECTIONS_MS = 3_000;
/**
 * Pause between tries while this computer has no connection. Hardly any gateway can be reached then, except one on this
 * computer, which is tried at the usual rate.
 */
const OFFLINE_PAUSE_MS = 5 * 60_000;

const WAKE = Symbol("wake");
/** From this number of unsettled transactions on, changes within this time are handled together; ms. */
const MANY_LIVE = 100;
const TOGETHER_MS = 100;

/** Search that schedules itself. */
type Search = AbsencePoller | RefusalPoller;

/**
 * Tracks the live transactions of one network until none is left. Queries each one, or reads the solidified blocks with
 * one request per block, whichever is expected to cost less.
 */
export class NetworkPoller {
  readonly #options: NetworkPollerOptions;
  #context: PollingContext;
  #byTxId: TransactionPoller;
  #absence: AbsencePoller;
  #refusals: RefusalPoller;
  #byBlocks: BlockPoller | undefined;
  #failedRounds = 0;
  /** End of the last pause that a change ended; local clock, Unix ms. */
  #wokenAt = 0;
  /** Number of times the pause has grown since it began, or since the last reason to expect an answer. */
  #growths = 0;
  /** True if the last failure was a missing answer. */
  #noAnswer = false;
  /** Profile of the network in the last round. */
  #endpoint = "";
  #offlineUntil = 0;
  /** Connection state of the computer at the last check, while no gateway answers. */
  #connections: string | undefined;
  /** The profile of the network in the last round. */
  #profile: string | undefined;
  #issueSince = 0;
  #hasIssue = false;
  #retryAt = 0;
  #retryPause = 0;
  #chosen = false;
  #restController = new AbortController();
  #lastNow = 0;
  readonly #failures = new QueryFailures();
  /** Failures of the self-scheduled searches, until they succeed. */
  readonly #searchFailures = new Map<Search, { readonly error: unknown; readonly since: number }>();

  constructor(options: NetworkPollerOptions) {
    this.#options = options;
    const ended = new Set<TxId>();
    const live = () => (ended.size === 0 ? options.live() : options.live().filter(({ txId }) => !ended.has(txId)));
    const failures = this.#failures;
    this.#absence = new AbsencePoller(options, failures);
    this.#refusals = new RefusalPoller(options, failures);
    const sawSolid: PollingContext["onSolidBlock"] = (block, readFrom) => {
      this.#absence.onSolidBlock(block, options.clock.now());
      this.#refusals.onSolidBlock(block, options.clock.now(), readFrom);
    };
    const { recordFacts: learned, refused, follower } = options;
    const sawBlocks: PollingContext["onBlocks"] = (blocks) => follower()?.offer(blocks);
    this.#context = {
      live,
      refused,
      recordFacts: learned,
      onSolidBlock: sawSolid,
      onBlocks: sawBlocks,
      ended,
      failures,
      pollInterval: INITIAL_POLL_INTERVAL,
      solidTime: 0,
    };
    this.#byTxId = new TransactionPoller(this.#context);
  }

  /**
   * Polls until no transaction is unsettled, no rejected one is rechecked, none waits for a proof and no follower reads
   * blocks.
   *
   * @throws the reason of the signal, at once
   */
  async run(signal: AbortSignal): Promise<void> {
    while (this.#isOpen()) {
      this.#checkClock();
      await this.#rest(this.#pause(), signal);
      if (this.#isOpen() && !this.#isWaiting() && !this.#isPaused()) await this.#tryRound(signal);
    }
    this.#byBlocks = undefined;
    this.#chosen = false;
    this.#byTxId.forget();
    this.#context.pollInterval = withoutProgress(this.#context.pollInterval);
    this.#context.solidTime = 0;
    this.#settled();
  }

  /** Discards known heights and times, and aborts a pending query. */
  startOver(): void {
    this.#context = { ...this.#context, pollInterval: withoutProgress(this.#context.pollInterval), solidTime: 0 };
    this.#byTxId = new TransactionPoller(this.#context);
    // The stored scan belongs to the previous chain.
    this.#absence = new AbsencePoller({ ...this.#options, scans: undefined }, this.#failures);
    this.#refusals = new RefusalPoller(this.#options, this.#failures);
    this.#follower?.startOver();
    this.#byBlocks = undefined;
    this.wake();
  }

  /** Ends the current pause, so that a new transaction is queried without delay; a pause after a failure continues. */
  wake(): void {
    if (this.#failedRounds === 0) this.#restController.abort(WAKE);
  }

  /**
   * Resumes polling because an answer arrived or the computer is connected again. If the last failure was a missing
   * answer, the next try starts at once. A pause requested by a gateway is kept.
   */
  resume(): void {
    const now = this.#options.clock.now();
    this.#follower?.resume(now);
    this.#offlineUntil = 0;
    if (this.#failedRounds > 0 && !this.#noAnswer) return;
    this.#growths = 0;
    this.#retryAt = Math.min(this.#retryAt, now);
    this.#restController.abort(WAKE);
  }

  /** This URL answered a query of the user: a pause that the same URL requested ends. */
  answered(endpoint: string): void {
    if (endpoint === this.#endpoint) this.#endPause();
    else this.resume();
  }

  /** The network may have another URL or settings now: a pause that the previous one requested ends. */
  profileChanged(): void {
    const profile = this.#options.profile?.();
    if (profile !== this.#profile) this.#endPause();
    this.#profile = profile;
  }

  #endPause(): void {
    const now = this.#options.clock.now();
    this.#growths = 0;
    this.#offlineUntil = 0;
    this.#retryAt = Math.min(this.#retryAt, now);
    this.#follower?.endPause(now);
    this.#restController.abort(WAKE);
  }

  /** Returns whether a pause after a failure is not over. A sleep that ended early is no reason to send a request. */
  #isPaused(): boolean {
    return this.#failedRounds > 0 && this.#options.clock.now() < this.#retryAt;
  }

  get #isUnreached(): boolean {
    return (this.#failedRounds > 0 && this.#noAnswer) || this.#follower?.isUnreached === true;
  }

  /** Returns true if no answer was received and there is no reason for another try yet. */
  #isWaiting(): boolean {
    if (!this.#isUnreached) return false;
    const connections = this.#options.connections?.();
    if (connections !== this.#connections) this.resume();
    this.#connections = connections;
    return this.#pauseToNext() > 0;
  }

  /** Returns true if this computer has no connection and needs one to reach the gateway. */
  get #isOffline(): boolean {
    return this.#isUnreached && this.#options.connections?.() === "" && !isOnThisComputer(this.#endpoint);
  }

  /** Checks whether the local clock was set back since the last check, or is implausible. */
  #checkClock(latest = Infinity): void {
    const now = this.#options.clock.now();
    if (now < this.#lastNow || now > latest) this.#clockJumped(now);
    this.#lastNow = now;
  }

  #isOpen(): boolean {
    return this.#context.live().length > 0 || this.#absence.isWaiting || this.#refusals.isWaiting || this.#isFollowed;
  }

  get #isFollowed(): boolean {
    return this.#follower?.isWaiting === true;
  }

  /** Returns true if blocks are read for transactions; the follower then waits for those blocks. */
  get #readsBlocks(): boolean {
    return this.#byBlocks !== undefined && this.#context.live().length > 0;
  }

  get #follower(): BlockFollower | undefined {
    return this.#options.follower();
  }

  async #tryRound(signal: AbortSignal): Promise<void> {
    try {
      await this.#round(signal);
      this.#settled();
    } catch (error) {
      signal.throwIfAborted();
      this.#failed(error);
    }
    this.#connections = this.#isUnreached ? this.#options.connections?.() : undefined;
    this.#offlineUntil = this.#isOffline ? this.#options.clock.now() + OFFLINE_PAUSE_MS : 0;
  }

  /** Parts are independent: a failure in one does not end the others, unless the gateway cannot be queried now. */
  async #round(signal: AbortSignal): Promise<void> {
    const { gateway, clock } = this.#options;
    this.#profile = this.#options.profile?.();
    const context = { gateway: await gateway(), clock, signal };
    this.#endpoint = context.gateway.endpoint;
    const live = this.#context.live();
    const failed: unknown[] = [];
    const onItsOwn = async (part: () => Promise<void>): Promise<void> => {
      try {
        await part();
      } catch (error) {
        signal.throwIfAborted();
        if (concernsWholeGateway(error)) throw error;
        failed.push(error);
      }
    };
    if (live.length > 0) await onItsOwn(() => this.#poller(live).round(context));
    for (const search of [this.#refusals, this.#absence]) {
      if (search.isWaiting) await onItsOwn(() => this.#search(search, context));
    }
    if (this.#isFollowed) await this.#follower?.round(context, !this.#readsBlocks);
    if (failed.length > 0) throw failed[0];
  }

  /** After a failure other than a missing answer, the search schedules itself and pauses nothing else. */
  async #search(search: Search, context: QueryContext): Promise<void> {
    try {
      if (await search.round(context)) this.#searchFailures.delete(search);
    } catch (error) {
      context.signal.throwIfAborted();
      if (concernsWholeGateway(error) || isUnreachable(error)) throw error;
      const since = this.#searchFailures.get(search)?.since ?? context.clock.now();
      this.#searchFailures.set(search, { error, since });
    }
  }

  #poller(live: readonly TrackedTransaction[]): BlockPoller | TransactionPoller {
    const { network, clock, onDecision: noted } = this.#options;
    const costs = expectedCosts(live, this.#context.pollInterval.intervalMs, clock.now());
    const current = this.#byBlocks === undefined ? "each" : "blocks";
    // The follower reads each block anyway.
    const way = this.#follower?.readsEveryBlock === true ? "blocks" : cheaperStrategy(costs, current);
    if (way !== current || !this.#chosen) noted(describeStrategy(network, way, costs));
    this.#chosen = true;
    if (way === "each") this.#byBlocks = undefined;
    else this.#byBlocks ??= new BlockPoller(this.#context, clock.now());
    return this.#byBlocks ?? this.#byTxId;
  }

  /** Reschedules everything that was planned with a different clock time: one round now. */
  #clockJumped(now: number): void {
    this.#context.pollInterval = withoutProgress(this.#context.pollInterval);
    this.#byTxId.forget();
    this.#failures.reschedule(now);
    this.#byBlocks?.reschedule(now);
    this.#absence.reschedule(now);
    this.#refusals.reschedule(now);
    this.#follower?.reschedule(now);
    this.#offlineUntil = 0;
    this.#retryAt = Math.min(this.#retryAt, now + this.#retryPause);
  }

  #failed(error: unknown): void {
    const { network, clock, onIssue: troubled } = this.#options;
    const now = clock.now();
    if (this.#failedRounds === 0) this.#issueSince = now;
    this.#failedRounds++;
    this.#growths++;
    this.#noAnswer = isUnreachable(error);
    this.#retryPause = pauseAfter(error, this.#growths);
    this.#retryAt = now + this.#retryPause;
    const waits = this.#isOffline ? ({ waitsFor: "for-a-connection" } as const) : {};
    this.#hasIssue = true;
    troubled({ network, ...describeIssue(error), ...waits, since: this.#issueSince, nextTryAt: this.#retryAt });
  }

  /**
   * Resets the failure state because the gateway answers. Failures of single transactions or of a search are still
   * reported.
   */
  #settled(): void {
    const now = this.#options.clock.now();
    this.#failedRounds = 0;
    this.#growths = 0;
    const issue = this.#issueOfQueries() ?? this.#issueOfSearches(now);
    if (issue !== undefined || this.#hasIssue) this.#options.onIssue(issue);
    this.#hasIssue = issue !== undefined;
  }

  #issueOfQueries(): ConnectionIssue | undefined {
    if (this.#failures.isEmpty) return undefined;
    const open = [...this.#context.live(), ...this.#options.refused(), ...this.#options.candidates()];
    const failures = this.#failures.of(new Set(open.map(({ txId }) => txId)));
    const [first] = failures;
    if (first === undefined) return undefined;
    return {
      network: this.#options.network,
      ...this.#describe(first.error),
      txIds: failures.map(({ txId }) => txId),
      since: Math.min(...failures.map(({ since }) => since)),
      nextTryAt: Math.min(...failures.map(({ nextAt }) => nextAt)),
    };
  }

  /** Without the data it waits for: the gateway answers everything else. */
  #describe(error: unknown): Pick<ConnectionIssue, "code" | "message"> {
    const { code, message } = describeIssue(error);
    return { code, message: message };
  }

  #issueOfSearches(now: number): ConnectionIssue | undefined {
    for (const search of this.#searchFailures.keys()) if (!search.isWaiting) this.#searchFailures.delete(search);
    const [failure] = this.#searchFailures;
    if (failure === undefined) return undefined;
    const [search, { error, since }] = failure;
    return { network: this.#options.network, ...this.#describe(error), since, nextTryAt: now + search.pause(now) };
  }

  #pause(): number {
    const next = this.#pauseToNext();
    const checksConnection = this.#isUnreached && this.#options.connections !== undefined;
    return checksConnection ? Math.min(next, CHECK_CONNECTIONS_MS) : next;
  }

  #pauseToNext(): number {
    const now = this.#options.clock.now();
    return Math.max(this.#offlineUntil - now, this.#pauseOnline(now));
  }

  #pauseOnline(now: number): number {
    if (this.#failedRounds > 0) return this.#retryAt - now;
    const followed = this.#readsBlocks ? Infinity : (this.#follower?.pause(now) ?? Infinity);
    const seldom = Math.min(this.#absence.pause(now), this.#refusals.pause(now), followed);
    return this.#context.live().length === 0 ? seldom : Math.min(seldom, (this.#byBlocks ?? this.#byTxId).pause(now));
  }

  /** Handles the changes of many transactions together: a run sends hundreds in a second, and each round reads all. */
  async #awaitMoreChanges(signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const sinceWake = clock.now() - this.#wokenAt;
    const isSoon = sinceWake >= 0 && sinceWake < TOGETHER_MS;
    if (isSoon && this.#context.live().length > MANY_LIVE) await clock.sleep(TOGETHER_MS - sinceWake, signal);
    this.#wokenAt = clock.now();
  }

  async #rest(ms: number, signal: AbortSignal): Promise<void> {
    this.#restController = new AbortController();
    const { clock } = this.#options;
    const before = clock.now();
    try {
      await clock.sleep(Math.max(0, ms), AbortSignal.any([signal, this.#restController.signal]));
    } catch (reason) {
      signal.throwIfAborted();
      if (reason !== WAKE) throw reason;
      await this.#awaitMoreChanges(signal);
    }
    this.#checkClock(before + Math.max(0, ms) + JUMP_MS);
  }
}

function isOnThisComputer(endpoint: string): boolean {
  const url = URL.parse(endpoint);
  return url !== null && isLoopback(url);
}

/** Poll strategies: each transaction by its txID, or all of them by reading every solidified block. */
type PollStrategy = "each" | "blocks";

/** Expected cost of a poll strategy until all fresh transactions are settled. */
interface Cost {
  readonly requests: number;
  readonly bytes: number;
}

interface ExpectedCosts extends Readonly<Record<PollStrategy, Cost>> {
  /** Number of transactions sent so recently that the next blocks should contain them. */
  readonly fresh: number;
  /** Number of transactions that have waited longer and may never be included. */
  readonly waiting: number;
}

/** Time from sending to finality: one block for inclusion and 18 more for solidification (protocol reference §16). */
const USUAL_LIFETIME_BLOCKS = 20;
/**
 * Maximum age of a fresh transaction, in blocks. An older one has missed its blocks: by then its expiration, usually a
 * minute, is solidified.
 */
const FRESH_BLOCKS = 2 * USUAL_LIFETIME_BLOCKS;
const QUERIES_PER_TRANSACTION = 5;
const QUERY_BYTES = 1_000;
/** Size of a block with about fifty transactions. */
const BLOCK_BYTES = 50_000;
const BYTES_WORTH_A_REQUEST = 100_000;
/** The other strategy must cost this much less, so that the choice does not oscillate. */
const WORTH_A_CHANGE = 0.75;

/**
 * Returns the expected costs of both strategies over the next blocks, by the time since each transaction was sent. The
 * local clock only sets the poll interval.
 */
function expectedCosts(live: readonly TrackedTransaction[], intervalMs: number, now: number): ExpectedCosts {
  const interval = Math.min(intervalMs, BLOCK_INTERVAL_MS);
  const fresh = live.filter((it) => now - sentAt(it) < FRESH_BLOCKS * interval).length;
  const waiting = live.length - fresh;
  const queryCount = fresh * QUERIES_PER_TRANSACTION + (waiting * USUAL_LIFETIME_BLOCKS * interval) / LONGEST_PAUSE_MS;
  return {
    fresh,
    waiting,
    each: { requests: Math.ceil(queryCount), bytes: Math.ceil(queryCount) * QUERY_BYTES },
    blocks: { requests: USUAL_LIFETIME_BLOCKS, bytes: USUAL_LIFETIME_BLOCKS * BLOCK_BYTES },
  };
}

/**
 * Returns the cheaper strategy. Reading blocks continues while any transaction is fresh, because most of its blocks are
 * read by then.
 */
function cheaperStrategy({ each, blocks, fresh }: ExpectedCosts, current: PollStrategy): PollStrategy {
  if (current === "blocks") return fresh === 0 && weight(each) < weight(blocks) * WORTH_A_CHANGE ? "each" : "blocks";
  return weight(blocks) < weight(each) * WORTH_A_CHANGE ? "blocks" : "each";
}

/** Formats the choice with its costs, for the log, which is in English. */
function describeStrategy(network: string, way: PollStrategy, { each, blocks, fresh, waiting }: ExpectedCosts): string {
  const what = way === "each" ? "Looking for each transaction" : "Reading every solidified block";
  const why = `${fresh} fresh and ${waiting} waiting`;
  return `${what} of ${network} (${why}). Expected: each ${describe(each)}, blocks ${describe(blocks)}.`;
}

function describe({ requests, bytes }: Cost): string {
  return `${requests} requests and ${Math.round(bytes / 1_000)} kB`;
}

function weight({ requests, bytes }: Cost): number {
  return requests + bytes / BYTES_WORTH_A_REQUEST;
}

function sentAt({ attempts, createdAt }: TrackedTransaction): number {
  return attempts.at(-1)?.startedAt ?? createdAt;
}
