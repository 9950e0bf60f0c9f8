import { BLOCK_INTERVAL_MS, type TxId } from "@finality/tron/primitives";
import { GATEWAY_ONLY, type ProofSources } from "../proof/confirm-absence.ts";
import { awaitsProof } from "../retry/retry-policy.ts";
import type { JournalEntry } from "../transaction-state/journal-entry.ts";
import type { SignedPart, TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import {
  type QueryContext,
  queryFirstOf,
  queryHead,
  queryTransaction,
} from "../transaction-state/transaction-query.ts";
import { concernsWholeGateway, pauseAfter } from "./connection-issue.ts";
import { LONGEST_PAUSE_MS } from "./poll-interval.ts";
import { QueryFailures, QueryRound } from "./polling.ts";

/** Dependencies of the search for refused transactions. */
export interface RefusalPollerOptions {
  /** Own transactions whose refusal is only the claim of a gateway. */
  readonly refused: () => readonly TrackedTransaction[];
  readonly recordFacts: (facts: readonly JournalEntry[]) => Promise<void>;
  /** Further sources queried before a transaction counts as not found; without it, only the gateway is queried. */
  readonly sources?: (() => Promise<ProofSources>) | undefined;
}

/**
 * Delay of the first query. One block after the answer, a block may hold the transaction. Block readers have started by
 * then.
 */
const FIRST_QUERY_MS = 3 * BLOCK_INTERVAL_MS;
const GROWTH = 2;
/** Maximum time to the expiration that is considered. */
const LONGEST_REST_MS = 10 * LONGEST_PAUSE_MS;
const QUERIES_AT_ONCE = 5;

type Refused = TrackedTransaction & { readonly signed: SignedPart };

/** Time of the next query (local clock, Unix ms), and the number of queries so far. */
interface Plan {
  readonly at: number;
  readonly queries: number;
}

/**
 * Looks for refused transactions, because a refusal is only the gateway's claim. Queries a few times at growing
 * intervals, and a last time when solidified time has reached the expiration. If all blocks are read anyway, those
 * blocks are enough.
 */
export class RefusalPoller {
  readonly #subject: RefusalPollerOptions;
  readonly #failures: QueryFailures;
  readonly #plans = new Map<TxId, Plan>();
  /** Newest solidified chain time, ms, and when it was read; local clock, Unix ms. */
  #solidTime = 0;
  #solidAt = 0;
  /** Height up to which every block before that time was read. */
  #readFrom = Number.POSITIVE_INFINITY;
  #restUntil = 0;
  #timeFailures = 0;

  constructor(subject: RefusalPollerOptions, failures = new QueryFailures()) {
    this.#subject = subject;
    this.#failures = failures;
  }

  get isWaiting(): boolean {
    return this.#refused().length > 0;
  }

  /**
   * Records that a solidified block was read at this local time, Unix ms.
   *
   * @param readFrom - Height after which all blocks up to this one were read, by a reader that continues.
   */
  onSolidBlock({ timestamp }: { readonly timestamp: number }, now: number, readFrom = Number.POSITIVE_INFINITY): void {
    if (timestamp < this.#solidTime) return;
    this.#solidTime = timestamp;
    this.#solidAt = now;
    this.#readFrom = readFrom;
  }

  /** Recomputes what is due after the local clock was set or stood still. */
  reschedule(now: number): void {
    this.#plans.clear();
    this.#restUntil = 0;
    this.#solidAt = Math.min(this.#solidAt, now);
  }

  /** Returns the time until something is due; ms. */
  pause(now: number): number {
    const first = Math.min(...this.#refused().map((it) => this.#dueAt(it, now)));
    return Math.max(0, first - now, this.#restUntil - now);
  }

  /** Returns false if nothing was due. */
  async round(context: QueryContext): Promise<boolean> {
    const now = context.clock.now();
    const due = this.#refused().filter((it) => this.#dueAt(it, now) <= now);
    if (due.length === 0 || now < this.#restUntil) return false;
    this.#restUntil = now + BLOCK_INTERVAL_MS;
    const timeFailure = await this.#readTimeFor(due, context);
    const round = new QueryRound(this.#failures, context);
    await Promise.all(due.slice(0, QUERIES_AT_ONCE).map((it) => round.run(it.txId, () => this.#query(it, context))));
    round.end();
    if (timeFailure !== undefined) throw timeFailure.error;
    if (due.length <= QUERIES_AT_ONCE) this.#restUntil = 0;
    return true;
  }

  /** After the expiration, transactions that a proof can settle are left to the proof. */
  #refused(): readonly Refused[] {
    const known = this.#subject.refused().filter((it): it is Refused => it.signed !== undefined);
    return known.filter((it) => !(this.#isOver(it) && awaitsProof(it)));
  }

  #isOver({ signed }: Refused): boolean {
    return this.#solidTime >= signed.expiration;
  }

  /** Returns true if every block that could hold the transaction was read up to now: it was in none of them. */
  #isRead({ signed }: Refused): boolean {
    return this.#readFrom <= signed.solidHeight;
  }

  /**
   * Returns the expected time at which solidified time reaches the expiration; local clock, Unix ms. Returns 0 while
   * solidified time is unknown.
   */
  #endsAt({ signed }: Refused): number {
    if (this.#solidTime === 0) return 0;
    return this.#solidAt + Math.max(0, signed.expiration - this.#solidTime);
  }

  #dueAt(tracked: Refused, now: number): number {
    const { txId, attempts, changedAt } = tracked;
    const planned = this.#failures.nextAt(txId) ?? this.#plans.get(txId)?.at;
    if (this.#isRead(tracked)) return this.#isOver(tracked) ? (planned ?? now) : this.#solidAt + LONGEST_PAUSE_MS;
    const answeredAt = attempts.at(-1)?.answeredAt ?? changedAt;
    // After the clock was set back, or in another computer's journal, its date is later than now.
    return planned ?? (answeredAt > now ? now : answeredAt + FIRST_QUERY_MS);
  }

  /**
   * Reads the solidified time if a transaction waits for it. A failure does not keep transactions from being queried.
   */
  async #readTimeFor(due: readonly Refused[], context: QueryContext): Promise<{ readonly error: unknown } | undefined> {
    const { gateway, clock, signal } = context;
    const now = clock.now();
    if (!due.some((it) => !this.#isOver(it) && this.#endsAt(it) <= now)) return undefined;
    try {
      this.onSolidBlock(await gateway.solidBlock(signal), clock.now());
      this.#timeFailures = 0;
      return undefined;
    } catch (error) {
      signal.throwIfAborted();
      if (concernsWholeGateway(error)) throw error;
      this.#timeFailures++;
      this.#restUntil = now + pauseAfter(error, this.#timeFailures);
      return { error };
    }
  }

  async #query(tracked: Refused, context: QueryContext): Promise<void> {
    const facts = await this.#factsAbout(tracked, context);
    const { txId } = tracked;
    const queryCount = (this.#plans.get(txId)?.queries ?? 0) + 1;
    const now = context.clock.now();
    const pause = Math.min(LONGEST_REST_MS, FIRST_QUERY_MS * GROWTH ** queryCount);
    const end = this.#isOver(tracked) ? tracked.signed.expiration : this.#endsAt(tracked);
    const ends = Math.max(end, now + BLOCK_INTERVAL_MS);
    this.#plans.set(txId, { at: Math.min(now + pause, ends), queries: queryCount });
    await this.#subject.recordFacts(facts);
  }

  /**
   * Queries the head; at the end also the solidified view and the further URLs. If none shows the transaction, notes
   * that, so that no further query is needed. It waits until the local clock has reached the expiration too: a gateway
   * can easily report a future time.
   */
  async #factsAbout(tracked: Refused, context: QueryContext): Promise<readonly JournalEntry[]> {
    const { others, inRealTime } = (await this.#subject.sources?.()) ?? GATEWAY_ONLY;
    const now = context.clock.now();
    const isEarly = inRealTime && now < tracked.signed.expiration;
    if (!this.#isOver(tracked) || isEarly) return await queryHead(tracked, context);
    const here = this.#isRead(tracked) ? [] : await queryTransaction(tracked, context);
    const facts = here.length > 0 ? here : await queryFirstOf(others, tracked, context);
    const { txId } = tracked;
    return facts.length > 0 ? facts : [{ kind: "not-found", txId, at: now, time: this.#solidTime }];
  }
}
