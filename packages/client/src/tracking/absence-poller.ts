import { isChainError } from "@finality/tron/errors";
import { BLOCK_INTERVAL_MS, type TxId } from "@finality/tron/primitives";
import {
  type AbsenceScan,
  type BlockEvidence,
  beginScan,
  type FoundTransaction,
  progressOf,
  SavedScan,
  type ScanStep,
  type ScanStore,
  scanForAbsence,
} from "../proof/absence-scan.ts";
import { confirmAbsence, GATEWAY_ONLY, type ProofSources } from "../proof/confirm-absence.ts";
import type { NoProof, ProofChecks } from "../proof/evidence.ts";
import { type InclusionInterval, inclusionInterval, referenceHeights } from "../proof/inclusion-interval.ts";
import type { JournalEntry } from "../transaction-state/journal-entry.ts";
import type {
  ProofProgress,
  SignedPart,
  StopReason,
  TrackedTransaction,
} from "../transaction-state/tracked-transaction.ts";
import { factsInBlock, type QueryContext } from "../transaction-state/transaction-query.ts";
import { concernsWholeGateway, isUnreachable, pauseAfter } from "./connection-issue.ts";
import { afterPoll, INITIAL_POLL_INTERVAL, waitForBlocks, withoutProgress } from "./poll-interval.ts";
import { QueryFailures, QueryRound } from "./polling.ts";

/** Options of the search for proofs of absence. */
export interface AbsencePollerOptions {
  readonly network: string;
  /** Own transactions that may still be executed as far as known. */
  readonly candidates: () => readonly TrackedTransaction[];
  readonly recordFacts: (facts: readonly JournalEntry[]) => Promise<void>;
  /** Updates the search progress displayed for these transactions; undefined clears it. */
  readonly showProgress: (txIds: readonly TxId[], proving: ProofProgress | undefined) => void;
  /** Further sources to query before anything counts as proven; if absent, only the gateway is queried. */
  readonly sources?: (() => Promise<ProofSources>) | undefined;
  /** Key under which scans are stored. */
  readonly scanKey: () => string;
  /** Store that keeps scans for the next window; if absent, scans start from the beginning. */
  readonly scans?: ScanStore | undefined;
}

/** Intervals that start within this many blocks share a scan, which costs at most one request more. */
const BLOCKS_SHARED = 100;
/** Age after which blocks that were read are not used again. */
const DOUBTED: ReadonlySet<NoProof["kind"]> = new Set([
  ...(["broken-link", "not-in-head", "stranger", "differs-elsewhere", "held-elsewhere"] as const),
]);
/** Usual lifetime of built transactions, a minute, in blocks: before it nothing can be proven. */
const USUAL_LIFETIME_BLOCKS = 20;
/** Maximum wait at once, for an expiration that is far away. */
const LONGEST_WAIT_MS = 300_000;

/**
 * Proves that transactions are in no block, once solidified time has reached their expiration: one scan for all of
 * them. Local time only decides when to query.
 */
export class AbsencePoller {
  readonly #subject: AbsencePollerOptions;
  readonly #failures: QueryFailures;
  readonly #savedScan: SavedScan;
  #scan: AbsenceScan | undefined;
  #shown: readonly TxId[] = [];
  /** Newest solidified chain time, ms. */
  #solidTime = 0;
  #solidHeight = 0;
  #pollInterval = INITIAL_POLL_INTERVAL;
  /** Time of the last read of solidified time (local clock, Unix ms), and the number of reads since it last advanced. */
  #requestedAt = 0;
  #emptyPolls = 0;
  /** Time of the next read after a failure (local clock, Unix ms), and the number of consecutive failures. */
  #askAgainAt = 0;
  #timeFailures = 0;
  #stops = 0;
  #retryAt = 0;
  /** Time of the next scan for unsettled transactions: found without an outcome, or of another chain; Unix ms. */
  readonly #scanAgainAt = new Map<TxId, number>();
  /** Number of times the reference block of each transaction was not at the queried height. */
  readonly #missed = new Map<TxId, number>();

  constructor(subject: AbsencePollerOptions, failures = new QueryFailures()) {
    this.#subject = subject;
    this.#failures = failures;
    this.#savedScan = new SavedScan(subject.scanKey, subject.scans);
  }

  /** Reschedules all due times after the local clock was set or stood still. */
  reschedule(now: number): void {
    this.#pollInterval = withoutProgress(this.#pollInterval);
    this.#emptyPolls = 0;
    this.#requestedAt = 0;
    this.#askAgainAt = 0;
    this.#retryAt = Math.min(this.#retryAt, now);
    this.#scanAgainAt.clear();
  }

  /** Returns true if a transaction still waits for a proof. */
  get isWaiting(): boolean {
    return this.#subject.candidates().length > 0;
  }

  /** Records that a solidified block was read at the local time `now`, Unix ms. */
  onSolidBlock({ number, timestamp }: { number: number; timestamp: number }, now: number): void {
    this.#pollInterval = afterPoll(this.#pollInterval, number, now);
    this.#requestedAt = now;
    this.#emptyPolls = this.#pollInterval.emptyPolls;
    this.#solidTime = Math.max(this.#solidTime, timestamp);
    this.#solidHeight = Math.max(this.#solidHeight, number);
  }

