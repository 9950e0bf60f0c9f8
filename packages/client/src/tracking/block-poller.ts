import type { TxId } from "@finality/tron/primitives";
import type { Block, BlockTransaction } from "../gateway/gateway.ts";
import { newSolidifiedBlocks, type ScanCursor } from "../proof/solidified-blocks.ts";
import { needsInfo } from "../transaction-state/execution-outcome.ts";
import type { JournalEntry } from "../transaction-state/journal-entry.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import {
  factsInBlock,
  type QueryContext,
  queryTransaction,
  solidifiedFacts,
  withSharedBlocks,
} from "../transaction-state/transaction-query.ts";
import { concernsWholeGateway, isUnreachable } from "./connection-issue.ts";
import { afterPoll, backoff, timeUntilBlocks, waitForBlocks, withoutProgress } from "./poll-interval.ts";
import { type PollingContext, QueryRound } from "./polling.ts";

/** This many old blocks cost about as much, in bytes, as a query by txID. */
const BLOCKS_WORTH_A_QUERY = 20;
const QUERIES_AT_ONCE = 5;
const QUERY_AGAIN_MS = 30_000;
/**
 * After this many failures blocks are read from the newest one on, and transactions of earlier blocks are queried by
 * txID.
 */
const FAILURES_TO_PASS_OVER = 3;
/** From this many new blocks on, the poll and the remaining range cost at most one request per block. */
const BLOCKS_OF_TWO_REQUESTS = 2;
const BLOCKS_A_RANGE = 100;
/** 30 s at the usual block interval. */
const LONGEST_WAIT_BLOCKS = 10;

interface Match {
  readonly block: Block;
  readonly transaction: BlockTransaction;
  /** Time of the next read of its receipt (local clock, Unix ms); `misses` counts the reads without an outcome. */
  readonly at: number;
  readonly misses: number;
}

/** Follows any number of transactions by reading each solidified block once. */
export class BlockPoller {
  readonly #context: PollingContext;
  #cursor: ScanCursor | undefined;
  /** Height up to which every block was read. */
  #coveredFrom = 0;
  /** Contract transactions that a block contains and whose receipts are not read yet. */
  readonly #awaiting = new Map<TxId, Match>();
  /** Heights of blocks that are reported to contain one, but whose content does not match their ID. */
  readonly #doubted = new Map<TxId, number>();
  /** Time of the next search in blocks before the covered ones; Unix ms of the local clock. */
  readonly #queryAt = new Map<TxId, number>();
  /** Blocks read minus polls: remaining budget before this costs more than one request per block. */
  #credit = 0;
  /** Number of consecutive failures to read blocks. */
  #blockFailures = 0;
  #nextAt: number;

  constructor(context: PollingContext, now: number) {
    this.#context = context;
    context.pollInterval = withoutProgress(context.pollInterval);
    this.#nextAt = this.#isFresh(now) ? now + waitForBlocks(context.pollInterval, BLOCKS_OF_TWO_REQUESTS) : now;
  }

  pause(now: number): number {
    return this.#nextAt - now;
  }

  /** Called when the local clock was set or stood still. */
  reschedule(now: number): void {
    this.#nextAt = now;
    this.#queryAt.clear();
  }

  async round(context: QueryContext): Promise<void> {
    const { clock } = context;
    if (clock.now() < this.#nextAt) return;
    const round = new QueryRound(this.#context.failures, context);
    const failure = await this.#tryReadBlocks(context);
    if (failure === undefined) round.noteAnswer();
    await this.#readReceipts(context, round);
    await this.#queryUncovered(context, round);
    this.#end();
    await this.#queryDoubted(context, round);
    round.end();
    if (failure !== undefined) throw failure.error;
    this.#nextAt = clock.now() + timeUntilBlocks(this.#context.pollInterval, this.#blocksToAwait(), clock.now());
  }

  /** Returns true if all transactions were sent so recently that no solidified block can contain them yet. */
  #isFresh(now: number): boolean {
    const interval = waitForBlocks(this.#context.pollInterval, 1);
    return this.#context.live().every(({ attempts, signed }) => {
      return signed !== undefined && now - (attempts.at(-1)?.startedAt ?? 0) < interval;
    });
  }

  /** Includes rejected transactions at no extra cost, because the blocks are read anyway. */
  #watched(): readonly TrackedTransaction[] {
    return [...this.#context.live(), ...this.#context.refused()];
  }

