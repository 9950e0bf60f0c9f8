import { ChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import { defined } from "@finality/tron/primitives";
import { type Clock, within } from "../gateway/clock.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { NetworkRef } from "../gateway/network.ts";
import type { ScanStore } from "../proof/absence-scan.ts";
import { GATEWAY_ONLY, type ProofSources } from "../proof/confirm-absence.ts";
import { awaitsProof, isLive, needsRecheck } from "../retry/retry-policy.ts";
import { type History, transition } from "../transaction-state/history.ts";
import type { JournalEntry, JournalStore } from "../transaction-state/journal-entry.ts";
import { trackedFromHistory } from "../transaction-state/tracked-from-history.ts";
import type { ProofProgress, TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import { queryWithFallbacks } from "../transaction-state/transaction-query.ts";
import { type ConnectionIssue, isGatewayAnswer } from "./connection-issue.ts";
import { FactWriter } from "./fact-writer.ts";
import { NetworkPoller } from "./network-poller.ts";
import type { BlockFollower } from "./polling.ts";

/** Readers of network blocks besides the tracker. */
export interface BlockFollowers {
  /** Returns the networks on which a follower waits for blocks. */
  networks(): readonly string[];
  on(network: string): BlockFollower | undefined;
}

/** Dependencies of the tracker. */
export interface TrackerOptions {
  readonly store: JournalStore;
  /**
   * Returns the gateway of a network by its name. It may reject, for example if the profile was removed; the tracker
   * reports that as an issue.
   */
  readonly gatewayFor: (network: string) => Promise<Gateway>;
  /** Network to query for a transaction now; if undefined, the one that it was signed for. */
  readonly networkFor?: (network: NetworkRef) => string;
  /** Identifies the URL and settings of a network: another text after they changed. Sends no request. */
  readonly profileOf?: (network: string) => string;
  /** Further sources queried before a proof of absence counts; without it, only the gateway is queried. */
  readonly sourcesFor?: (network: string) => Promise<ProofSources>;
  readonly clock: Clock;
  /**
   * Text that describes the network connections of this computer and changes with them. Read while no gateway answers,
   * so that a restored connection is used at once.
   */
  readonly connections?: (() => string) | undefined;
  /** Readers that share the requests of the tracker. */
  readonly followers?: BlockFollowers | undefined;
  /** Store of the proof scans, for the next window. */
  readonly scans?: ScanStore;
  /** Key under which the scan of a network is stored: its chain if known, otherwise the network's name. */
  readonly scanKeyFor?: (network: string) => string;
  /** Receives errors that have no other recipient: a listener or a poller that failed for a reason of its own. */
  readonly log?: (message: string, error: unknown) => void;
  /** Called with decisions and their reasons. */
  readonly note?: (message: string) => void;
}

interface OpenTransactions {
  readonly live: readonly TrackedTransaction[];
  readonly refused: readonly TrackedTransaction[];
  readonly candidates: readonly TrackedTransaction[];
}

/** Transaction that the chain may still change. */
interface UnsettledTransaction {
  readonly tracked: TrackedTransaction;
  readonly isLive: boolean;
  readonly isRefused: boolean;
  readonly awaitsProof: boolean;
}

const NEVER = new AbortController().signal;
/** VS Code may have to prompt the user for the secrets of a network. */
const GATEWAY_MS = 20_000;

/**
 * All tracked transactions: the content of the journal and, between `start` and the abort of its signal, the state of
 * the chain. Facts are written to the journal before they change the state.
 */
export class TransactionTracker {
  readonly #options: TrackerOptions;
  readonly #histories = new Map<TxId, History>();
  readonly #tracked = new Map<TxId, TrackedTransaction>();
  /** Those that the chain may still change. */
  readonly #unsettled = new Map<TxId, UnsettledTransaction>();
  /** All transactions, newest first, until the next change. */
  #sorted: readonly TrackedTransaction[] | undefined;
  readonly #writer: FactWriter;
  readonly #changes: Listeners<readonly TxId[]>;
  readonly #issueChanges: Listeners<string>;
  readonly #issues = new Map<string, ConnectionIssue>();
  /** Open transactions of each network, cached until the next change. */
  readonly #open = new Map<string, OpenTransactions>();
  /** One poller for each network that had something to track. It reuses the measured block interval. */
  readonly #pollers = new Map<string, NetworkPoller>();
  readonly #runningPollers = new Map<string, Promise<void>>();
  /** Transactions whose proof the user stopped in this window. */
  readonly #stoppedProofs = new Set<TxId>();
  #running: { readonly signal: AbortSignal; readonly giveUp: AbortController } | undefined;
  #following: Subscription | undefined;

  constructor(options: TrackerOptions) {
    this.#options = options;
    const failed = (error: unknown): void => options.log?.("A listener of the tracker failed.", error);
    this.#changes = new Listeners(failed);
    this.#issueChanges = new Listeners(failed);
    const { store, clock, log } = options;
    const troubled = (issue: ConnectionIssue | undefined): void => this.#setIssue(JOURNAL, issue);
    this.#writer = new FactWriter({ network: JOURNAL, store, clock, log, onIssue: troubled });
  }

  /**
   * Loads the journal and follows the entries of other windows.
   *
   * @returns messages about unreadable lines
   * @throws {ChainError} `JOURNAL_UNWRITABLE` if the folder cannot be used
   */
  async load(): Promise<readonly string[]> {
    const { store } = this.#options;
    const { entries, warnings } = await store.load();
    this.#fold(entries);
    this.#following ??= store.onDidAppend?.((added) => this.#fold(added));
    return warnings;
  }

  /** All transactions, newest first, including hidden ones. */
  list(): readonly TrackedTransaction[] {
    this.#sorted ??= [...this.#tracked.values()].sort((a, b) => b.createdAt - a.createdAt);
    return this.#sorted;
  }

  get(txId: TxId): TrackedTransaction | undefined {
    return this.#tracked.get(txId);
  }

  /** Fires with the txIDs that changed. */
  onDidChange(listener: (txIds: readonly TxId[]) => void): Subscription {
    return this.#changes.add(listener);
  }

  /** Fires with the network whose issue began, changed or ended; the journal's own has the name "". */
  onDidChangeIssue(listener: (network: string) => void): Subscription {
    return this.#issueChanges.add(listener);
  }

  /** Returns the reason why a network cannot be polled at the moment; undefined if it can. */
  issueOf(network: string): ConnectionIssue | undefined {
    return this.#issues.get(network);
  }

  /** All current issues. */
  issues(): readonly ConnectionIssue[] {
    return [...this.#issues.values()];
  }

  /**
   * Writes entries that must be on disk before they have any effect.
   *
   * @throws {ChainError} `JOURNAL_UNWRITABLE`; the state is unchanged then
   */
  async record(...facts: readonly JournalEntry[]): Promise<void> {
    this.#fold(await this.#writer.record(facts));
  }

  /** Stores facts that are valid even if they cannot be written: refused writes are repeated until they succeed. */
  async note(...facts: readonly JournalEntry[]): Promise<void> {
    if (facts.length > 0) this.#fold(await this.#writer.note(facts));
  }

  /**
   * Like `record`, and resolves when everything that other windows have on disk is known.
   *
   * @returns the transactions whose signed bytes other windows wrote after these entries; all others precede them
   * @throws {ChainError} `JOURNAL_UNWRITABLE`; nothing was written then. `JOURNAL_LOST`, `JOURNAL_NEWER`; the claim
   *   does not count
   */
  async claim(...facts: readonly JournalEntry[]): Promise<ReadonlySet<TxId>> {
    const { entries, behind, loss } = await this.#writer.claim(facts);
    this.#fold(entries);
    if (loss !== undefined) throw loss;
    return newlySignedBehind(behind, this.#histories);
  }

  /** Loads what other windows have on disk by now. */
  async catchUp(): Promise<void> {
    await this.#options.store.catchUp?.();
  }

  /** Tracks a transaction of another sender by its txID alone. A hidden transaction is shown again. */
  async adopt(txId: TxId, network: NetworkRef, label?: string): Promise<TrackedTransaction> {
    const known = this.#tracked.get(txId);
    if (known !== undefined && !known.hidden && label === undefined) return known;
    await this.record({ kind: "adopted", txId, at: this.#afterRemoval(txId), ...network, ...defined({ label }) });
    return this.#known(txId);
  }

  /** Hides transactions, in one write. Their facts stay, and they are no longer queried. */
  async hide(...txIds: readonly TxId[]): Promise<void> {
    const at = this.#options.clock.now();
    const known = txIds.filter((txId) => this.#tracked.has(txId));
    if (known.length > 0) await this.record(...known.map((txId) => ({ kind: "hidden", txId, at }) as const));
  }

  /** Shows hidden transactions again, in one write. They are queried again if they are not final. */
  async restore(...txIds: readonly TxId[]): Promise<void> {
    const facts = txIds.flatMap((txId): readonly JournalEntry[] => {
      const tracked = this.#tracked.get(txId);
      if (tracked?.hidden !== true) return [];
      const { network, chain } = tracked;
      return [{ kind: "adopted", txId, at: this.#afterRemoval(txId), network, ...defined({ chain }) }];
    });
    if (facts.length > 0) await this.record(...facts);
  }

  /**
   * Queries a transaction now, in solidified data and then in the head.
   *
   * @returns its state; undefined for a txID that is not tracked
   * @throws {ChainError} the errors of the gateway
   */
  async refresh(txId: TxId, signal: AbortSignal = NEVER): Promise<TrackedTransaction | undefined> {
    const { clock } = this.#options;
    const tracked = this.#tracked.get(txId);
    if (tracked === undefined) return undefined;
    const network = this.#networkOf(tracked);
    const gateway = await this.#gatewayFor(network);
    const context = { gateway, clock, signal };
    const others = async () => (await this.#sourcesFor(network)).others;
    const facts = await queryWithFallbacks(tracked, context, others);
    this.#pollers.get(network)?.answered(gateway.endpoint);
    await this.note(...facts);
    return this.#tracked.get(txId);
  }

  /** Stops the search for a proof in this window, or resumes it where it stopped. */
  stopProof(txId: TxId, stopped: boolean): void {
    if (stopped) this.#stoppedProofs.add(txId);
    else this.#stoppedProofs.delete(txId);
    this.#showProving([txId], stopped ? STOPPED_BY_HAND : undefined);
    this.#pollUnsettled(new Set([txId]));
  }

  /**
   * Polls the unsettled transactions of every network until the signal aborts; resolves when all polling has stopped.
   *
   * @throws {ChainError} `EDITOR_SILENT` if the window cannot reach VS Code, so that another one should track
   */
  async start(facts: AbortSignal): Promise<void> {
    if (facts.aborted) return;
    const giveUp = new AbortController();
    const signal = AbortSignal.any([facts, giveUp.signal]);
    this.#running = { signal, giveUp };
    const { promise: aborted, resolve } = Promise.withResolvers<void>();
    signal.addEventListener("abort", () => resolve(), { once: true });
    this.#pollUnsettled();
    await aborted;
    if (this.#running?.signal === signal) this.#running = undefined;
    await Promise.all(this.#runningPollers.values());
    if (!facts.aborted) throw giveUp.signal.reason;
  }

  /**
   * Discards the observations of a network's blocks, for development chains: such a chain can be reset to an earlier
   * time. The content of the journal stays.
   */
  startOver(network: string): void {
    this.#pollers.get(network)?.startOver();
  }

  /**
   * Called when networks changed, or more of their chains is known: each transaction is queried on its current network.
   */
  reconsider(): void {
    this.#open.clear();
    for (const watch of this.#pollers.values()) watch.profileChanged();
    this.#pollUnsettled();
  }

  /** Stops following the journal. */
  dispose(): void {
    this.#writer.close();
    this.#following?.dispose();
    this.#following = undefined;
  }

  /** Returns the current time, or the first one after the removal: an earlier entry would not show it again. */
  #afterRemoval(txId: TxId): number {
    return Math.max(this.#options.clock.now(), (this.#histories.get(txId)?.hidden?.at ?? 0) + 1);
  }

  #fold(entries: readonly JournalEntry[]): void {
    const changed = new Set<TxId>();
    for (const entry of entries) {
      this.#histories.set(entry.txId, transition(this.#histories.get(entry.txId), entry));
      this.#writer.observe(entry);
      changed.add(entry.txId);
    }
    this.#open.clear();
    this.#sorted = undefined;
    for (const txId of changed) {
      const history = this.#histories.get(txId);
      if (history !== undefined) this.#setTracked(trackedFromHistory(history));
    }
    if (changed.size === 0) return;
    this.#changes.fire([...changed]);
    for (const { txId } of entries.filter(isGatewayAnswer)) this.#pollerOf(txId)?.resume();
    this.#pollUnsettled(changed);
  }

  #setTracked(tracked: TrackedTransaction): void {
    this.#tracked.set(tracked.txId, tracked);
    const unsettled = {
      tracked,
      isLive: isLive(tracked),
      isRefused: needsRecheck(tracked),
      awaitsProof: awaitsProof(tracked),
    };
    if (unsettled.isLive || unsettled.isRefused || unsettled.awaitsProof) this.#unsettled.set(tracked.txId, unsettled);
    else this.#unsettled.delete(tracked.txId);
  }

  #pollerOf(txId: TxId): NetworkPoller | undefined {
    const tracked = this.#tracked.get(txId);
    return tracked && this.#pollers.get(this.#networkOf(tracked));
  }

  #networkOf(tracked: TrackedTransaction): string {
    return this.#options.networkFor?.(tracked) ?? tracked.network;
  }

  #known(txId: TxId): TrackedTransaction {
    const tracked = this.#tracked.get(txId);
    if (tracked === undefined) throw new Error(`${txId} was recorded a moment ago and is not there.`);
    return tracked;
  }

  /** Starts polling for every network with unsettled transactions, and queries new ones without delay. */
  #pollUnsettled(changed: Iterable<TxId> = this.#unsettled.keys()): void {
    const signal = this.#running?.signal;
    if (signal === undefined) return;
    const live = [...changed].flatMap((txId) => this.#unsettled.get(txId)?.tracked ?? []);
    const followed = this.#options.followers?.networks() ?? [];
    for (const network of new Set([...live.map((it) => this.#networkOf(it)), ...followed])) {
      if (this.#runningPollers.has(network)) this.#pollers.get(network)?.wake();
      else this.#startPoller(network, signal);
    }
  }

  #startPoller(network: string, signal: AbortSignal): void {
    const watch = this.#pollers.get(network) ?? this.#newPoller(network);
    this.#pollers.set(network, watch);
    const done = watch
      .run(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#options.log?.(`The watch of ${network} failed.`, error);
      })
      .finally(() => {
        this.#runningPollers.delete(network);
        // Another window polls now and has its own observations.
        if (signal.aborted) this.#setIssue(network, undefined);
      });
    this.#runningPollers.set(network, done);
  }

  #newPoller(network: string): NetworkPoller {
    const { clock, connections, scans, scanKeyFor, followers, profileOf } = this.#options;
    return new NetworkPoller({
      network,
      follower: () => followers?.on(network),
      profile: () => profileOf?.(network) ?? "",
      clock,
      connections,
      scans,
      sources: () => this.#sourcesFor(network),
      gateway: () => this.#gatewayFor(network),
      scanKey: () => scanKeyFor?.(network) ?? network,
      live: () => this.#openOf(network).live,
      refused: () => this.#openOf(network).refused,
      candidates: () => this.#openOf(network).candidates.filter((it) => !this.#stoppedProofs.has(it.txId)),
      showProgress: (txIds, proving) => {
        const shown = txIds.filter((txId) => !this.#stoppedProofs.has(txId));
        this.#showProving(shown, proving);
      },
      recordFacts: (facts) => this.note(...facts),
      onIssue: (issue) => this.#setIssue(network, issue),
      onDecision: (message) => this.#options.note?.(message),
    });
  }

  async #gatewayFor(network: string): Promise<Gateway> {
    return await this.#fromEditor(network, this.#options.gatewayFor(network));
  }

  async #sourcesFor(network: string): Promise<ProofSources> {
    const { sourcesFor } = this.#options;
    return sourcesFor === undefined ? GATEWAY_ONLY : await this.#fromEditor(network, sourcesFor(network));
  }

  /** Awaits an answer of the window. A closed window never answers: the leading window then gives up the lead. */
  async #fromEditor<T>(network: string, answer: Promise<T>): Promise<T> {
    const silent = new ChainError("EDITOR_SILENT", { network, seconds: GATEWAY_MS / 1_000 });
    try {
      return await within(this.#options.clock, GATEWAY_MS, answer, () => silent);
    } catch (error) {
      if (error === silent) this.#running?.giveUp.abort(silent);
      throw error;
    }
  }

  /** Called several times per block, and the same as long as nothing changes. */
  #openOf(network: string): OpenTransactions {
    const known = this.#open.get(network);
    if (known !== undefined) return known;
    const here = [...this.#unsettled.values()].filter(({ tracked }) => this.#networkOf(tracked) === network);
    const select = (kind: "isLive" | "isRefused" | "awaitsProof"): readonly TrackedTransaction[] =>
      here.filter((it) => it[kind]).map(({ tracked }) => tracked);
    const open = { live: select("isLive"), refused: select("isRefused"), candidates: select("awaitsProof") };
    this.#open.set(network, open);
    return open;
  }

  /** Shows the progress of the search for a proof until the transaction changes to another state. */
  #showProving(txIds: readonly TxId[], proving: ProofProgress | undefined): void {
    this.#open.clear();
    this.#sorted = undefined;
    for (const txId of txIds) {
      const tracked = this.#tracked.get(txId);
      if (tracked === undefined) continue;
      const { proving: _before, ...rest } = tracked;
      this.#setTracked(proving === undefined || !awaitsProof(tracked) ? rest : { ...rest, proving });
    }
    if (txIds.length > 0) this.#changes.fire(txIds);
  }

  #setIssue(network: string, issue: ConnectionIssue | undefined): void {
    if (issue === undefined && !this.#issues.has(network)) return;
    if (issue === undefined) this.#issues.delete(network);
    else this.#issues.set(network, issue);
    this.#issueChanges.fire(network);
  }
}

const STOPPED_BY_HAND: ProofProgress = { kind: "stopped", reason: { kind: "by-hand" } };

/** Name under which the issue of the journal is stored; no network has it. */
const JOURNAL = "";

/**
 * Returns the transactions whose signed bytes are after a claim for the first time. Excludes transactions that were
 * sent before, wherever their lines are, because lines that were removed from the journal reappear in it.
 *
 * @param behind - Entries that other windows wrote after the claim.
 * @param histories - Histories with those entries.
 */
function newlySignedBehind(behind: readonly JournalEntry[], histories: ReadonlyMap<TxId, History>): ReadonlySet<TxId> {
  const signed = Map.groupBy(
    behind.filter(({ kind }) => kind === "signed"),
    ({ txId }) => txId,
  );
  const first = [...signed].filter(([txId, lines]) => {
    const history = histories.get(txId);
    return history?.signed.length === lines.length && history.started.length === 0;
  });
  return new Set(first.map(([txId]) => txId));
}

export interface Subscription {
  dispose(): void;
}

/** Set of listeners. A listener that fails does not keep the others from being notified. */
export class Listeners<T> {
  readonly #listeners = new Set<(value: T) => void>();
  readonly #failed: (error: unknown) => void;

  constructor(failed: (error: unknown) => void) {
    this.#failed = failed;
  }

  add(listener: (value: T) => void): Subscription {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  fire(value: T): void {
    for (const listener of this.#listeners) {
      try {
        listener(value);
      } catch (error) {
        this.#failed(error);
      }
    }
  }
}
