import type { JournalEntry } from "../life/journal-entry.ts";
import type { TxId } from "../primitives/hash.ts";

/** A clock that was put back must not make a new fact about a transaction look older than what was known before. */
export class FactDates {
  /** When the newest fact about each is dated; Unix ms. */
  readonly #lastAt = new Map<TxId, number>();

  saw({ txId, at }: JournalEntry): void {
    this.#lastAt.set(txId, Math.max(at, this.#lastAt.get(txId) ?? 0));
  }

  inOrder(entries: readonly JournalEntry[]): readonly JournalEntry[] {
    return entries.map((it) => {
      const last = this.#lastAt.get(it.txId) ?? 0;
      return it.at < last ? { ...it, at: last + 1 } : it;
    });
  }
}
