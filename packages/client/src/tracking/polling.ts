import { isChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import type { Block } from "../gateway/gateway.ts";
import type { JournalEntry } from "../transaction-state/journal-entry.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";
import type { QueryContext } from "../transaction-state/transaction-query.ts";
import { concernsWholeGateway, isUnreachable, pauseAfter } from "./connection-issue.ts";
import type { PollInterval } from "./poll-interval.ts";

/** Transactions to track, and the recipient of new facts. */
export interface PollingSubject {
  /** Transactions that may still change. */
  readonly live: () => readonly TrackedTransaction[];
  /** Transactions that a gateway refused. Block readers look for them as well. */
  readonly refused: () => readonly TrackedTransaction[];
  readonly recordFacts: (facts: readonly JournalEntry[]) => Promise<void>;
}

/** Shared context of all ways to poll one network. */
export interface PollingContext extends PollingSubject {
  /**
   * Transactions that can no longer enter the chain as far as known: a reason to stop polling, not yet a proof of
   * absence.
   */
  readonly ended: Set<TxId>;
  /** Reports that a solidified block was read, and the height up to which all blocks before it were read. */
  readonly onSolidBlock: (block: { readonly number: number; readonly timestamp: number }, readFrom?: number) => void;
  /** Passes on blocks that were read, in order and linked. */
  readonly onBlocks: (blocks: readonly Block[]) => void;
  readonly failures: QueryFailures;
  pollInterval: PollInterval;
  /** Newest solidified chain time that was read, ms. */
  solidTime: number;
}

/**
 * Reader of a network's solidified blocks other than the tracker. The tracker and the reader share the blocks that one
 * of them reads.
 */
export interface BlockFollower {
  /** True if it has a reason to read blocks. */
  readonly isWaiting: boolean;
  /** True if it requests every block itself: a tracker that reads blocks then adds no cost. */
  readonly readsEveryBlock: boolean;
  /** True if its last request got no answer. */
  readonly isUnreached: boolean;
  /** Returns the time until its next read; ms. */
  pause(now: number): number;
  /** Called when the local clock was set or stood still: missed reads happen now. */
  reschedule(now: number): void;
  /**
   * Retries now if its last request got no answer, because there is a reason to expect one. Pauses restart at the
   * shortest.
   */
  resume(now: number): void;
  /** Called when the gateway that requested a pause changed, or answered another request. */
  endPause(now: number): void;
  /** Called when the chain may have been reverted, for development chains. */
  startOver(): void;
  /** Accepts solidified blocks from another reader, in order and linked by parent, before the next round. */
  offer(blocks: readonly Block[]): void;
  /**
   * Reads what is due. It reports its own failures: only the reason of the signal is thrown.
   *
   * @param alone - Whether no other reader requests new blocks; otherwise it waits for blocks from others.
   */
  round(context: QueryContext, alone: boolean): Promise<void>;
}

/** Cause of the last failed query for a transaction. Times are Unix ms of the local clock. */
export interface QueryFailure {
  readonly txId: TxId;
  readonly error: unknown;
  /** Number of consecutive failures. */
  readonly count: number;
  readonly since: number;
  readonly nextAt: number;
}

/** When this many consecutive transactions fail without any answer, the gateway has failed. */
const FAILURES_OF_GATEWAY = 3;

/** Transactions whose last query failed. Each has its own pause and does not delay others. */
export class QueryFailures {
  readonly #failures = new Map<TxId, QueryFailure>();

  isDue(txId: TxId, now: number): boolean {
    return (this.#failures.get(txId)?.nextAt ?? 0) <= now;
  }

  /** Time of the next query for the transaction; undefined if its last query was answered. */
  nextAt(txId: TxId): number | undefined {
    return this.#failures.get(txId)?.nextAt;
  }

  count(txId: TxId): number {
    return this.#failures.get(txId)?.count ?? 0;
  }

  get isEmpty(): boolean {
    return this.#failures.size === 0;
  }

  /** Returns the failures of these transactions, and forgets all others. */
  of(txIds: ReadonlySet<TxId>): readonly QueryFailure[] {
    for (const txId of this.#failures.keys()) if (!txIds.has(txId)) this.#failures.delete(txId);
    return [...this.#failures.values()];
  }

  failed(txId: TxId, error: unknown, now: number): void {
    const { count, since } = this.#failures.get(txId) ?? { count: 0, since: now };
    const nextAt = now + pauseAfter(error, count + 1);
    this.#failures.set(txId, { txId, error, count: count + 1, since, nextAt });
  }

  answered(txId: TxId): void {
    this.#failures.delete(txId);
  }

  /** Called when the local clock was set or stood still: everything is due. */
  reschedule(now: number): void {
    for (const [txId, it] of this.#failures) {
      this.#failures.set(txId, { ...it, since: Math.min(it.since, now), nextAt: Math.min(it.nextAt, now) });
    }
  }
}

/** Queries of one round, each for one transaction. */
export class QueryRound {
  readonly #failures: QueryFailures;
  readonly #context: QueryContext;
  readonly #errors: unknown[] = [];
  #answers = 0;

  constructor(failures: QueryFailures, context: QueryContext) {
    this.#failures = failures;
    this.#context = context;
  }

  /**
   * Runs a query for a transaction. Its failure is stored and delayed, and ends nothing else.
   *
   * @returns whether it was answered
   * @throws the reason of the signal, or a failure after which no further query is useful
   */
  async run(txId: TxId, query: () => Promise<unknown>): Promise<boolean> {
    try {
      await query();
    } catch (error) {
      this.#context.signal.throwIfAborted();
      if (concernsWholeGateway(error)) throw error;
      this.#failures.failed(txId, error, this.#context.clock.now());
      this.#errors.push(error);
      return false;
    }
    this.#answers++;
    this.#failures.answered(txId);
    return true;
  }

  /** Another query of this round was answered, so a failure concerns its own transaction. */
  noteAnswer(): void {
    this.#answers++;
  }

  /** True if several transactions failed and nothing was answered: the rest need not be queried in this round. */
  get isHopeless(): boolean {
    return this.#answers === 0 && this.#errors.length >= FAILURES_OF_GATEWAY;
  }

  /** @throws the failure of the gateway: nothing was answered, or it failed for several transactions */
  end(): void {
    if (this.#answers > 0) return;
    const silence = this.#errors.find((it) => isUnreachable(it) || isUnauthorized(it));
    if (silence !== undefined) throw silence;
    if (this.isHopeless) throw this.#errors[0];
  }
}

function isUnauthorized(error: unknown): boolean {
  return isChainError(error) && error.code === "GATEWAY_UNAUTHORIZED";
}
