import type { TxId } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import type { NetworkRef } from "../gateway/network.ts";
import { intentKey, type Since, unsettledEquals } from "../retry/conflicting-transactions.ts";
import type { Subscription, TransactionTracker } from "../tracking/transaction-tracker.ts";
import type { TrackedTransaction } from "../transaction-state/tracked-transaction.ts";

/**
 * Index of the transactions outside of runs by what they do. Rows of runs with equal intents are different payments, so
 * they are not in it. A comparison costs the equal ones only.
 */
export class EqualPayments {
  readonly #tracker: TransactionTracker;
  readonly #byKey = new Map<string, Set<TxId>>();
  readonly #following: Subscription;

  constructor(tracker: TransactionTracker) {
    this.#tracker = tracker;
    for (const tracked of tracker.list()) this.#add(tracked);
    this.#following = tracker.onDidChange((txIds) => {
      for (const txId of txIds) this.#add(tracker.get(txId));
    });
  }

  /**
   * Returns an equal transaction outside of runs that may still be executed on this chain.
   *
   * @param since - Executions after this time count too.
   */
  unsettled(network: NetworkRef, intent: Intent, since?: Since): TrackedTransaction | undefined {
    const txIds = this.#byKey.get(intentKey(intent)) ?? [];
    const equals = [...txIds].flatMap((txId) => this.#tracker.get(txId) ?? []);
    return unsettledEquals(equals, network, intent, since)[0];
  }

  dispose(): void {
    this.#following.dispose();
  }

  #add(tracked: TrackedTransaction | undefined): void {
    if (tracked?.signed === undefined || tracked.signed.run !== undefined) return;
    const key = intentKey(tracked.signed.intent);
    const equals = this.#byKey.get(key) ?? new Set();
    this.#byKey.set(key, equals.add(tracked.txId));
  }
}
