import { ChainError } from "../../core/errors/chain-error.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import { intentKey, livingEquals } from "../../core/replacement/living-equal.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { Intent } from "../../core/transaction/intent.ts";

/** Lets one intent through at a time, and only when no equal one may still be executed unless the sender knows of it. */
export class EqualPayments {
  readonly #list: () => readonly TrackedTransaction[];
  readonly #underWay = new Map<string, TxId>();

  constructor(list: () => readonly TrackedTransaction[]) {
    this.#list = list;
  }

  /** Equal transactions that may still be executed, or were since, and that the sender did not acknowledge. */
  unacknowledged({ network, intent, acknowledged, since }: Payment): readonly TrackedTransaction[] {
    return livingEquals(this.#list(), network, intent, since).filter((it) => !acknowledged.includes(it.txId));
  }

  /**
   * Does the work that signs and sends an intent, alone among its equals: what is decided here cannot be overtaken.
   *
   * @throws {ChainError} `EQUAL_TRANSACTION_ALIVE`
   */
  async alone<T>(payment: EqualPayment, work: () => Promise<T>): Promise<T> {
    const { network, intent, txId } = payment;
    const key = intentKey(network, intent);
    const [twin] = this.unacknowledged(payment);
    if (twin !== undefined) throw aliveError(twin.txId, twin.state.kind);
    const sending = this.#underWay.get(key);
    if (sending !== undefined) throw aliveError(sending, "being sent");
    this.#underWay.set(key, txId);
    return await work().finally(() => this.#underWay.delete(key));
  }
}

/** A payment as it is compared with others. */
export interface Payment {
  readonly network: string;
  readonly intent: Intent;
  readonly acknowledged: readonly TxId[];
  /** For a replacement: the solidified height before its predecessor was signed. What was executed after it did the same already. */
  readonly since?: number | undefined;
}

export interface EqualPayment extends Payment {
  readonly txId: TxId;
}

export function aliveError(txId: TxId, state: string): ChainError {
  return new ChainError("EQUAL_TRANSACTION_ALIVE", { txId, state });
}
