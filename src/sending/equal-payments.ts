import { mayBeSameChain } from "@finality/client/gateway";
import {
  aliveError,
  equalsInTheWay,
  intentKey,
  type Payment,
  type TrackedTransaction,
} from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/**
 * Lets one intent through at a time, and only when no equal one may still be executed unless the sender knows of it.
 */
export class EqualPayments {
  readonly #list: () => readonly TrackedTransaction[];
  readonly #underWay = new Set<EqualPayment>();

  constructor(list: () => readonly TrackedTransaction[]) {
    this.#list = list;
  }

  /**
   * Does the work that signs and sends an intent, alone among its equals: what is decided here cannot be overtaken.
   *
   * @throws {ChainError} `EQUAL_TRANSACTION_ALIVE`
   */
  async alone<T>(payment: EqualPayment, work: () => Promise<T>): Promise<T> {
    const [duplicate] = equalsInTheWay(this.#list(), payment);
    if (duplicate !== undefined) throw aliveError(duplicate);
    const sending = [...this.#underWay].find((it) => isEqual(it, payment));
    if (sending !== undefined) {
      throw new ChainError("EQUAL_TRANSACTION_ALIVE", { txId: sending.txId, state: t`being sent` });
    }
    this.#underWay.add(payment);
    return await work().finally(() => this.#underWay.delete(payment));
  }
}

function isEqual(left: EqualPayment, right: EqualPayment): boolean {
  return mayBeSameChain(left, right) && intentKey(left.intent) === intentKey(right.intent);
}

/** A payment as it is compared with others. */
export interface EqualPayment extends Payment {
  readonly txId: TxId;
}
