import { isChainError } from "@finality/tron/errors";
import { BLOCK_INTERVAL_MS, type TxId } from "@finality/tron/primitives";
import { MAX_EXPIRATION_AHEAD_MS } from "@finality/tron/transaction";
import type { NodeInfo } from "../gateway/gateway.ts";
import type { SeenBlock } from "../transaction-state/execution-outcome.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import {
  type QueryContext,
  queryHead,
  querySolidifiedTransfer,
  solidifiedFacts,
  withSharedBlocks,
} from "../transaction-state/transaction-query.ts";
import { afterPoll, backoff, waitForBlocks } from "./poll-interval.ts";
import { type PollingContext, QueryRound } from "./polling.ts";

/** Delay until the block interval was measured; ms. */
const FIRST_GUESS_MS = 1_000;
/** Before finality the head is queried once, half-way or after this many blocks, for a reorganisation. */
const BLOCKS_TO_REORGANISATION = 6;
/** Number of blocks after the solidified height until a node's solidified view has a block (node behaviour 34). */
const SHOWN_LATER_BLOCKS = 2;
/** Maximum number of queries spent to find a transaction that still makes one extra query for it affordable. */
const CHEAP_QUERIES = 2;
/** Number of early polls for finality after which the head is queried again. */
const LATES_A_HEAD = 2;
/** Number of misses, after the expiration was reached, that end the queries for a transaction. */
const MISSES_TO_END = 3;
/**
 * Number of misses after which the solidified view is queried for the transaction itself, because its info may be
 * missing.
 */
const MISSES_TO_SOLID = 4;
/** Number of misses between queries of the solidified time. */
const MISSES_A_CLOCK = 4;
/** Time for which the heights queried for one transaction also serve the others, in blocks. */
const HEIGHTS_SERVE_BLOCKS = 0.3;
/**
 * Growth factor of the pauses for a transaction in the pool. It is expected soon, so its pauses grow more slowly than
 * those of a transaction not seen yet, which may never arrive.
 */
const PENDING_GROWTH = 1.5;

/** Time of the next query for one transaction (local clock, Unix ms), and the number of consecutive misses. */
interface Plan {
  readonly at: number;
  readonly misses: number;
  readonly lateMisses: number;
  /** Expected time at which its block is solidified; absent while no block is known to contain it. */
  readonly solidAt?: number;
  /** True if that time is an estimate: then the heights are checked first. */
  readonly guessed?: boolean;
}

/** Follows a few transactions, each by queries that are timed by the block interval. */
export class TransactionPoller {
  readonly #context: PollingContext;
  readonly #plans = new Map<TxId, Plan>();
  #knowsHeights = true;
  #lastHeights: { readonly info: NodeInfo; readonly at: number } | undefined;

  constructor(context: PollingContext) {
    this.#context = context;
  }

  pause(now: number): number {
    const times = this.#context.live().map((it) => this.#planOf(it, now).at);
    return Math.max(0, Math.min(...times) - now);
  }

  forget(): void {
    this.#plans.clear();
  }

  async round(sources: QueryContext): Promise<void> {
    const context = withSharedBlocks(sources);
    const { failures } = this.#context;
    const round = new QueryRound(failures, context);
    for (const tracked of this.#due(context.clock.now())) {
      const { txId } = tracked;
      const isAnswered = await round.run(txId, async () => {
        this.#plans.set(txId, await this.#poll(tracked, this.#planOf(tracked, context.clock.now()), context));
      });
      const failedUntil = failures.nextAt(txId);
      if (!isAnswered && failedUntil !== undefined) this.#postpone(tracked, failedUntil);
      if (round.isHopeless) break;
    }
    round.end();
  }

  /** Queries those that failed seldom first, so that failing ones do not delay others. */
  #due(now: number): readonly TrackedTransaction[] {
    const { live, failures } = this.#context;
    const due = live().filter((it) => this.#planOf(it, now).at <= now);
    return due.toSorted((a, b) => failures.count(a.txId) - failures.count(b.txId));
  }

