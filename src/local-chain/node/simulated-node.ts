import type { Blockchain } from "../chain/blockchain.ts";
import { Refusal } from "../chain/refusal.ts";
import type { ChainTransaction } from "../chain/transaction.ts";
import type { NodeSettings } from "./node-settings.ts";
import { SeenTransactions, seenBefore } from "./seen-transactions.ts";

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
