import * as vscode from "vscode";
import { isChainError } from "../../core/errors/chain-error.ts";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import type { TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { TrackingState } from "../../core/tracking/tracking-state.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import type { Intent } from "../../core/transaction/intent.ts";
import type { VerifiedTransaction } from "../../core/transaction/verify-against-intent.ts";
import type { SigningKeys } from "../signing-keys.ts";
import type { TransactionDesk } from "../transaction-desk.ts";
import { confirmTwin, showDifferences, whileWorking } from "./dialogs.ts";
import { aliveError, EqualPayments } from "./equal-payments.ts";

/** What was built and verified, and is not signed yet. */
export interface IntentDraft {
  readonly verified: VerifiedTransaction;
  /** The solidified height before anything was signed: no earlier block can hold it. */
  readonly solidHeight: number;
}

/** An intent that is decided but for the confirmation. */
export interface IntentOrder<D extends IntentDraft> {
  readonly network: NetworkProfile;
  readonly intent: Intent;
  readonly nameOf: NameOf;
  readonly label?: string | undefined;
  /** The txIDs of equal transactions that the sender knows of. */
  readonly acknowledgeUnknown?: readonly TxId[] | undefined;
  /** Everything was said in advance, so nobody may sit in front of the screen. */
  readonly unattended: boolean;
  /** The transaction whose place it takes. */
  readonly replaces?: TxId | undefined;
  /** The solidified height when that one was signed: equal payments that were executed after it count too. */
  readonly since?: number | undefined;
  /** What is going on while it is built. */
  readonly progress: string;
  /** Builds and verifies. @throws {ChainError} `TRANSACTION_DIFFERS` */
  readonly draft: () => Promise<D>;
  /** The last question before a signature. */
  readonly confirm: (draft: D) => Promise<boolean>;
}

/** What sending gives to who asked for it. */
export interface SentTransaction {
  readonly txId: TxId;
  readonly state: TrackingState;
}

/** The one way of everything that is signed here: build, verify, show, sign, remember, broadcast. There is one in a window. */
export class IntentSender {
  readonly #keys: Pick<SigningKeys, "withPrivateKey">;
  readonly #desk: TransactionDesk;
  readonly #equals: EqualPayments;

  constructor(keys: Pick<SigningKeys, "withPrivateKey">, desk: TransactionDesk) {
    this.#keys = keys;
    this.#desk = desk;
    this.#equals = new EqualPayments(() => desk.list());
  }

  /**
   * @returns undefined when the person left
   * @throws {ChainError} `EQUAL_TRANSACTION_ALIVE`, `TRANSACTION_DIFFERS`, and what building and signing throw
   */
  async send<D extends IntentDraft>(order: IntentOrder<D>): Promise<SentTransaction | undefined> {
    await this.#desk.ready();
    const acknowledged = await this.#passEquals(order);
    if (acknowledged === undefined) return undefined;
    const draft = await draftOf(order);
    if (draft === undefined) return undefined;
    if (!(order.unattended && order.network.local) && !(await order.confirm(draft))) return undefined;
    const { intent, txId: id } = draft.verified;
    const payment = { network: order.network.name, intent, txId: id, acknowledged, since: order.since };
    const { txId, state } = await this.#equals.alone(payment, () => this.#signAndSubmit(order, draft, acknowledged));
    if (!order.unattended) await vscode.commands.executeCommand("finality.showTransaction", { txId, focus: false });
    return { txId, state };
  }

  /** @returns the equal transactions that the sender knows of; undefined when the person left */
  async #passEquals(
    order: Pick<
      IntentOrder<IntentDraft>,
      "network" | "intent" | "acknowledgeUnknown" | "unattended" | "nameOf" | "since"
    >,
  ) {
    const acknowledged = order.acknowledgeUnknown ?? [];
    const { network, intent, since } = order;
    const twins = this.#equals.unacknowledged({ network: network.name, intent, acknowledged, since });
    const [twin] = twins;
    if (twin === undefined) return acknowledged;
    if (order.unattended) throw aliveError(twin.txId, twin.state.kind);
    const goOn = await confirmTwin(twin, order.nameOf);
    return goOn ? [...acknowledged, ...twins.map((it) => it.txId)] : undefined;
  }

  async #signAndSubmit<D extends IntentDraft>(
    { network, label, replaces }: IntentOrder<D>,
    { verified, solidHeight }: D,
    acknowledged: readonly TxId[],
  ): Promise<TrackedTransaction> {
    const { signTransaction } = await import("../lazy/signing.ts");
    const signed = await this.#keys.withPrivateKey(verified.intent.owner, (key) => signTransaction(verified, key));
    const { intent, expiration } = verified;
    return await this.#desk.submit(signed, {
      ...{ network: network.name, intent, expiration, solidHeight, acknowledged },
      ...(label === undefined ? {} : { label }),
      ...(replaces === undefined ? {} : { replaces }),
    });
  }
}

/** @returns undefined when the gateway built something else and a person was shown what */
async function draftOf<D extends IntentDraft>({ progress, draft, unattended }: IntentOrder<D>): Promise<D | undefined> {
  try {
    return await whileWorking(progress, draft);
  } catch (thrown) {
    if (unattended || !isChainError(thrown) || thrown.code !== "TRANSACTION_DIFFERS") throw thrown;
    await showDifferences(thrown.details.differences);
    return undefined;
  }
}
