import type { TxId } from "../../core/primitives/bytes.ts";
import type { Blockchain } from "../chain/blockchain.ts";
import { Refusal } from "../chain/refusal.ts";
import type { ChainTransaction } from "../chain/transaction.ts";
import type { NodeSettings } from "./node-settings.ts";

/**
 * The one node of this chain, as far as it is not the chain: its settings, and what it asks a broadcast before the
 * chain does.
 */
export class SimulatedNode {
  readonly #chain: Blockchain;
  readonly #seen = new SeenTransactions();
  settings: NodeSettings;

  constructor(chain: Blockchain, settings: NodeSettings) {
    this.#chain = chain;
    this.settings = settings;
  }

  /**
   * Takes a broadcast into the pool (protocol reference §7.2, from step 1 on).
   *
   * @throws {Refusal}
   */
  submit(transaction: ChainTransaction): void {
    const { maxUnsolidified, peers, maxPending, transactionCache } = this.settings;
    if (maxUnsolidified > 0 && this.#chain.unsolidified >= maxUnsolidified) {
      throw new Refusal("BLOCK_UNSOLIDIFIED", "Block unsolidified.");
    }
    if (!peers) throw new Refusal("NO_CONNECTION", "No connection.");
    if (this.#chain.pool.size > maxPending) throw new Refusal("SERVER_BUSY", "Server busy.");
    if (transactionCache && this.#seen.meet(transaction.id, this.#chain)) throw seenBefore();
    this.#chain.submit(transaction);
  }
}

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