  /** Returns the time until the next step is due; ms. */
  pause(now: number): number {
    const first = this.#subject.candidates().reduce((at, it) => Math.min(at, this.#dueAt(it, now)), Infinity);
    return Math.max(0, first - now);
  }

  /** Returns false if nothing was due. */
  async round(context: QueryContext): Promise<boolean> {
    const now = context.clock.now();
    if (this.#subject.candidates().every((it) => this.#dueAt(it, now) > now)) return false;
    if (this.#expired(now).length === 0) await this.#readSolidTime(context);
    if (this.#expired(now).length > 0) await this.#prove(context);
    return true;
  }

  async #readSolidTime({ gateway, clock, signal }: QueryContext): Promise<void> {
    try {
      this.onSolidBlock(await gateway.solidBlock(signal), clock.now());
      this.#timeFailures = 0;
    } catch (error) {
      // While the gateway does not answer or requests a pause, only the network's own pause applies: it ends as soon as
      // there is a connection.
      if (isUnreachable(error) || concernsWholeGateway(error)) throw error;
      this.#timeFailures++;
      this.#askAgainAt = clock.now() + pauseAfter(error, this.#timeFailures);
      throw error;
    }
  }

  /**
   * Returns the transactions whose expiration solidified time has reached. None are returned while a stopped scan
   * pauses, even if others are due meanwhile.
   */
  #expired(now: number): readonly TrackedTransaction[] {
    if (now < this.#retryAt) return [];
    return this.#subject.candidates().filter(({ txId, signed }) => {
      return (signed?.expiration ?? Infinity) <= this.#solidTime && (this.#scanAgainAt.get(txId) ?? 0) <= now;
    });
  }