  #postpone(tracked: TrackedTransaction, at: number): void {
    this.#plans.set(tracked.txId, { ...this.#planOf(tracked, at), at });
  }

  /** After a broadcast nothing can be seen before the next block; everything else is queried now. */
  #planOf({ txId, attempts, state }: TrackedTransaction, now: number): Plan {
    const known = this.#plans.get(txId);
    if (known !== undefined) return known;
    const sentAt = state.kind === "included" ? 0 : (attempts.at(-1)?.startedAt ?? 0);
    const nextBlock = sentAt + this.#wait(1);
    const first = { at: sentAt <= now && nextBlock > now ? nextBlock : now, misses: 0, lateMisses: 0 };
    this.#plans.set(txId, first);
    return first;
  }

  async #poll(tracked: TrackedTransaction, plan: Plan, context: QueryContext): Promise<Plan> {
    const { state } = tracked;
    if (state.kind === "included") return this.#awaitFinality(tracked, state.block, plan, context);
    const facts = await queryHead(tracked, context);
    await this.#context.recordFacts(facts);
    const seen = facts.find((it) => it.kind === "seen-in-head");
    if (seen !== undefined) return this.#expectFinality(tracked, seen.block, plan.misses + 1, context);
    return facts.length > 0 ? this.#in(1, context) : this.#missed(tracked, plan, context);
  }

  /**
   * The head may change until the block is solidified; it is queried when that is due, and then at growing intervals.
   */
  async #awaitFinality(
    tracked: TrackedTransaction,
    block: SeenBlock,
    plan: Plan,
    context: QueryContext,
  ): Promise<Plan> {
    const now = context.clock.now();
    if (plan.solidAt === undefined) return this.#expectFinality(tracked, block, CHEAP_QUERIES, context);
    const early = now < plan.solidAt;
    if (!early && plan.guessed === true) return this.#expectFinality(tracked, block, CHEAP_QUERIES + 1, context);
    if (!early && (await this.#isSolid(tracked, block, context))) return this.#in(1, context);
    if (early || plan.misses % LATES_A_HEAD === 1) {
      const facts = await queryHead(tracked, context);
      await this.#context.recordFacts(facts);
      const moved = facts.find((it) => it.kind === "seen-in-head" || it.kind === "lost-from-head");
      if (moved?.kind === "seen-in-head") return this.#expectFinality(tracked, moved.block, CHEAP_QUERIES, context);
      if (moved !== undefined) return this.#in(1, context);
    }
    if (early) return { ...plan, at: plan.solidAt };
    return { ...plan, at: now + backoff(this.#wait(1, 1), plan.misses), misses: plan.misses + 1 };
  }

  /**
   * Uses both heights if the gateway reports them: one query when it is due, and one before unless that is expensive.
   */
  async #expectFinality(
    tracked: TrackedTransaction,
    block: SeenBlock,
    queryCount: number,
    context: QueryContext,
  ): Promise<Plan> {
    const heights = await this.#heights(context);
    const remaining = heights === undefined ? 1 : block.number - heights.solid + SHOWN_LATER_BLOCKS;
    if (remaining <= 0 && (await this.#isSolid(tracked, block, context))) return this.#in(1, context);
    const now = context.clock.now();
    const solidAt = now + Math.max(this.#wait(Math.max(1, remaining), queryCount - 1), this.#lateness());
    const queriesBetween = remaining > 1 && queryCount <= CHEAP_QUERIES;
    const at = queriesBetween
      ? now + this.#wait(Math.min(remaining / 2, BLOCKS_TO_REORGANISATION), queryCount - 1)
      : solidAt;
    const guessed = heights !== undefined && queryCount === 1 && !this.#context.pollInterval.isMeasured;
    return { at, misses: 0, lateMisses: 0, solidAt, guessed };
  }

  async #isSolid({ txId }: TrackedTransaction, { number }: SeenBlock, context: QueryContext): Promise<boolean> {
    const facts = await solidifiedFacts(txId, number, context);
    await this.#context.recordFacts(facts);
    return facts.length > 0;
  }

  async #missed(tracked: TrackedTransaction, plan: Plan, context: QueryContext): Promise<Plan> {
    const misses = plan.misses + 1;
    if (tracked.state.kind === "pending" && misses >= MISSES_TO_SOLID) {
      const facts = await querySolidifiedTransfer(tracked, context);
      await this.#context.recordFacts(facts);
      if (facts.length > 0) return this.#in(1, context);
    }
    if (misses % MISSES_A_CLOCK === 0 && tracked.signed !== undefined) await this.#readSolidTime(context);
    const late = this.#isLate(tracked, context.clock.now());
    const lateMisses = late ? plan.lateMisses + 1 : 0;
    if (lateMisses >= MISSES_TO_END) this.#context.ended.add(tracked.txId);
    const { isMeasured: measured } = this.#context.pollInterval;
    const factor = tracked.state.kind === "pending" && measured ? PENDING_GROWTH : 2;
    const pause = backoff(this.#wait(1), measured ? misses - 1 : misses, factor);
    return { at: context.clock.now() + pause, misses, lateMisses };
  }

  /**
   * Returns true if the expiration was reached. For a transaction of another sender it is unknown, but no expiration is
   * more than one day ahead.
   */
  #isLate({ signed, createdAt }: TrackedTransaction, now: number): boolean {
    if (signed === undefined) return now - createdAt > MAX_EXPIRATION_AHEAD_MS;
    return this.#context.solidTime >= signed.expiration;
  }

  async #readSolidTime({ gateway, signal }: QueryContext): Promise<void> {
    const block = await gateway.solidBlock(signal);
    this.#context.solidTime = Math.max(this.#context.solidTime, block.timestamp);
    this.#context.onSolidBlock(block);
  }

  /** Both heights; undefined if the gateway does not report them. */
  async #heights({ gateway, clock, signal }: QueryContext): Promise<NodeInfo | undefined> {
    if (!this.#knowsHeights) return undefined;
    const last = this.#lastHeights;
    if (last !== undefined && clock.now() - last.at < this.#wait(HEIGHTS_SERVE_BLOCKS)) return last.info;
    try {
      const info = await gateway.nodeInfo(signal);
      this.#lastHeights = { info, at: clock.now() };
      this.#context.pollInterval = afterPoll(this.#context.pollInterval, info.head, clock.now());
      return info;
    } catch (error) {
      signal.throwIfAborted();
      if (!isNotOffered(error)) throw error;
      this.#knowsHeights = false;
      return undefined;
    }
  }

  #in(blocks: number, { clock }: QueryContext): Plan {
    return { at: clock.now() + this.#wait(blocks), misses: 0, lateMisses: 0 };
  }

  /**
   * Until the block interval is known, assumes a short one, until a query was too early or two of them showed no new
   * block.
   */
  #wait(blocks: number, misses = 0): number {
    const { pollInterval: interval } = this.#context;
    if (interval.isMeasured) return waitForBlocks(interval, blocks);
    const fast = misses === 0 && interval.emptyPolls === 0;
    return waitForBlocks({ ...interval, intervalMs: fast ? FIRST_GUESS_MS : BLOCK_INTERVAL_MS }, blocks);
  }

  /** Returns the minimum wait while the chain does not advance. */
  #lateness(): number {
    const { emptyPolls: lates } = this.#context.pollInterval;
    return lates === 0 ? 0 : backoff(this.#wait(1), lates - 1);
  }
}

/** A gateway may offer less than a node: it answers with a 4xx status or a refusal. */
function isNotOffered(error: unknown): boolean {
  if (!isChainError(error)) return false;
  if (error.code === "GATEWAY_HTTP_STATUS") return error.details.status < 500;
  if (error.code === "PATH_NOT_SERVED") return true;
  return error.code === "NODE_REFUSED" || error.code === "GATEWAY_ANSWER_MALFORMED";
}
