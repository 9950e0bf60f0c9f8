import { ChainError, isChainError } from "@finality/tron/errors";
import { codeMeant } from "@finality/tron/node-messages";
import { defined, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { type Clock, within } from "../gateway/clock.ts";
import type { Gateway } from "../gateway/gateway.ts";
import type { NetworkRef } from "../gateway/network.ts";
import { type ChainSources, replacementConflict, type Since, sinceSigned } from "../retry/conflicting-transactions.ts";
import { ruleFor } from "../retry/retry-policy.ts";
import { type SubmissionServices, sendStored } from "../tracking/submit-transaction.ts";
import type { TransactionTracker } from "../tracking/transaction-tracker.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import { EqualPayments } from "./equal-payments.ts";
import { AttemptBuilder, type RunSigner } from "./run-attempt.ts";
import { RunProgress } from "./run-progress.ts";
import { retryPermission, verifyRetry } from "./run-retry.ts";
import {
  type Claim,
  type CommitResult,
  isRefusedForNow,
  type RunControl,
  type RunStore,
  type SignedEntry,
  type StoredRun,
  type Worker,
} from "./run-store.ts";

export interface RunWorkerOptions {
  readonly run: string;
  readonly worker: Worker;
  readonly store: RunStore;
  /** Has loaded the journal of the store. */
  readonly tracker: TransactionTracker;
  readonly gateway: Gateway;
  /** Network of the gateway, with its verified chain. */
  readonly network: NetworkRef;
  readonly sources: ChainSources;
  readonly signer: RunSigner;
  readonly clock: Clock;
  /** Maximum number of rows whose bytes are being signed or sent, or whose answer is unknown. */
  readonly concurrency: number;
  /** Chain time from the newest block to the expiration, ms; 60 s if undefined. */
  readonly lifetimeMs?: number;
  readonly leaseMs?: number;
  /** Called with problems that the worker waits for. */
  readonly warn: (message: string) => void;
}

/**
 * End of a worker. `finished`: every row has a final state. `stopped`: by the user, or because of `reason`.
 * `interrupted`: by the signal.
 */
export interface RunEnd {
  readonly kind: "finished" | "stopped" | "interrupted";
  readonly reason?: string;
}

const LIFETIME_MS = 60_000;
const LEASE_MS = 30_000;
/** Interval at which orders of the user and rows of other workers are noticed; ms. */
const LOOK_MS = 500;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 15_000;
/** Time for the tracker to see bytes whose answer was lost, before they are sent again; ms. */
const SIGHTING_MS = 4_000;
/** Consecutive refusals after which the run stops: the next rows would be refused too. */
const MOST_REFUSALS = 5;
/** Attempts after which a row is not tried again by itself. */
const MOST_ATTEMPTS = 5;

/** Row that this worker claimed. The signal aborts when another worker has it or the worker ends. */
interface HeldRow {
  claim: Claim;
  readonly stop: AbortController;
}

/**
 * Executes the rows of one run: claim, build, verify, sign, commit, send. An attempt that is committed is sent again as
 * the same bytes until an answer or a sighting; another attempt needs a permission of the retry policy. Several workers
 * share a run. The one that leads also tracks the network.
 */
export class RunWorker {
  readonly #options: RunWorkerOptions;
  readonly #builder: AttemptBuilder;
  readonly #equals: EqualPayments;
  readonly #ready: HeldRow[] = [];
  readonly #active = new Map<number, HeldRow>();
  readonly #working = new Set<Promise<void>>();
  readonly #ended = new AbortController();
  #progress: RunProgress | undefined;
  #wake: () => void = () => undefined;
  #refusals = 0;
  #stopReason: string | undefined;
  #failure: { readonly error: unknown } | undefined;
  #permitting = 0;

  constructor(options: RunWorkerOptions) {
    const { gateway, clock, lifetimeMs = LIFETIME_MS, tracker } = options;
    this.#options = options;
    this.#builder = new AttemptBuilder(gateway, clock, lifetimeMs);
    this.#equals = new EqualPayments(tracker);
  }

  /**
   * Works until every row is final, the run is stopped or the signal aborts. Answers of bytes that left are awaited.
   *
   * @throws {ChainError} an error that waiting does not solve, such as `SIGNATURE_FOREIGN`, `CHAIN_CHANGED`; what is
   *   stored stays, and the run can be resumed
   */
  async run(signal: AbortSignal): Promise<RunEnd> {
    const { tracker } = this.#options;
    const progress = await this.#open(signal);
    if (progress === undefined) return { kind: "interrupted" };
    this.#progress = progress;
    const following = tracker.onDidChange((txIds) => this.#permitProven(txIds));
    this.#permitProven([...this.#progress.rows()].flatMap(({ last }) => last?.txId ?? []));
    const wake = (): void => this.#wake();
    signal.addEventListener("abort", wake, { once: true });
    const background = [this.#track(), this.#extendLeases()];
    try {
      return await this.#loop(signal, progress);
    } finally {
      signal.removeEventListener("abort", wake);
      const held = [...this.#active.values()];
      for (const { stop } of held) stop.abort();
      await Promise.all(this.#working);
      await this.#release([...this.#ready.splice(0), ...held]);
      this.#ended.abort();
      await Promise.all(background);
      following.dispose();
      this.#equals.dispose();
      progress.dispose();
    }
  }

  /** Waits until the store answers, as after its restart. @returns undefined after the signal */
  async #open(signal: AbortSignal): Promise<RunProgress | undefined> {
    const { store, tracker, run, clock, warn } = this.#options;
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        await this.#requireRun();
        return await RunProgress.load(store, tracker, run);
      } catch (error) {
        if (!isTemporary(error) || error === NO_RUN) throw error;
        warn(error.message);
        await clock.sleep(pauseOf(tries), signal).catch(() => undefined);
      }
    }
    return undefined;
  }

  async #loop(signal: AbortSignal, progress: RunProgress): Promise<RunEnd> {
    let lookAt = Number.NEGATIVE_INFINITY;
    let control: RunControl = "running";
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error;
      if (signal.aborted) return { kind: "interrupted" };
      const { clock } = this.#options;
      if (this.#stopReason !== undefined) return await this.#stopped(this.#stopReason);
      let isEmpty = false;
      if (clock.now() - lookAt >= LOOK_MS || clock.now() < lookAt) {
        control = await this.#control(control);
        lookAt = clock.now();
        isEmpty = control === "running" && (await this.#claim()) === 0;
      } else if (control === "running" && this.#ready.length < this.#options.concurrency / 2) {
        isEmpty = (await this.#claim()) === 0;
      }
      if (control !== "running") await this.#release(this.#ready.splice(0));
      if (control === "stopping" && this.#active.size === 0) return { kind: "stopped" };
      this.#start();
      const isIdle = this.#active.size === 0 && this.#ready.length === 0 && this.#permitting === 0;
      const isDone = isIdle && (isEmpty || control !== "running") && progress.open === 0;
      if (isDone && (control !== "running" || !(await this.#confirmExpired(progress)))) return { kind: "finished" };
      if (this.#ready.length === 0 || this.#active.size >= this.#options.concurrency)
        await this.#rest(LOOK_MS, isEmpty);
    }
  }

  /**
   * Sends the bytes of rows once more that were refused as expired, if their worker ended before it did that: then the
   * policy requires a proof of absence.
   *
   * @returns false if there are none
   */
  async #confirmExpired(progress: RunProgress): Promise<boolean> {
    const refused = [...progress.rows()].flatMap(({ state, last }) => (state === "rejected" && last ? last : []));
    let isSent = false;
    for (const tracked of refused) {
      const { txId, signed } = tracked;
      if (signed === undefined || nextStep(tracked) !== "confirm" || !(await this.#isExpired(tracked))) continue;
      await this.#unlessTemporary(() => sendStored(this.#services(), { txId, ...signed }));
      isSent = true;
    }
    return isSent;
  }

  /** Stops the run for all workers. */
  async #stopped(reason: string): Promise<RunEnd> {
    const { store, run } = this.#options;
    await this.#unlessTemporary(() => store.setControl(run, "stopping"));
    return { kind: "stopped", reason };
  }

  /** @throws {ChainError} `RUN_STORE_UNAVAILABLE`, `CHAIN_CHANGED` */
  async #requireRun(): Promise<StoredRun> {
    const { store, run: id, gateway, network } = this.#options;
    const run = await store.run(id);
    if (run === undefined) throw NO_RUN;
    const chain = network.chain ?? (await gateway.chainId("solid"));
    if (chain === run.network.chain) return run;
    throw new ChainError("CHAIN_CHANGED", { url: gateway.endpoint, before: run.network.chain, now: chain ?? "?" });
  }

  async #control(before: RunControl): Promise<RunControl> {
    const { store, run } = this.#options;
    return (await this.#unlessTemporary(() => store.run(run)))?.control ?? before;
  }

  /** Claims further rows if there is room. @returns the number of claims; undefined without room */
  async #claim(): Promise<number | undefined> {
    const { store, worker, run, concurrency, leaseMs = LEASE_MS } = this.#options;
    const limit = 2 * concurrency - this.#ready.length - this.#active.size;
    if (limit <= 0) return undefined;
    const claims = await this.#unlessTemporary(() => store.claim(worker, { run, limit, leaseMs }));
    for (const claim of claims ?? []) this.#ready.push({ claim, stop: new AbortController() });
    return claims?.length;
  }

  #start(): void {
    while (this.#active.size < this.#options.concurrency) {
      const held = this.#ready.shift();
      if (held === undefined) return;
      this.#active.set(held.claim.row, held);
      const work = this.#work(held).finally(() => {
        this.#working.delete(work);
        this.#active.delete(held.claim.row);
        this.#wake();
      });
      this.#working.add(work);
    }
  }

  /** Waits for a change, or for the time. Without an empty claim before, a short time suffices. */
  async #rest(ms: number, isEmpty: boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#wake = resolve;
    const stop = new AbortController();
    const sleep = this.#options.clock.sleep(ms, stop.signal).catch(() => undefined);
    if (isEmpty) await sleep;
    else await Promise.race([promise, sleep]);
    stop.abort(AWAKE);
  }

  async #work(held: HeldRow): Promise<void> {
    try {
      const { attempts, retryAfter } = held.claim;
      const last = attempts.at(-1);
      const isNew = last === undefined || last === retryAfter;
      const txId = isNew ? await this.#patiently(held, () => this.#attempt(held, last)) : last;
      if (txId !== undefined) await this.#deliver(txId, held);
    } catch (error) {
      if (!held.stop.signal.aborted) this.#fail(error);
    }
  }

  /** Ends the worker with an error that waiting does not solve. */
  #fail(error: unknown): undefined {
    this.#failure ??= { error };
    this.#wake();
  }

  /** @returns the committed attempt; undefined if this worker must not make one now */
  async #attempt(held: HeldRow, last: TxId | undefined): Promise<TxId | undefined> {
    const { network, signer, clock } = this.#options;
    const { claim } = held;
    const retry = last === undefined ? NO_RETRY : await this.#verifyRetry(last, held);
    if (retry === undefined || !(await this.#hasNoEqual(held, retry.since))) return undefined;
    for (;;) {
      held.stop.signal.throwIfAborted();
      const { verified, solidHeight } = await this.#builder.build(claim.intent);
      const { txId, rawDataHex, signatures } = await signer.sign(verified);
      held.stop.signal.throwIfAborted();
      const entry: SignedEntry = {
        ...{ kind: "signed", txId, at: clock.now(), ...network, intent: claim.intent, rawDataHex, signatures },
        ...{ expiration: verified.expiration, solidHeight, run: { id: claim.run, row: claim.row } },
        ...defined({ label: claim.label, replaces: retry.replaces }),
      };
      const result = await this.#commit(held, entry);
      if (result === "committed") return txId;
      if (result !== "tx-id-used") return undefined;
    }
  }

  /** Verifies again, right before the signature, that another attempt is permitted. Undefined if it is not. */
  async #verifyRetry(last: TxId, { claim, stop }: HeldRow): Promise<Retry | undefined> {
    const { tracker, sources, warn } = this.#options;
    const tracked = await this.#signedPart(last, stop.signal);
    const permission = await verifyRetry(tracked, tracker, sources);
    if (permission.kind === "permitted") {
      return { since: sinceSigned(tracked), ...(permission.isReplacement ? { replaces: last } : {}) };
    }
    warn(t`Row ${claim.row} is not repeated now: ${permission.why}`);
    return undefined;
  }

  /**
   * Waits while an equal transaction outside of runs may be executed.
   *
   * @returns false if one was executed since the row was first tried, so that a repetition may be a second payment
   */
  async #hasNoEqual({ claim, stop }: HeldRow, since: Since | undefined): Promise<boolean> {
    const { network, warn } = this.#options;
    let warned: TxId | undefined;
    for (;;) {
      const equal = this.#equals.unsettled(network, claim.intent, since);
      if (equal === undefined) return true;
      if (warned !== equal.txId) warn(t`Row ${claim.row} waits for the equal transaction ${equal.txId}.`);
      if (equal.state.kind === "solidified") return false;
      warned = equal.txId;
      await this.#changed(equal.txId, LONGEST_PAUSE_MS, stop.signal);
      stop.signal.throwIfAborted();
    }
  }

  /**
   * Commits. If the acknowledgement was lost, the same bytes are committed again until the store answers: a commit that
   * is still under way must not meet another attempt. Bytes that are not committed are never sent.
   */
  async #commit(held: HeldRow, entry: SignedEntry): Promise<CommitResult> {
    const { store, tracker, clock, warn } = this.#options;
    const { signal } = held.stop;
    for (let tries = 0; ; tries++) {
      try {
        const result = await store.commitAttempt(held.claim, entry);
        if (result === "committed" && tries > 0) await this.#patiently(held, () => tracker.catchUp());
        return result;
      } catch (error) {
        const isUnknown = isChainError(error) && error.code === "RUN_COMMIT_UNKNOWN";
        if (!isUnknown && (tries === 0 || !isTemporary(error))) throw error;
        warn(error instanceof Error ? error.message : String(error));
        await clock.sleep(pauseOf(tries), signal).catch(() => undefined);
        if (signal.aborted) return "fenced";
      }
    }
  }

  /** Sends the bytes of an attempt until an answer or a sighting decides about it. */
  async #deliver(txId: TxId, held: HeldRow): Promise<void> {
    const { signal } = held.stop;
    for (let tries = 0; !signal.aborted; tries++) {
      const { rawDataHex, signatures } = (await this.#signedPart(txId, signal)).signed;
      if (!(await this.#isToBeSent(txId))) break;
      await this.#unlessTemporary(() => sendStored(this.#services(), { txId, rawDataHex, signatures }));
      const after = this.#options.tracker.get(txId);
      if (after !== undefined && nextStep(after) === "none") break;
      const isInNetwork = after !== undefined && ruleFor(after).row === "unknown";
      await this.#changed(txId, isInNetwork ? Math.max(SIGHTING_MS, pauseOf(tries)) : pauseOf(tries), signal);
    }
    await this.#countRefusal(this.#options.tracker.get(txId));
  }

  #services(): SubmissionServices {
    const { tracker, gateway, clock } = this.#options;
    return { log: tracker, gateway, clock };
  }

  /**
   * Waits until bytes have to be sent. Expired ones of an unknown outcome wait for the tracker. A refusal as expired is
   * sent once more: then the policy requires a proof of absence, which the tracker searches for.
   *
   * @returns false if nothing is left to do
   */
  async #isToBeSent(txId: TxId): Promise<boolean> {
    const { tracker } = this.#options;
    const signal = this.#ended.signal;
    for (;;) {
      const tracked = tracker.get(txId);
      if (tracked === undefined || nextStep(tracked) === "none" || this.#isSuperseded(tracked)) return false;
      const isExpired = await this.#isExpired(tracked);
      if (tracked.state.kind === "signed") return true;
      if (tracked.state.kind === "rejected") {
        return isExpired ? tracked.attempts.length === 1 : nextStep(tracked) === "send";
      }
      if (!isExpired) return true;
      await this.#changed(txId, LONGEST_PAUSE_MS, signal);
      if (signal.aborted) return false;
    }
  }

  /** Of two transactions that replace one, none is sent: a user may replace an attempt in the editor. */
  #isSuperseded({ txId, replaces, attempts }: TrackedTransaction): boolean {
    if (replaces === undefined || attempts.length > 0) return false;
    const { tracker, clock, warn } = this.#options;
    const conflict = replacementConflict(replaces, txId, tracker.list());
    if (conflict === undefined) return false;
    warn(conflict.error.message);
    void tracker.note({ kind: "replaced", txId, at: clock.now(), by: conflict.txId });
    return true;
  }

  /** A gateway that does not report its time proves nothing: the bytes are sent. */
  async #isExpired({ signed }: TrackedTransaction): Promise<boolean> {
    const time = await this.#builder.headTime().catch((error: unknown) => {
      if (!isChainError(error)) throw error;
      return undefined;
    });
    return signed !== undefined && time !== undefined && time >= signed.expiration;
  }

  /** Counts refusals that the next rows would get too. Rows that expired while the computer slept say nothing about them. */
  async #countRefusal(tracked: TrackedTransaction | undefined): Promise<void> {
    if (tracked?.state.kind !== "rejected") {
      this.#refusals = 0;
      return;
    }
    if (await this.#isExpired(tracked)) return;
    const { code, message } = tracked.state;
    if (++this.#refusals < MOST_REFUSALS) return;
    this.#stopReason ??= t`${this.#options.network.network} refused ${this.#refusals} rows one after another (${code}: ${message}).`;
  }

  /** Returns the transaction with its signed bytes, as soon as the journal reports them. */
  async #signedPart(txId: TxId, signal: AbortSignal) {
    const { tracker } = this.#options;
    for (;;) {
      const tracked = tracker.get(txId);
      if (tracked?.signed !== undefined) return { ...tracked, signed: tracked.signed };
      signal.throwIfAborted();
      await tracker.catchUp();
      if (tracker.get(txId)?.signed === undefined) await this.#changed(txId, FIRST_PAUSE_MS, signal);
    }
  }

  /** Resolves when a transaction changes, after the time, or when the signal aborts. */
  async #changed(txId: TxId, ms: number, signal: AbortSignal): Promise<void> {
    const { tracker, clock } = this.#options;
    const stop = new AbortController();
    const following = tracker.onDidChange((txIds) => {
      if (txIds.includes(txId)) stop.abort(AWAKE);
    });
    await clock.sleep(ms, AbortSignal.any([signal, stop.signal])).catch(() => undefined);
    following.dispose();
  }

  /** Repeats work that fails for a reason that passes. @returns undefined if the row was taken meanwhile */
  async #patiently<T>(held: HeldRow, work: () => Promise<T>): Promise<T | undefined> {
    const { signal } = held.stop;
    for (let tries = 0; !signal.aborted; tries++) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted) return undefined;
        if (!isTemporary(error)) throw error;
        this.#options.warn(error.message);
        await this.#options.clock.sleep(pauseOf(tries), signal).catch(() => undefined);
      }
    }
    return undefined;
  }

  /** Reports a failure that passes. @returns undefined then */
  async #unlessTemporary<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!isTemporary(error)) throw error;
      this.#options.warn(error.message);
      return undefined;
    }
  }

  async #release(held: readonly HeldRow[]): Promise<void> {
    const claims = held.map(({ claim }) => claim);
    if (claims.length > 0) await this.#unlessTemporary(() => this.#options.store.release(claims));
  }

  /** Extends the leases of all rows that this worker has; stops work on those that it lost. */
  async #extendLeases(): Promise<void> {
    const { store, clock, leaseMs = LEASE_MS } = this.#options;
    for (;;) {
      await clock.sleep(leaseMs / 3, this.#ended.signal).catch(() => undefined);
      if (this.#ended.signal.aborted) return;
      const held = [...this.#ready, ...this.#active.values()];
      if (held.length === 0) continue;
      const extended = await this.#unlessTemporary(() =>
        within(
          clock,
          leaseMs,
          store.extend(
            held.map(({ claim }) => claim),
            leaseMs,
          ),
          () => LATE,
        ),
      ).catch((error: unknown) => this.#fail(error));
      if (extended === undefined) continue;
      const byRow = new Map(extended.map((it) => [it.row, it]));
      for (const row of held) {
        const claim = byRow.get(row.claim.row);
        if (claim !== undefined) row.claim = claim;
        else this.#lose(row);
      }
    }
  }

  #lose(row: HeldRow): void {
    row.stop.abort();
    const at = this.#ready.indexOf(row);
    if (at !== -1) this.#ready.splice(at, 1);
  }

  /** Tracks the network while this worker leads. */
  async #track(): Promise<void> {
    const { store, network, tracker, clock } = this.#options;
    const { signal } = this.#ended;
    while (!signal.aborted) {
      try {
        const leadership = await store.lead(network);
        if (leadership !== undefined) {
          await tracker.start(AbortSignal.any([signal, leadership.lost]));
          await leadership.release();
        }
      } catch (error) {
        if (!isTemporary(error)) this.#fail(error);
        else this.#options.warn(error.message);
      }
      await clock.sleep(FIRST_PAUSE_MS, signal).catch(() => undefined);
    }
  }

  /** Permits another attempt of rows whose last attempt no block contains. */
  #permitProven(txIds: readonly TxId[]): void {
    for (const txId of txIds) {
      const tracked = this.#options.tracker.get(txId);
      if (tracked?.state.kind === "proven-absent" && !isRefusedForGood(tracked)) void this.#permit(tracked);
    }
  }

  async #permit(tracked: TrackedTransaction): Promise<void> {
    const { store, run } = this.#options;
    const row = tracked.signed?.run?.id === run ? this.#progress?.row(tracked.signed.run.row) : undefined;
    const permission = retryPermission(tracked);
    const isLast = row?.attempts.at(-1) === tracked.txId && row.retryAfter !== tracked.txId;
    if (!isLast || row.attempts.length >= MOST_ATTEMPTS || permission.kind === "refused") return;
    this.#permitting++;
    try {
      await this.#unlessTemporary(() => store.permitRetry(run, row.row, tracked.txId, permission.reason));
      this.#progress?.permitted(row.row, tracked.txId);
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#permitting--;
      this.#wake();
    }
  }
}

