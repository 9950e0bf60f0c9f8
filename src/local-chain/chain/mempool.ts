import type { TxId } from "../../core/primitives/hash.ts";
import type { ChainTransaction, TransactionInfo } from "./transaction.ts";

const MAX_AGE_MS = 60_000;

/** A transaction that waits for a block. */
export interface Pending {
  readonly transaction: ChainTransaction;
  /** What its trial run did; its block may see it differently. */
  readonly trial: TransactionInfo;
  /** Chain time in ms of the newest block when it came. */
  readonly since: number;
}

/** First in, first out. */
export class Mempool {
  readonly #entries = new Map<TxId, Pending>();

  get size(): number {
    return this.#entries.size;
  }

  entries(): readonly Pending[] {
    return [...this.#entries.values()];
  }

  get(id: TxId): Pending | undefined {
    return this.#entries.get(id);
  }

  add(entry: Pending): void {
    this.#entries.set(entry.transaction.id, entry);
  }

  remove(id: TxId): void {
    this.#entries.delete(id);
  }

  /** Takes everything out, oldest first, so that it can be checked again. */
  drain(): readonly Pending[] {
    const entries = this.entries();
    this.#entries.clear();
    return entries;
  }
}

/** A pool forgets what no block took within a minute of chain time. */
export function tooOld(entry: Pending, now: number): boolean {
  return now - entry.since > MAX_AGE_MS;
}
