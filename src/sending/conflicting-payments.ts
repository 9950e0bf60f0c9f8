import { mayBeSameChain, type NetworkRef } from "@finality/client/gateway";
import {
  conflictError,
  conflictsOf,
  type Duplicate,
  type IntendedPayment,
  intentKey,
  type TrackedTransaction,
} from "@finality/client/tracking";
import { ChainError } from "@finality/tron/errors";
import { type TxId, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/**
 * Signs equal intents one at a time, and none while an equal one that the sender does not accept may still be executed.
 */
export class ConflictGuard {
  readonly #list: () => readonly TrackedTransaction[];
  readonly #underWay = new Set<EqualPayment>();

  constructor(list: () => readonly TrackedTransaction[]) {
    this.#list = list;
  }

  /**
   * Runs the work that signs and sends an intent while no equal one is in progress.
   *
   * @throws {ChainError} `EQUAL_TRANSACTION_ALIVE`
   */
  async runAlone<T>(payment: EqualPayment, work: () => Promise<T>): Promise<T> {
    const [duplicate] = conflictsOf(this.#list(), payment);
    if (duplicate !== undefined) throw conflictError(duplicate);
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

/** A payment with its transaction id. */
export interface EqualPayment extends IntendedPayment {
  readonly txId: TxId;
}

/** Returns the warning about an equal payment that is pending or was executed. */
export function duplicateText(
  what: string,
  { tracked, relation }: Duplicate,
  here: NetworkRef,
): { title: string; detail: string } {
  const [title, meaning] = duplicateMeaning(tracked);
  const where = whereText(tracked, relation, here);
  const facts = [what, t`txID ${tracked.txId}`, ...(where === undefined ? [] : [where])];
  return { title, detail: [facts.join("\n"), meaning].join("\n\n") };
}

/** Returns the network of the other payment and why it conflicts; undefined if name and chain are the same. */
function whereText(
  duplicate: TrackedTransaction,
  relation: Duplicate["relation"],
  here: NetworkRef,
): string | undefined {
  const [there, name] = [duplicate.network, here.network].map((it) => visibleLine(it));
  if (relation === "unknown")
    return t`Network: ${String(there)}. Finality could not verify that it is another chain than ${String(name)}, so it counts as the same. Try again when every URL of both networks answers.`;
  return duplicate.network === here.network
    ? undefined
    : t`Network: ${String(there)}, the same chain as ${String(name)}`;
}

function duplicateMeaning({ state, outcomeElsewhere }: TrackedTransaction): readonly [title: string, meaning: string] {
  switch (state.kind) {
    case "unknown":
      return [
        t`An equal payment has an unknown outcome`,
        t`It may still be executed. A second one would pay twice. Sending the same bytes again is harmless.`,
      ];
    case "rejected":
    case "replaced":
      return [
        t`An equal payment was refused, but may exist`,
        t`The gateway reported that nothing was executed. It does not answer now, or another network shows the payment. If it was executed anyway, a second one would pay twice.`,
      ];
    case "solidified":
      if (state.outcome.kind === "failed") return failureMeaning(outcomeElsewhere?.endpoint);
      return [t`An equal payment was executed meanwhile`, t`It is final. A second one would pay twice.`];
    default:
      return [t`An equal payment is still pending`, t`It is not final yet. A second one would pay twice.`];
  }
}

/** @param other - Source of the claim that it was executed; undefined if the other sources report nothing. */
function failureMeaning(other: string | undefined): readonly [title: string, meaning: string] {
  if (other !== undefined)
    return [
      t`An equal payment failed, or was executed`,
      t`Its gateway reports that it failed, ${visibleLine(other)} that it was executed. If it was, a second one would pay twice. Check it in an explorer first.`,
    ];
  return [
    t`An equal payment failed, according to one gateway only`,
    t`No other URL shows it in a final block. If it was executed, a second one would pay twice. Try again when the other URLs answer, or check it in an explorer first.`,
  ];
}

/** Returns the differences between the request and the bytes, one per line. */
export function differencesText(differences: readonly { path: string; asked: string; built: string }[]): string {
  return differences.map(({ path, asked, built }) => t`${path}: requested ${asked}, built ${built}`).join("\n");
}
