import type { ChainId, Clock, Gateway, NetworkRef } from "@finality/client/gateway";
import type { Permission } from "@finality/client/permissions";
import type { ProofSources } from "@finality/client/proof";
import type {
  BlockFollowers,
  ChainSources,
  Duplicates,
  IntendedTransaction,
  ResendPermission,
  StoredContext,
  SubmissionContext,
  TrackedTransaction,
  TransactionTracker,
} from "@finality/client/tracking";
import type { JournalFile } from "@finality/node/journal";
import { ChainError } from "@finality/tron/errors";
import type { Address, TxId } from "@finality/tron/primitives";
import { defined } from "@finality/tron/primitives";
import type { SignedTransaction } from "@finality/tron/transaction";
import * as vscode from "vscode";
import { lazy } from "../host/async.ts";
import type { Log } from "../host/log/log.ts";
import type { Consent } from "./consent.ts";
import { requireConsent, requireTrust } from "./require-consent.ts";

type TrackingModules = typeof import("./lazy-tracking.ts");

export interface TransactionServiceOptions {
  /** Folder of the journal. */
  readonly folder: string;
  readonly gatewayFor: (network: string) => Promise<Gateway>;
  /** Returns a key for the URL and settings of a network, without a request. */
  readonly profileOf?: (network: string) => string;
  /** Returns the current network of a transaction, whose name may have changed since it was signed. */
  readonly networkFor?: (network: NetworkRef) => string;
  /** Returns the chain of a network by its name, if it is known without a request. */
  readonly chainOf?: (network: string) => ChainId | undefined;
  /** Resolves when tracking may start. */
  readonly prepared?: () => Promise<void>;
  /** Resolves as long as VS Code answers this window. By default it sends the cheapest query. */
  readonly proof?: () => PromiseLike<unknown>;
  /** Other sources for a proof of absence. */
  readonly sourcesFor?: (network: string) => Promise<ProofSources>;
  /** Other readers of the same blocks. */
  readonly followers?: BlockFollowers;
  readonly clock: Clock;
  /** Identifies the network connection; by default from the addresses of this computer. */
  readonly connections?: () => string;
  readonly log: Log;
}

/** Facts about bytes to store. */
interface BytesToStore extends StoredContext {
  readonly renews: boolean;
  /** Permission that may sign them, as the gateway reports it; undefined if not reported. */
  readonly permission?: Permission | undefined;
}

/** State that is available once the journal is loaded. */
interface LoadedState {
  readonly parts: TrackingModules;
  readonly store: JournalFile;
  readonly tracker: TransactionTracker;
}

/** Transactions of this window. The journal is loaded on first use, and one of all windows tracks them. */
export class TransactionService implements vscode.Disposable {
  readonly #options: TransactionServiceOptions;
  readonly #changed = new vscode.EventEmitter<readonly TxId[]>();
  readonly #troubled = new vscode.EventEmitter<void>();
  readonly #closing = new AbortController();
  /** Pending broadcasts, whose answers are stored however late they arrive. */
  readonly #sending = new Set<Promise<unknown>>();
  #opening: Promise<LoadedState> | undefined;
  #opened: LoadedState | undefined;
  #watching: Promise<void> | undefined;

