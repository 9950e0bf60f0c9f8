import type { NetworkProfile, NetworkRef } from "@finality/client/gateway";
import type { MessageReview } from "@finality/client/reviews";
import type { RunSigner } from "@finality/client/runs";
import { conflictError, type Since, sinceReference } from "@finality/client/tracking";
import { ChainError, isChainError } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import type { Address, Hex, TxId } from "@finality/tron/primitives";
import { defined } from "@finality/tron/primitives";
import type { SignedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type ModalContent, whileSending, whileWorking } from "../host/prompts/notify.ts";
import type { AccountGuard } from "./account-guard.ts";
import { ConflictGuard } from "./conflicting-payments.ts";
import {
  askForConsent,
  askForMessageConsent,
  askForRunConsent,
  type Consent,
  consentOfLocalChain,
  DO_NOT_SEND,
  DO_NOT_SIGN,
  type Review,
} from "./consent.ts";
import { confirmDuplicate, showDifferences } from "./dialogs.ts";
import { exportDelivery } from "./export-file.ts";
import { requireTrust } from "./require-consent.ts";
import { type RunToSign, requireRunKey, runSigner } from "./run-signer.ts";
import {
  type CoSigning,
  type SignedDigest,
  type SigningServices,
  signMessageWithConsent,
  signWithConsent,
} from "./signer.ts";
import type {
  ChainRules,
  Delivery,
  Draft,
  ProposalClaim,
  SendRequest,
  SentTransaction,
  SigningChoice,
  StepContext,
  StepServices,
  TransactionKind,
} from "./transaction-kind.ts";

export interface SenderServices extends StepServices, Pick<SigningServices, "outside"> {
  readonly chains: ChainRules;
  readonly guard: AccountGuard;
}

/**
 * The only path to a signature: build, verify, plan signatures, review, sign, journal, submit. A window has one sender,
 * so that two equal payments are never in progress at once.
 */
export class TransactionSender {
  readonly #services: SenderServices;
  readonly #signing: Omit<SigningServices, "network">;
  readonly #conflicts: ConflictGuard;

  constructor(services: SenderServices) {
    const { keys, outside, transactions, chains, guard } = services;
    this.#services = services;
    const requireGuard = async (owner: Address): Promise<void> => {
      if (!chains.isOfChain(owner)) await guard.require(owner);
    };
    this.#signing = { keys, outside, requireGuard, prove: () => chains.prove() };
    this.#conflicts = new ConflictGuard(() => transactions.list());
  }