/** Reason of an abort that ends a sleep. An abort without a reason creates an error. */
const AWAKE = "awake";

const LATE = new ChainError("RUN_STORE_UNAVAILABLE", { store: "leases", reason: t`no answer within the lease` });

const NO_RUN = new ChainError("RUN_STORE_UNAVAILABLE", { store: "runs", reason: t`there is no such run` });

/** First attempt of a row. */
const NO_RETRY: Retry = {};

/** Permitted repetition of a row. */
interface Retry {
  /** First signature of the attempt that is repeated. */
  readonly since?: Since | undefined;
  /** Attempt that is proven never to execute. */
  readonly replaces?: TxId;
}

/**
 * Returns the next step for an attempt: bytes that may never have arrived, or that the node asked for later, are sent;
 * a refusal as expired is confirmed.
 */
function nextStep({ state, attempts }: TrackedTransaction): "send" | "confirm" | "none" {
  switch (state.kind) {
    case "signed":
      return "send";
    case "unknown":
      return attempts.every(({ outcome }) => outcome === undefined || outcome.kind === "unknown") ? "send" : "none";
    case "rejected":
      if (state.retry === "rebuild") return attempts.length === 1 ? "confirm" : "none";
      return ["same-bytes-later", "same-bytes-when-head-advances"].includes(state.retry) ? "send" : "none";
    default:
      return "none";
  }
}

/** Returns true if a node refused the bytes for another reason than their time: the next ones would be refused too. */
function isRefusedForGood({ attempts }: TrackedTransaction): boolean {
  return attempts.some(({ outcome }) => {
    if (outcome?.kind !== "rejected" || isRefusedForNow(outcome)) return false;
    return codeMeant(outcome.code, outcome.message) !== "TRANSACTION_EXPIRATION_ERROR";
  });
}

function pauseOf(tries: number): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(tries, 10));
}

const TEMPORARY: ReadonlySet<string> = new Set([
  ...["GATEWAY_UNREACHABLE", "GATEWAY_SILENT", "GATEWAY_RATE_LIMITED", "GATEWAY_HTTP_STATUS"],
  ...["GATEWAY_ANSWER_MALFORMED", "NODE_REFUSED", "RUN_STORE_UNAVAILABLE", "JOURNAL_UNWRITABLE", "JOURNAL_LOST"],
]);

function isTemporary(error: unknown): error is ChainError {
  return isChainError(error) && TEMPORARY.has(error.code);
}