  /** Stops tracking. Resolves when pending answers are stored and the journal is closed. */
  readonly close = lazy(() => this.#end());
  readonly onDidChange = this.#changed.event;
  readonly onDidChangeIssues = this.#troubled.event;

  constructor(options: TransactionServiceOptions) {
    this.#options = options;
  }

  /** Loads the journal and resumes tracking of pending transactions, unless that was done already. */
  async ready(): Promise<void> {
    await this.#open();
  }

  /** Like `ready`, for callers that sign. @throws {ChainError} `JOURNAL_NEWER` if this version may not send */
  async requireReadable(): Promise<void> {
    (await this.#open()).store.requireReadable();
  }

  list(): readonly TrackedTransaction[] {
    return this.#opened?.tracker.list() ?? [];
  }

  get(txId: TxId): TrackedTransaction | undefined {
    return this.#opened?.tracker.get(txId);
  }

  /** Describes connection issues, one per line. */
  get trouble(): string | undefined {
    if (this.#opened === undefined) return undefined;
    const { parts, tracker } = this.#opened;
    return parts.describeTroubles(tracker.issues(), this.#options.clock.now());
  }

  /** Networks that do not answer at the moment. */
  get unanswered(): readonly string[] {
    const issues = this.#opened?.tracker.issues() ?? [];
    return issues.filter(({ waitsFor }) => waitsFor?.startsWith("for-") === true).map(({ network }) => network);
  }

  /**
   * Stores the signed bytes, then broadcasts them. Only this method and `resend` broadcast.
   *
   * @throws {ChainError} `WORKSPACE_NOT_TRUSTED`, `CONSENT_MISSING`, and the errors of submission, after which nothing
   *   was sent
   */
  async submit(signed: SignedTransaction, context: SubmissionContext, consent: Consent): Promise<TrackedTransaction> {
    requireTrust("sent");
    requireConsent(signed.txId, consent);
    const { parts, tracker } = await this.#open();
    const rechecked = await this.#passRefused({ ...context, txId: signed.txId });
    const services = await this.#services(tracker, context.network);
    return await this.#untilSent(parts.submitTransaction(services, signed, { ...context, rechecked }));
  }

  /**
   * Stores bytes that are exported or imported, with all known signatures. Sends nothing.
   *
   * @returns the stored signatures, including those that other windows collected
   * @throws {ChainError} `WORKSPACE_NOT_TRUSTED`, `CONSENT_MISSING`, and the errors of storing, after which the bytes
   *   must not be exported
   */
  async keep(
    signed: SignedTransaction,
    { renews, permission, ...context }: BytesToStore,
    consent: Consent,
  ): Promise<SignedTransaction> {
    requireTrust("signed");
    requireConsent(signed.txId, consent);
    const { parts, tracker } = await this.#open();
    const rechecked = await this.#passRefused({ ...context, txId: signed.txId });
    const { oneOfEach } = await import("../host/secrets/lazy-signing.ts");
    const keys = [...oneOfEach(signed.txId, signed.signatures).keys()];
    const signers = renews ? {} : { signers: keys };
    const quorum = permission === undefined ? {} : { quorum: weigh(permission, keys) };
    const services = { log: tracker, clock: this.#options.clock };
    const stored = await parts.storeTransaction(services, signed, {
      ...context,
      ...signers,
      ...quorum,
      rechecked,
    });
    return { ...signed, signatures: stored.signed?.signatures ?? signed.signatures };
  }

  /**
   * Sends the bytes in the journal again.
   *
   * @param acknowledged - Equal transactions that the sender accepts.
   * @param gateway - Another node than the network's first one.
   * @throws {ChainError} `WORKSPACE_NOT_TRUSTED`, `CONSENT_MISSING`, `RESEND_REFUSED`, after which nothing was sent
   */
  async resend(consent: Consent, acknowledged: readonly string[] = [], gateway?: Gateway): Promise<TrackedTransaction> {
    const { txId } = consent;
    requireTrust("sent");
    requireConsent(txId, consent);
    const { parts, tracker } = await this.#open();
    await tracker.catchUp();
    const tracked = tracker.get(txId);
    const known = [...acknowledged, ...(tracked === undefined ? [] : await this.#apartFrom(tracked))];
    const decision = tracked && parts.decideActions(tracked, { all: tracker.list(), acknowledged: known });
    const reason = decision && parts.resendRefusal(decision.sendSameBytes);
    if (reason !== undefined) throw new ChainError("RESEND_REFUSED", { txId, reason });
    const intended = tracked && this.#intendedBy(tracked);
    const rechecked = intended && (await this.#passRefused({ ...intended, acknowledged: known }));
    const services = await this.#servicesOf(tracker, txId, gateway);
    await parts.checkExpiry(services, txId);
    const sent = parts.resubmitTransaction(services, txId, { acknowledged: known, rechecked });
    const result = await this.#untilSent(sent);
    if (result.kind === "refused") throw new ChainError("RESEND_REFUSED", { txId, reason: result.reason });
    return result.tracked;
  }

  /** Tracks a transaction by its txID, including transactions of others. */
  async adopt(txId: TxId, network: string, label?: string): Promise<TrackedTransaction> {
    const { tracker } = await this.#open();
    const chain = this.#options.chainOf?.(network);
    return await tracker.adopt(txId, { network, ...defined({ chain }) }, label);
  }

  /**
   * Queries a transaction now and reports its state.
   *
   * @throws the reason of the signal
   */
  async lookNow(txId: TxId, signal?: AbortSignal): Promise<void> {
    const { tracker } = await this.#open();
    await tracker.refresh(txId, this.#until(signal));
  }

  /** Finds the transactions that this one would repeat; see `duplicatesOf`. @throws the reason of the signal */
  async findDuplicates(intended: IntendedTransaction, signal?: AbortSignal): Promise<Duplicates> {
    const { parts, tracker } = await this.#open();
    return await parts.findDuplicates(tracker, intended, this.#sources(signal));
  }

  /**
   * Returns whether these bytes may be sent again. Transactions that are certainly on another chain do not conflict.
   */
  async mayResend(tracked: TrackedTransaction, signal?: AbortSignal): Promise<ResendPermission> {
    const { parts, tracker } = await this.#open();
    const acknowledged = await this.#apartFrom(tracked, signal);
    return parts.decideActions(tracked, { all: tracker.list(), acknowledged }).sendSameBytes;
  }

  /** Stops or resumes the search for a proof of absence in this window. */
  async stopProof(txId: TxId, stopped: boolean): Promise<void> {
    const { tracker } = await this.#open();
    tracker.stopProof(txId, stopped);
  }

  /** Removes transactions from the list. The journal keeps them. */
  async hide(...txIds: readonly TxId[]): Promise<void> {
    const { tracker } = await this.#open();
    await tracker.hide(...txIds);
  }

  /** Shows removed transactions again. */
  async restore(...txIds: readonly TxId[]): Promise<void> {
    const { tracker } = await this.#open();
    await tracker.restore(...txIds);
  }

  /**
   * Returns the network that tracks and sends a transaction now: another one of the same chain if its own was removed.
   */
  networkOf(tracked: NetworkRef | undefined): string {
    if (tracked === undefined) return "";
    return this.#options.networkFor?.(tracked) ?? tracked.network;
  }

  /** Called when networks changed, or more of their chains is known. */
  reconsider(): void {
    this.#opened?.tracker.reconsider();
  }

  /** Discards the cached state of a network, because its chain was reset or replaced. */
  startOver(network: string): void {
    this.#opened?.tracker.startOver(network);
  }

  dispose(): void {
    void this.close();
  }

  async #end(): Promise<void> {
    this.#closing.abort();
    this.#opened?.tracker.dispose();
    this.#changed.dispose();
    this.#troubled.dispose();
    await Promise.allSettled([this.#opening, ...this.#sending]);
    await this.#watching;
    await this.#opened?.store.close();
  }

  async #untilSent<T>(sent: Promise<T>): Promise<T> {
    this.#sending.add(sent);
    return await sent.finally(() => this.#sending.delete(sent));
  }

  #open(): Promise<LoadedState> {
    this.#opening ??= this.#load().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #load(): Promise<LoadedState> {
    const { log } = this.#options;
    await this.#options.prepared?.();
    const opened = this.#opened ?? (await this.#create());
    this.#opened = opened;
    const warnings = await opened.tracker.load();
    for (const warning of warnings) this.#warn(warning);
    this.#watching = this.#watch(opened).catch((error: unknown) => {
      if (!this.#closing.signal.aborted) log.error("Transactions are not watched any more.", error);
    });
    return opened;
  }

  #warn(message: string): void {
    this.#options.log.warn(message);
    void import("../host/prompts/notify.ts").then(({ notify }) => notify("warning", message));
  }

  async #create(): Promise<LoadedState> {
    const { folder, gatewayFor, networkFor, profileOf, chainOf, sourcesFor, followers, clock, log } = this.#options;
    const parts = await import("./lazy-tracking.ts");
    const { connections = parts.connectionsNow } = this.#options;
    this.#closing.signal.throwIfAborted();
    const store = new parts.JournalFile(folder, {
      onFollowError: (error) => log.error("The lines of other windows cannot be followed.", error),
      onLost: ({ message }) => this.#warn(message),
    });
    const report = (message: string, error: unknown): void => log.error(message, error);
    const note = (message: string): void => log.info(message);
    const scans = new parts.ScanFile(folder, (error) => log.error("A scan for a proof could not be kept.", error));
    const tracker = new parts.TransactionTracker({
      store,
      gatewayFor,
      clock,
      connections,
      scans,
      followers,
      log: report,
      note,
      ...defined({ networkFor, profileOf }),
      ...(chainOf === undefined ? {} : { scanKeyFor: (network: string) => chainOf(network) ?? network }),
      ...defined({ sourcesFor }),
    });
    tracker.onDidChange((txIds) => this.#changed.fire(txIds));
    tracker.onDidChangeIssue(() => this.#troubled.fire());
    return { parts, store, tracker };
  }

  async #watch({ store, tracker }: LoadedState): Promise<void> {
    const lead = async (signal: AbortSignal): Promise<void> => {
      await this.#compact(store);
      await tracker.start(signal);
    };
    const { folder, proof = editorAnswers, clock, log } = this.#options;
    const report = (message: string, error: unknown): void => log.error(message, error);
    // A bundle of its own, so that its steady input and output can be told from that of other code.
    const { leadAlone } = await import("../host/windows/tracking-leader.ts");
    await leadAlone({ folder, lead, proof, clock, report }, this.#closing.signal);
  }

  /**
   * Queries refused transactions with the same intent, right before bytes are sent. Returns those that are absent.
   *
   * @throws {ChainError} `EQUAL_TRANSACTION_ALIVE`
   */
  async #passRefused(intended: IntendedTransaction): Promise<readonly TxId[]> {
    const { parts, tracker } = await this.#open();
    const rechecked = parts.rejectedEquals(tracker.list(), intended, intended.intent).map(({ txId }) => txId);
    const [refused] = await parts.recheckRejected(tracker, intended, this.#sources());
    if (refused === undefined) return rechecked;
    throw new ChainError("EQUAL_TRANSACTION_ALIVE", { txId: refused.txId, state: refused.state.kind });
  }

  /**
   * Returns equal transactions that are certainly on another chain, and so do not prevent sending these bytes again.
   */
  async #apartFrom(tracked: TrackedTransaction, signal?: AbortSignal): Promise<readonly TxId[]> {
    const { parts, tracker } = await this.#open();
    const intended = this.#intendedBy(tracked);
    const { sendSameBytes } = parts.decideActions(tracked, { all: tracker.list() });
    if (intended === undefined || !sendSameBytes.allowed || sendSameBytes.unless === undefined) return [];
    return (await this.findDuplicates({ ...intended, since: parts.sinceSigned(tracked) }, signal)).onOtherChains;
  }

  /** Returns the intent of an own transaction, on its current network. */
  #intendedBy(tracked: TrackedTransaction): IntendedTransaction | undefined {
    const { txId, chain, signed } = tracked;
    if (signed === undefined) return undefined;
    const { intent, rawDataHex } = signed;
    return { network: this.networkOf(tracked), ...defined({ chain }), txId, intent, rawDataHex };
  }

  /** Returns a signal that ends when the window closes or the caller cancels. */
  #until(signal: AbortSignal | undefined): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([this.#closing.signal, signal]);
  }

  #sources(signal?: AbortSignal): ChainSources {
    const { gatewayFor, sourcesFor, clock } = this.#options;
    const urlsOf = async (network: string): Promise<readonly Gateway[]> => {
      const own = await gatewayFor(network);
      return [own, ...((await sourcesFor?.(network))?.others ?? [])];
    };
    return { urlsOf, networkOf: (place) => this.networkOf(place), clock, signal: this.#until(signal) };
  }

  /** A compaction that fails is tried again later. */
  async #compact(store: JournalFile): Promise<void> {
    const { log } = this.#options;
    try {
      const saved = await store.compact();
      if (saved > 0) log.info(`The journal was compacted: ${saved} lines that nothing needs any more were left out.`);
    } catch (error) {
      log.error("The journal could not be compacted. It stays as it is.", error);
    }
  }

  async #services(tracker: TransactionTracker, network: string, gateway?: Gateway) {
    const { gatewayFor, clock } = this.#options;
    return { log: tracker, gateway: gateway ?? (await gatewayFor(network)), clock };
  }

  /** Creating a gateway may reveal that its network is another chain now. */
  async #servicesOf(tracker: TransactionTracker, txId: TxId, gateway?: Gateway) {
    const name = (): string => this.networkOf(tracker.get(txId));
    const first = name();
    const services = await this.#services(tracker, first, gateway);
    return name() === first ? services : await this.#services(tracker, name(), gateway);
  }
}

function weigh({ threshold, keys }: Permission, signers: readonly Address[]) {
  return { threshold, weights: signers.map((it) => keys.find(({ address }) => address === it)?.weight ?? 0n) };
}

function editorAnswers(): PromiseLike<unknown> {
  return vscode.commands.executeCommand("setContext", "finality.isHere", true);
}
