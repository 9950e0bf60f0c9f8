import { isChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import type { LookUpContext } from "./look-up.ts";
import { isOfGateway, isUnreached, pauseAfter } from "./trouble.ts";

/** Why the last query for a transaction failed. Times are Unix ms of the local clock. */
export interface LookFailure {
  readonly txId: TxId;
  readonly error: unknown;
  /** Number of consecutive failures. */
  readonly count: number;
  readonly since: number;
  readonly nextAt: number;
}

/** So many transactions that fail in a row, while nothing is answered, are a failure of the gateway. */
const FAILURES_OF_GATEWAY = 3;

/** The transactions whose last query failed. Each has a pause of its own and holds up no other. */
export class LookFailures {
  readonly #failures = new Map<TxId, LookFailure>();

  isDue(txId: TxId, now: number): boolean {
    return (this.#failures.get(txId)?.nextAt ?? 0) <= now;
  }

  /** When the transaction is queried again; undefined if its last query was answered. */
  nextAt(txId: TxId): number | undefined {
    return this.#failures.get(txId)?.nextAt;
  }

  count(txId: TxId): number {
    return this.#failures.get(txId)?.count ?? 0;
  }

  /** Returns the failures of these transactions, and forgets all others. */
  of(txIds: ReadonlySet<TxId>): readonly LookFailure[] {
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

  /** The local clock was set, or stood still: everything is due. */
  planAgain(now: number): void {
    for (const [txId, it] of this.#failures) {
      this.#failures.set(txId, { ...it, since: Math.min(it.since, now), nextAt: Math.min(it.nextAt, now) });
    }
  }
}

/** The queries of one round, each for one transaction. */
export class LookRound {
  readonly #failures: LookFailures;
  readonly #context: LookUpContext;
  readonly #errors: unknown[] = [];
  #answers = 0;

  constructor(failures: LookFailures, context: LookUpContext) {
    this.#failures = failures;
    this.#context = context;
  }

  /**
   * Runs a query for a transaction. Its failure is stored and paced, and ends nothing else.
   *
   * @returns whether it was answered
   * @throws the reason of the signal, or a failure after which nothing else has to be asked
   */
  async run(txId: TxId, query: () => Promise<unknown>): Promise<boolean> {
    try {
      await query();
    } catch (error) {
      this.#context.signal.throwIfAborted();
      if (isOfGateway(error)) throw error;
      this.#failures.failed(txId, error, this.#context.clock.now());
      this.#errors.push(error);
      return false;
    }
    this.#answers++;
    this.#failures.answered(txId);
    return true;
  }

  /** Something else was answered in this round: what fails now concerns its own answer. */
  noteAnswer(): void {
    this.#answers++;
  }

  /** True if several transactions failed and nothing was answered: the rest need not be queried in this round. */
  get isHopeless(): boolean {
    return this.#answers === 0 && this.#errors.length >= FAILURES_OF_GATEWAY;
  }

  /** @throws the failure that is the gateway's: nothing was answered, and it was silent or failed for several */
  end(): void {
    if (this.#answers > 0) return;
    const silence = this.#errors.find((it) => isUnreached(it) || isUnauthorized(it));
    if (silence !== undefined) throw silence;
    if (this.isHopeless) throw this.#errors[0];
  }
}

function isUnauthorized(error: unknown): boolean {
  return isChainError(error) && error.code === "GATEWAY_UNAUTHORIZED";
}