  /**
   * Uses the local clock only for scheduling: when blocks should have reached the expiration, or when a stopped scan
   * resumes.
   */
  #dueAt({ txId, signed, attempts, createdAt }: TrackedTransaction, now: number): number {
    if (signed === undefined) return Infinity;
    if (signed.expiration <= this.#solidTime) return Math.max(this.#retryAt, this.#scanAgainAt.get(txId) ?? 0);
    const { at, height } = this.#pollInterval;
    if (height === undefined) {
      const sentAt = attempts.at(-1)?.startedAt ?? createdAt;
      // After the clock was set back, or in another computer's journal, its date is later than now.
      return Math.max(
        this.#askAgainAt,
        sentAt > now ? now : sentAt + waitForBlocks(this.#pollInterval, USUAL_LIFETIME_BLOCKS),
      );
    }
    const blocks = Math.ceil((signed.expiration - this.#solidTime) / BLOCK_INTERVAL_MS);
    const reached = at + Math.min(LONGEST_WAIT_MS, waitForBlocks(this.#pollInterval, blocks));
    return Math.max(
      reached,
      this.#askAgainAt,
      this.#requestedAt +
        (this.#emptyPolls === 0 ? waitForBlocks(this.#pollInterval, 1) : pauseAfter(undefined, this.#emptyPolls)),
    );
  }

  async #prove(context: QueryContext): Promise<void> {
    this.#scan ??= await this.#savedScan.resume();
    const scan = this.#next(this.#expired(context.clock.now()));
    this.#show(scan, { kind: "scanning", read: 0, total: 0 });
    try {
      for await (const step of scanForAbsence(context.gateway, scan, context.signal)) {
        await this.#take(step, context);
        if (this.#isStopped()) break;
      }
      await this.#confirm(context);
    } catch (error) {
      if (isChainError(error)) this.#stop({ kind: "failed", message: error.message }, context);
      throw error;
    }
  }

  /** Returns true if no transaction of the scan waits any more. The scan is stored in case it is needed again. */
  #isStopped(): boolean {
    const scan = this.#scan;
    if (scan === undefined) return false;
    return !this.#subject.candidates().some(({ txId }) => scan.searched.has(txId) || scan.ended.has(txId));
  }

  /**
   * Returns the stopped scan, as long as its transactions wait; else a new one, of transactions with close intervals.
   */
  #next(late: readonly TrackedTransaction[]): AbsenceScan {
    const open = new Set(late.map(({ txId }) => txId));
    const stillOpen = <T>(all: ReadonlyMap<TxId, T>) => new Map([...all].filter(([txId]) => open.has(txId)));
    const [searched, ended] = [stillOpen(this.#scan?.searched ?? new Map()), stillOpen(this.#scan?.ended ?? new Map())];
    if (this.#scan !== undefined && searched.size + ended.size > 0) {
      this.#scan = { ...this.#scan, searched, ended };
    } else {
      const intervals = late.flatMap(({ txId, signed }) =>
        signed ? [[txId, this.#intervalOf(txId, signed)] as const] : [],
      );
      const oldest = Math.min(...intervals.map(([, { first }]) => first));
      this.#scan = beginScan(intervals.filter(([, { first }]) => first <= oldest + BLOCKS_SHARED));
    }
    return this.#scan;
  }

  async #take(step: ScanStep, context: QueryContext): Promise<void> {
    if (step.kind === "stopped") return await this.#stopFor(step.reason, context);
    this.#stops = 0;
    const now = context.clock.now();
    for (const found of step.found) {
      const facts = await this.#factsOf(found, context);
      await this.#subject.recordFacts(facts);
      // A block contains it and its outcome is not reported yet: the other pollers query that.
      if (facts.length === 0) this.#scanAgainAt.set(found.transaction.txId, now + LONGEST_WAIT_MS);
    }
    this.#scan = step.scan.searched.size + step.scan.ended.size === 0 ? undefined : step.scan;
    await this.#savedScan.save(this.#scan);
    const interval = [...step.scan.searched.values()][0] ?? [...step.scan.ended.values()][0]?.interval;
    const progress = interval && progressOf(step.scan, interval);
    this.#show(step.scan, progress && { kind: "scanning", ...progress });
    for (const txId of step.foreign) this.#noteForeign(txId, now);
    if (step.foreign.length > 0)
      this.#subject.showProgress(step.foreign, { kind: "stopped", reason: { kind: "on-another-chain" } });
  }

  /** Reading the receipt of a found transaction may fail: the scan continues for the others. */
  async #factsOf({ block, transaction }: FoundTransaction, context: QueryContext): Promise<readonly JournalEntry[]> {
    let facts: readonly JournalEntry[] = [];
    await new QueryRound(this.#failures, context).run(transaction.txId, async () => {
      facts = await factsInBlock(block, transaction, context);
    });
    return facts;
  }

  /** Queries the facts that the blocks of a finished scan cannot show, and writes the proofs. */
  async #confirm(context: QueryContext): Promise<void> {
    const scan = this.#scan;
    if (scan === undefined || scan.searched.size > 0 || scan.ended.size === 0) return;
    const { gateway, clock, signal } = context;
    const sources = (await this.#subject.sources?.()) ?? GATEWAY_ONLY;
    const confirmed = await confirmAbsence(scan, { gateway, sources, clock, signal });
    if (confirmed.kind === "stopped") return await this.#stopFor(confirmed.reason, context);
    const signed = new Map(this.#subject.candidates().map((it) => [it.txId, it.signed]));
    const { checks } = confirmed;
    const proofs = [...scan.ended].flatMap(([txId, { absent }]) =>
      this.#proof({ ...absent, checks }, signed.get(txId), context),
    );
    await this.#subject.recordFacts(proofs);
    this.#scan = undefined;
    await this.#savedScan.save(undefined);
    this.#show(scan, undefined);
  }

  /**
   * Stops the scan. Blocks that another source or the full node does not have are discarded, because the right chain is
   * not known.
   */
  async #stopFor(reason: NoProof, context: QueryContext): Promise<void> {
    this.#stop(reason, context);
    if (!DOUBTED.has(reason.kind)) return;
    this.#scan = undefined;
    await this.#savedScan.save(undefined);
  }

  #intervalOf(txId: TxId, signed: SignedPart): InclusionInterval {
    return inclusionInterval(signed, this.#missed.get(txId), this.#solidHeight);
  }

  /** Its reference block may be at another height, which is checked before any result. */
  #noteForeign(txId: TxId, now: number): void {
    const missed = (this.#missed.get(txId) ?? 0) + 1;
    this.#missed.set(txId, missed);
    const signed = this.#subject.candidates().find((it) => it.txId === txId)?.signed;
    const candidates = signed === undefined ? 1 : referenceHeights(signed, this.#solidHeight).length;
    if (missed % candidates === 0) this.#scanAgainAt.set(txId, now + LONGEST_WAIT_MS);
  }

  #proof(
    { txId, ...blocks }: BlockEvidence & { readonly checks: ProofChecks },
    signed: SignedPart | undefined,
    { gateway, clock }: QueryContext,
  ): JournalEntry[] {
    const { network } = this.#subject;
    if (signed === undefined) return [];
    const { expiration, solidHeight } = signed;
    const { endpoint } = gateway;
    return [{ kind: "proven-absent", txId, at: clock.now(), network, endpoint, expiration, solidHeight, ...blocks }];
  }

  /** Nothing is proven or skipped: the scan resumes later from where it stopped. */
  #stop(reason: StopReason, { clock }: QueryContext): void {
    this.#stops++;
    this.#retryAt = clock.now() + pauseAfter(undefined, this.#stops);
    if (this.#scan !== undefined) this.#show(this.#scan, { kind: "stopped", reason });
  }

  #show({ searched, ended }: AbsenceScan, proving: ProofProgress | undefined): void {
    const gone = this.#shown.filter((txId) => !searched.has(txId) && !ended.has(txId));
    if (gone.length > 0) this.#subject.showProgress(gone, undefined);
    this.#shown = [...searched.keys(), ...ended.keys()];
    if (this.#shown.length > 0) this.#subject.showProgress(this.#shown, proving);
  }
}