  /** One block per poll; after early polls, enough blocks for the next poll to compensate. */
  #blocksToAwait(): number {
    return this.#credit >= 0 ? 1 : Math.min(LONGEST_WAIT_BLOCKS, BLOCKS_OF_TWO_REQUESTS - this.#credit);
  }

  /** An unreadable block does not keep a transaction from being queried. */
  async #tryReadBlocks(context: QueryContext): Promise<{ readonly error: unknown } | undefined> {
    try {
      await this.#readBlocks(context);
      this.#blockFailures = 0;
      return undefined;
    } catch (error) {
      context.signal.throwIfAborted();
      if (concernsWholeGateway(error) || isUnreachable(error)) throw error;
      this.#blockFailures++;
      return { error };
    }
  }

  async #readBlocks(context: QueryContext): Promise<void> {
    const { gateway, clock, signal } = context;
    const before = this.#cursor?.number;
    let newest: Block | undefined;
    const from = (newest: Block): ScanCursor => {
      this.#context.onBlocks([newest]);
      return this.#cursorIfCheap(newest) ?? this.#begin(newest);
    };
    for await (const run of newSolidifiedBlocks(gateway, from, signal)) {
      await this.#context.recordFacts((await Promise.all(run.map((it) => this.#match(it, context)))).flat());
      this.#context.onBlocks(run);
      newest = run.at(-1) ?? newest;
      if (newest !== undefined) this.#advance(newest);
    }
    if (newest !== undefined) this.#context.onSolidBlock(newest, this.#coveredFrom);
    const height = this.#cursor?.number ?? this.#coveredFrom;
    const blocks = height - (before ?? this.#coveredFrom);
    this.#credit = Math.min(0, this.#credit + blocks - requestsFor(blocks));
    this.#context.pollInterval = afterPoll(this.#context.pollInterval, height, clock.now());
  }

  /**
   * After a long pause it may cost less to query each transaction than to read all blocks between. After a block that
   * fails repeatedly it is the only way.
   */
  #cursorIfCheap(newest: Block): ScanCursor | undefined {
    if (this.#isStuck) return undefined;
    const worth = BLOCKS_A_RANGE + BLOCKS_WORTH_A_QUERY * this.#context.live().length;
    return newest.number - (this.#cursor?.number ?? 0) <= worth ? this.#cursor : undefined;
  }

  /** Starts at the block before the earliest signature if that is worthwhile, else after the newest block. */
  #begin(newest: Block): ScanCursor {
    const heights = this.#watched().flatMap(({ signed }) => (signed ? [signed.solidHeight] : []));
    const oldest = Math.min(newest.number, ...heights);
    const worthIt = !this.#isStuck && newest.number - oldest <= BLOCKS_WORTH_A_QUERY * heights.length;
    this.#coveredFrom = worthIt ? oldest : newest.number;
    this.#cursor = { number: this.#coveredFrom };
    return this.#cursor;
  }

  get #isStuck(): boolean {
    return this.#blockFailures >= FAILURES_TO_PASS_OVER;
  }

  #advance({ number, id, timestamp }: Block): void {
    this.#cursor = { number, id };
    this.#context.solidTime = Math.max(this.#context.solidTime, timestamp);
  }

  async #match(block: Block, context: QueryContext): Promise<JournalEntry[]> {
    const live = this.#watched();
    const here = new Set(block.transactions.map(({ txId }) => txId));
    const present = new Set(live.filter(({ txId }) => here.has(txId)).map(({ txId }) => txId));
    if (!block.complete) {
      for (const txId of present) this.#doubted.set(txId, block.number);
      return [];
    }
    const mine = block.transactions.filter(({ txId }) => present.has(txId));
    for (const transaction of mine.filter(needsInfo)) {
      this.#awaiting.set(transaction.txId, { block, transaction, at: 0, misses: 0 });
    }
    const found = mine.filter((it) => !needsInfo(it)).map((it) => factsInBlock(block, it, context));
    return [...(await Promise.all(found)).flat(), ...lostFrom(block, here, live, context.clock.now())];
  }

  async #readReceipts(context: QueryContext, round: QueryRound): Promise<void> {
    const now = context.clock.now();
    const waiting = [...this.#awaiting.values()].filter(({ at, transaction }) => {
      return at <= now && this.#context.failures.isDue(transaction.txId, now);
    });
    for (let start = 0; start < waiting.length && !round.isHopeless; start += QUERIES_AT_ONCE) {
      const some = waiting.slice(start, start + QUERIES_AT_ONCE);
      await Promise.all(some.map((it) => round.run(it.transaction.txId, () => this.#readReceipt(it, context))));
    }
  }

  async #readReceipt(match: Match, context: QueryContext): Promise<void> {
    const { block, transaction, misses } = match;
    const { txId } = transaction;
    const facts = await factsInBlock(block, transaction, context);
    await this.#context.recordFacts(facts);
    const pause = backoff(waitForBlocks(this.#context.pollInterval, 1), misses);
    if (facts.length > 0) this.#awaiting.delete(txId);
    else this.#awaiting.set(txId, { ...match, at: context.clock.now() + pause, misses: misses + 1 });
  }

  /**
   * Queries the transactions that the read blocks do not cover. A block that contains one is read once and often
   * contains others, which then need no query.
   */
  async #queryUncovered(sources: QueryContext, round: QueryRound): Promise<void> {
    const now = sources.clock.now();
    const { live, failures } = this.#context;
    const due = live().filter((it) => !this.#covers(it) && (this.#queryAt.get(it.txId) ?? 0) <= now);
    const read: Block[] = [];
    const context = withSharedBlocks(sources, (block) => read.push(block));
    const seldomFirst = due.toSorted((a, b) => failures.count(a.txId) - failures.count(b.txId));
    for (const some of spread(seldomFirst, QUERIES_AT_ONCE)) {
      const isLive = new Set(live().map(({ txId }) => txId));
      const open = some.filter(({ txId }) => isLive.has(txId) && !this.#awaiting.has(txId));
      const look = async (it: TrackedTransaction) =>
        await this.#context.recordFacts(await queryTransaction(it, context));
      await Promise.all(open.map((it) => round.run(it.txId, () => look(it))));
      for (const { txId } of some) this.#queryAt.set(txId, failures.nextAt(txId) ?? now + QUERY_AGAIN_MS);
      for (const block of read.splice(0)) await this.#context.recordFacts(await this.#match(block, context));
      if (round.isHopeless) break;
    }
    await this.#readReceipts(context, round);
  }

  /** The block that is reported to contain it may be complete by now. */
  async #queryDoubted(sources: QueryContext, round: QueryRound): Promise<void> {
    const context = withSharedBlocks(sources);
    const live = new Set(this.#context.live().map(({ txId }) => txId));
    for (const [txId, height] of this.#doubted) {
      if (live.has(txId)) {
        if (!this.#context.failures.isDue(txId, sources.clock.now())) continue;
        const ask = async () => await this.#context.recordFacts(await solidifiedFacts(txId, height, context));
        if (!(await round.run(txId, ask))) continue;
      }
      this.#doubted.delete(txId);
    }
  }

  #covers({ signed }: TrackedTransaction): boolean {
    return !this.#isStuck && signed !== undefined && signed.solidHeight >= this.#coveredFrom;
  }

  /**
   * Ends transactions whose expiration a solidified block has reached and that no block contains: they will not be
   * included any more.
   */
  #end(): void {
    const { live, ended, solidTime } = this.#context;
    for (const tracked of live()) {
      const late = tracked.signed !== undefined && solidTime >= tracked.signed.expiration;
      const isCovered = this.#covers(tracked) || this.#queryAt.has(tracked.txId);
      const open = this.#awaiting.has(tracked.txId) || this.#doubted.has(tracked.txId);
      if (late && isCovered && !open) ended.add(tracked.txId);
    }
  }
}

/** Queries all of them with limited concurrency, and neighbours apart: those of one block are often adjacent. */
function spread<T>(items: readonly T[], atOnce: number): readonly (readonly T[])[] {
  const rounds = Math.ceil(items.length / atOnce);
  return Array.from({ length: rounds }, (_, round) => items.filter((_item, index) => index % rounds === round));
}

/** One request returns the newest block, and another one up to 100 earlier blocks. */
function requestsFor(blocks: number): number {
  return 1 + Math.ceil(Math.max(0, blocks - 1) / BLOCKS_A_RANGE);
}

/** Returns those that the head view showed in a block of this height, and that the solidified one lacks. */
function lostFrom(
  { number }: Block,
  here: ReadonlySet<TxId>,
  live: readonly TrackedTransaction[],
  at: number,
): JournalEntry[] {
  return live
    .filter(({ txId, state }) => state.kind === "included" && state.block.number === number && !here.has(txId))
    .map(({ txId }) => ({ kind: "lost-from-head", txId, at }));
}