  /**
   * Sends a transaction. Returns undefined if the user cancels.
   *
   * @throws {ChainError} `WORKSPACE_NOT_TRUSTED` before any request; `EQUAL_TRANSACTION_ALIVE`, `TRANSACTION_DIFFERS`,
   *   `TRANSACTION_KNOWN`, `CHAIN_CHANGED`, `CHAINS_DIFFER`, and the errors of building and signing
   */
  async send<R extends SendRequest, S, P extends SigningChoice, D extends Draft>(
    kind: TransactionKind<R, S, P, D>,
    request: R,
  ): Promise<SentTransaction | undefined> {
    requireTrust("signed");
    const network = await this.#requireChain(request);
    if (!(await this.#passGuard(request.intent.owner, request.nameOf))) return undefined;
    const accepted = await this.#passConflicts(request, network, request.acknowledgeUnknown ?? []);
    if (accepted === undefined) return undefined;

    const draft = await this.#build(kind, request);
    if (draft === undefined) return undefined;
    const validUntil = this.#services.clock.now() + draft.lifetimeMs;
    const { intent, txId, rawDataHex } = draft.verified;
    this.#refuseKnown(txId, request);
    const since = request.since ?? this.#sinceOf(draft, request);
    // Only the bytes show whether another network has their reference block.
    const acknowledged = await this.#passConflicts({ ...request, since }, { ...network, rawDataHex }, accepted);
    if (acknowledged === undefined) return undefined;

    const answer = await this.#review(kind, request, draft);
    const { consent, button, review } = answer;
    if (consent === undefined) {
      const revised = button === undefined ? undefined : await kind.revise?.(this.#context(request), draft, button);
      return revised === undefined ? undefined : await this.send(kind, revised);
    }

    const payment = { ...network, intent, txId, acknowledged, since };
    const consented = { kind, draft, consent, button, review, validUntil, place: network, acknowledged };
    const sent = await this.#conflicts.runAlone(payment, () => this.#signClaimed(request, consented));
    if (sent !== undefined && !request.unattended)
      await vscode.commands.executeCommand("finality.showTransaction", { txId, focus: false });
    return sent;
  }

  /**
   * Signs a message or typed data after its review, which every caller gets. Nothing is sent or stored. Returns
   * undefined if the user cancels.
   *
   * @returns 65 bytes, with 27 or 28 at the end
   * @throws {ChainError} as `signMessageWithConsent`
   */
  async signMessage(
    request: SignedDigest & { readonly network: NetworkProfile; readonly nameOf: NameOf },
    { title, detail, isDoubtful }: MessageReview,
  ): Promise<Hex | undefined> {
    const { digest, signer, network, nameOf } = request;
    requireTrust("signed");
    if (!(await this.#passGuard(signer, nameOf))) return undefined;
    const isRealMoney = network.production || this.#services.chains.isRealMoney(network);
    const sign = t`Sign`;
    const consent = await askForMessageConsent(digest, {
      severity: isDoubtful ? "warning" : "information",
      isRealMoney,
      title,
      detail,
      buttons: isDoubtful ? [DO_NOT_SIGN, sign] : [sign],
      sign,
    });
    if (consent === undefined) return undefined;
    return await signMessageWithConsent({ ...this.#signing, network }, request, consent);
  }

  /**
   * Shows the review of a run. Returns the signer of its rows for this window; undefined if the user cancels.
   *
   * @throws {ChainError} `WORKSPACE_NOT_TRUSTED`, `JOURNAL_NEWER`, `SIGNING_KEY_MISSING`, `KEY_POLICY_REFUSED`
   */
  async signerOfRun(run: RunToSign): Promise<RunSigner | undefined> {
    const { network, owner, nameOf, rows, review } = run;
    requireTrust("signed");
    await this.#services.transactions.requireReadable();
    if (!(await this.#passGuard(owner, nameOf))) return undefined;
    const signing = { ...this.#signing, network };
    await requireRunKey(signing, owner, rows);
    const consent = await askForRunConsent(rows, review);
    return consent && runSigner(signing, owner, consent);
  }

  #context<R>(request: R): StepContext<R> {
    return { services: this.#services, request };
  }

  /**
   * Returns the chain of the network. All commands of this window rely on the answer, so the request is not cancelled
   * with the command; it has a short timeout of its own.
   *
   * @throws {ChainError} `JOURNAL_NEWER` before any prompt
   */
  async #requireChain({ network }: SendRequest): Promise<NetworkRef> {
    const { transactions, chains } = this.#services;
    await transactions.requireReadable();
    return await whileWorking(t`Checking the chain`, () => chains.networkRefOf(network));
  }

  /** Returns false if the user does not let this host sign for the account. */
  async #passGuard(owner: Address, nameOf: NameOf): Promise<boolean> {
    const { chains, guard } = this.#services;
    return chains.isOfChain(owner) || (await guard.pass(owner, nameOf(owner)));
  }

  /**
   * Stops at equal transactions that may still be executed. Returns those that the sender accepts, and with bytes those
   * of other chains; undefined if the user cancels.
   */
  async #passConflicts(
    { intent, since, unattended, nameOf, txId }: SendRequest,
    network: NetworkRef & { readonly rawDataHex?: Hex },
    acknowledged: readonly TxId[],
  ): Promise<readonly TxId[] | undefined> {
    const intended = { ...network, ...defined({ txId }), intent, since, acknowledged };
    const { conflicting, onOtherChains } = await whileWorking(t`Searching for an equal payment`, (signal) =>
      this.#services.transactions.findDuplicates(intended, signal),
    );
    const passed = network.rawDataHex === undefined ? acknowledged : [...acknowledged, ...onOtherChains];
    const [duplicate] = conflicting;
    if (duplicate === undefined) return passed;
    const { tracked, relation } = duplicate;
    if (unattended) throw conflictError(tracked, relation === "unknown" ? tracked.network : undefined);
    const goOn = await confirmDuplicate(duplicate, network, nameOf);
    return goOn ? [...passed, ...conflicting.map((it) => it.tracked.txId)] : undefined;
  }

  /** Builds, verifies and plans the signatures. Returns undefined if the user cancels, or was shown a difference. */
  async #build<R extends SendRequest, S, P extends SigningChoice, D extends Draft>(
    kind: TransactionKind<R, S, P, D>,
    request: R,
  ): Promise<D | undefined> {
    const context = this.#context(request);
    const title = kind.progress(request);
    try {
      const state = await whileWorking(title, (signal) => kind.read(context, signal));
      const plan = await kind.plan(context, state);
      if (plan === undefined) return undefined;
      // Choosing a permission takes time, so the state is read again.
      if (plan.intent !== request.intent) return await this.#build(kind, { ...request, intent: plan.intent });
      const draft = await whileWorking(title, (signal) => kind.build(context, state, plan, signal));
      if (request.unattended) kind.check?.(context, draft);
      return draft;
    } catch (thrown) {
      if (request.unattended || !isChainError(thrown) || thrown.code !== "TRANSACTION_DIFFERS") throw thrown;
      await showDifferences(thrown.details.differences);
      return undefined;
    }
  }

  /** Returns when bytes from elsewhere may have been sent first; undefined for bytes that were built here. */
  #sinceOf({ solidHeight }: Draft, { txId }: SendRequest): Since | undefined {
    return txId === undefined ? undefined : sinceReference(solidHeight, this.#services.clock.now());
  }

  /**
   * Refuses the bytes of an earlier payment: the chain would execute them once for both.
   *
   * @throws {ChainError} `TRANSACTION_KNOWN`
   */
  #refuseKnown(txId: TxId, request: SendRequest): void {
    if (request.txId === txId) return;
    const known = this.#services.transactions.get(txId);
    if (known !== undefined) throw new ChainError("TRANSACTION_KNOWN", { txId, state: known.state.kind });
  }

  /** Shows the review, unless a program sends from an account of the local chain. */
  async #review<R extends SendRequest, S, P extends SigningChoice, D extends Draft>(
    kind: TransactionKind<R, S, P, D>,
    request: R,
    draft: D,
  ): Promise<Answer> {
    const { chains } = this.#services;
    const { network } = request;
    const { intent, txId } = draft.verified;
    const parties = [intent.owner, ...draft.plan.signers];
    if (request.unattended && network.local && parties.every((it) => chains.isOfChain(it))) {
      const consent = await consentOfLocalChain(txId, () => chains.prove());
      return { consent, button: undefined, review: undefined };
    }
    const production = network.production || chains.isRealMoney(network);
    const context = this.#context({ ...request, network: { ...network, production } });
    if (kind.confirm !== undefined && !(await kind.confirm(context, draft)))
      return { consent: undefined, button: undefined, review: undefined };
    const text = await kind.review(context, draft);
    const delivered = deliveryOf(kind, request)?.review?.(text, draft) ?? text;
    const review = request.proposal === undefined ? delivered : proposedReview(delivered, request.proposal);
    const { chosen, consent } = await askForConsent(txId, review);
    return { consent, button: chosen, review };
  }

  /** Claims the proposal of the request, if it has one, and signs. A proposal whose bytes are not stored stays open. */
  async #signClaimed<R extends SendRequest, S, P extends SigningChoice, D extends Draft>(
    request: R,
    consented: Consented<R, S, P, D>,
  ): Promise<SentTransaction | undefined> {
    const { proposal } = request;
    const { intent, txId } = consented.draft.verified;
    await request.beforeSigning?.();
    await proposal?.claim(intent);
    try {
      return await this.#signAndSubmit(request, consented);
    } finally {
      if (this.#services.transactions.get(txId) === undefined) await proposal?.release();
    }
  }

  /** Signs, stores and submits or delivers. Returns undefined if the user stops waiting for an external signer. */
  async #signAndSubmit<R extends SendRequest, S, P extends SigningChoice, D extends Draft>(
    request: R,
    { kind, draft, consent, button, review, validUntil, place, acknowledged }: Consented<R, S, P, D>,
  ): Promise<SentTransaction | undefined> {
    const { transactions, clock } = this.#services;
    const { verified, plan, solidHeight, estimatedEnergy, functionSignature } = draft;
    const { intent, expiration, txId, rawDataHex } = verified;
    this.#refuseKnown(txId, request);
    const context = {
      ...place,
      acknowledged,
      intent,
      expiration,
      solidHeight,
      ...defined({ estimatedEnergy, functionSignature, label: request.label }),
      ...defined({ replaces: request.replaces, proposal: request.proposal?.id }),
    };
    const permission = plan.missingPath === undefined ? plan.permission : undefined;
    let isNew = request.txId === undefined;
    const store = (bytes: SignedTransaction, renews: boolean) =>
      whileSending(t`Saving the signed transaction`, () =>
        transactions.keep(bytes, { ...context, permission, renews, isNew }, consent),
      );
    // An external signer can sign and send the bytes itself, so the journal has them before it does.
    const handOut = async (): Promise<void> => {
      await store({ txId, rawDataHex, signatures: [] }, false);
      isNew = false;
    };
    const delivery = deliveryOf(kind, request);
    const coSigning: CoSigning = delivery?.coSigning(request, draft, button) ?? { signers: plan.signers, before: [] };
    const validMs = Math.max(0, validUntil - clock.now());
    const signing = { ...this.#signing, network: request.network };
    const signed = await signWithConsent(signing, verified, consent, { ...coSigning, review, validMs, handOut });
    if (signed === undefined) return undefined;
    if (delivery === undefined) {
      const { state } = await whileSending(t`Sending`, () => transactions.submit(signed, context, consent));
      return { txId, state };
    }
    const stored = await store(signed, coSigning.renews === true);
    const parts = { signed: stored, consent, button, acknowledged };
    const result = await delivery.deliver(this.#context(request), draft, parts);
    return { txId, state: transactions.get(txId)?.state ?? { kind: "signed" }, ...result };
  }
}

/** Answer to the review. */
interface Answer {
  readonly consent: Consent | undefined;
  /** Absent if the user cancelled, or there was no review. */
  readonly button: string | undefined;
  /** The text that was shown. */
  readonly review: ModalContent | undefined;
}

/** A draft that may be signed. */
interface Consented<R extends SendRequest, S, P extends SigningChoice, D extends Draft> extends Answer {
  readonly kind: TransactionKind<R, S, P, D>;
  readonly draft: D;
  readonly consent: Consent;
  /** End of the validity by this computer's clock, ms: the gateway may report a wrong newest block. */
  readonly validUntil: number;
  readonly place: NetworkRef;
  readonly acknowledged: readonly TxId[];
}

/** Adds the claim of the agent to a review. Enter does not sign what a program proposed. */
function proposedReview(review: Review, { remark }: ProposalClaim): Review {
  const { detail = "", buttons } = review;
  const safe = buttons.includes(DO_NOT_SEND) ? [] : [DO_NOT_SEND];
  return { ...review, detail: `${detail}\n\n${remark}`, buttons: [...safe, ...buttons] };
}

function deliveryOf<R extends SendRequest, S, P extends SigningChoice, D extends Draft>(
  { delivery }: TransactionKind<R, S, P, D>,
  { exportOptions }: SendRequest,
): Delivery<R, D> | undefined {
  return delivery ?? (exportOptions === undefined ? undefined : exportDelivery);
}
