import type { TxId } from "../../core/primitives/hash.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import { Refusal } from "../chain/refusal.ts";

const MAX_REMEMBERED = 100_000;

/**
 * The node's cache of transactions: it remembers each txID before anything is checked, so whoever comes a second time
 * is a duplicate, whatever is wrong with it, and even if it was refused (node behaviour 12).
 */
export class SeenTransactions {
  readonly #ids = new Set<TxId>();

  /** Remembers this one. @returns whether it came before, or a block holds it */
  meet(id: TxId, chain: Blockchain): boolean {
    const known = this.#ids.has(id) || chain.find(id) !== undefined;
    this.#ids.add(id);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_REMEMBERED && oldest !== undefined) this.#ids.delete(oldest);
    return known;
  }
}

export function seenBefore(): Refusal {
  return new Refusal("DUP_TRANSACTION_ERROR", "Transaction already exists.");
}
