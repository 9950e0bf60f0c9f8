import type { ChainPlace, Clock, NetworkProfile } from "@finality/client/gateway";
import type { Permission } from "@finality/client/permissions";
import { aliveError, type Since, sinceReference, type TrackingState } from "@finality/client/tracking";
import { ChainError, isChainError } from "@finality/tron/errors";
import type { NameOf } from "@finality/tron/format";
import type { Address, Hex, TxId } from "@finality/tron/primitives";
import type { Intent, SignedTransaction, VerifiedTransaction } from "@finality/tron/transaction";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Question } from "../host/prompts/notify.ts";
import { type During, whileSending, whileWorking } from "../host/prompts/while-working.ts";
import type { AccountGuard } from "./account-guard.ts";
import { askForConsent, type Consent, consentOfLocalChain, type Review, type ReviewAnswer } from "./consent.ts";
import { confirmDuplicate, showDifferences } from "./dialogs.ts";
import { EqualPayments } from "./equal-payments.ts";
import { requireTrust } from "./require-consent.ts";
import { type CoSigning, type SigningServices, signWithConsent } from "./signer.ts";
import type { TransactionService } from "./transaction-service.ts";

/** What was built and verified, and is not signed yet. */
export interface IntentDraft {
  readonly verified: VerifiedTransaction;
  /** Whose keys sign it, in their order; absent where the account's own key does. */
  readonly signers?: readonly Address[] | undefined;
  /** The solidified height before anything was signed: no earlier block can hold it. */
  readonly solidHeight: number;
  /** Chain time from the newest block to the expiration, ms. */
  readonly lifetimeMs: number;
  /** Energy that the contract call needs by its estimate. */
  readonly estimatedEnergy?: number | undefined;
  /** By which permission it is signed. `untold`: the gateway did not say, and it is assumed. */
  readonly plan?: { readonly permission: Permission; readonly untold?: string | undefined };
}

/** An intent that is decided but for the confirmation. */
export interface IntentOrder<D extends IntentDraft> {
  readonly network: NetworkProfile;
  readonly intent: Intent;
  readonly nameOf: NameOf;
  readonly label?: string | undefined;
  /** The txIDs of equal transactions that the sender knows of. */
  readonly acknowledgeUnknown?: readonly TxId[] | undefined;
  /** A program passed every argument: the review is the only dialog, and there is none on the local chain. */
  readonly unattended: boolean;
  /** The transaction whose place it takes. */
  readonly replaces?: TxId | undefined;
  /** When that one was signed: equal payments that were executed after it count too. */
  readonly since?: Since | undefined;
  /** What happens to the signed bytes instead of a broadcast. */
  readonly share?: Share | undefined;
  /** What is going on while it is built. */
  readonly progress: string;
  /**
   * Builds and verifies. Its intent may name the permission that a person chose for it.
   *
   * @param during - for what is asked of a gateway; what is asked of the person stands outside
   * @returns undefined when the person left
   * @throws {ChainError} `TRANSACTION_DIFFERS`
   */
  readonly draft: (during: During) => Promise<D | undefined>;
  /**
   * The last question before a signature. Only what it asks by `ask` gives a consent.
   *
   * @param network - the order's, marked as real money where its chain is
   */
  readonly confirm: (draft: D, ask: Ask, network: NetworkProfile) => Promise<Consent | undefined>;
}

/** Bytes that leave as a file, or came as one: they are kept in the journal before anything else happens to them. */
export interface Share {
  /** Of bytes that came from somewhere: they may be tracked already, and join what is known of them. */
  readonly txId?: TxId;
  /** The review, as it is asked for these bytes. @param drafted - whose keys here can sign */
  readonly reviewed?: (review: Review, drafted: readonly Address[]) => Review;
  /** After the consent: who signs beside which signatures. @param button - absent where nobody was asked */
  readonly coSigning: (drafted: readonly Address[], button: string | undefined) => CoSigning;
  /** What follows once they are kept. */
  readonly finish: (kept: KeptTransaction) => Promise<Omit<SentTransaction, "txId" | "state"> | undefined>;
}

/** What is on disk, and what the sender said to it. */
export interface KeptTransaction {
  readonly signed: SignedTransaction;
  readonly consent: Consent;
  /** The button of the review; absent where nobody was asked. */
  readonly button: string | undefined;
  /** Equal transactions that the sender knows of. */
  readonly acknowledged: readonly TxId[];
}

/** Asks the person whether the transaction of the draft may be signed. */
export type Ask = (review: Review) => Promise<ReviewAnswer>;

/** What is known of the chains that are sent to. */
export interface ChainRules {
  /** Whether the local chain that runs brought this account along. */
  isOfChain(address: Address): boolean;
  /** @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`, `GATEWAY_UNREACHABLE` */
  prove(): Promise<void>;
  /** Returns whether a network uses real money, by its record or by its chain. */
  isRealMoney(network: NetworkProfile): boolean;
  /** @throws {ChainError} `CHAIN_CHANGED`, `CHAINS_DIFFER` */
  placeOn(network: NetworkProfile): Promise<ChainPlace>;
}

/** What sending gives to who asked for it. */
export interface SentTransaction {
  readonly txId: TxId;
  readonly state: TrackingState;
  /** Of bytes that left as a file: where it was written, and its text. */
  readonly file?: string;
  readonly transaction?: string;
}

export interface SenderServices extends Pick<SigningServices, "keys" | "outside"> {
  readonly transactions: TransactionService;
  readonly chains: ChainRules;
  readonly guard: Pick<AccountGuard, "pass" | "require">;
  readonly clock: Clock;
}

/**
 * The one way of everything that is signed here: build, verify, show, sign, remember, broadcast. There is one in a
 * window.
 */
export class IntentSender {
  readonly #signing: Omit<SigningServices, "network">;
  readonly #transactions: TransactionService;
  readonly #chains: ChainRules;
  readonly #guard: Pick<AccountGuard, "pass" | "require">;
  readonly #equals: EqualPayments;
  readonly #clock: Clock;

  constructor({ keys, outside, transactions, chains, guard, clock }: SenderServices) {
    this.#transactions = transactions;
    this.#chains = chains;
    this.#guard = guard;
    const requireGuard = async (owner: Address): Promise<void> => {
      if (!chains.isOfChain(owner)) await guard.require(owner);
    };
    this.#signing = { keys, outside, requireGuard, prove: () => chains.prove() };
    this.#clock = clock;
    this.#equals = new EqualPayments(() => transactions.list());
  }

  /**
   * @returns undefined when the person left
   * @throws {ChainError} `WORKSPACE_NOT_TRUSTED` before anything is asked of a network; `EQUAL_TRANSACTION_ALIVE`,
   *   `TRANSACTION_DIFFERS`, `TRANSACTION_KNOWN`, `CHAIN_CHANGED`, `CHAINS_DIFFER`, and what building and signing throw
   */
  async send<D extends IntentDraft>(order: IntentOrder<D>): Promise<SentTransaction | undefined> {
    requireTrust("signed");
    const place = await this.#placeFor(order.network);
    if (!(await this.#passGuard(order))) return undefined;
    const acknowledged = await this.#passEquals(order, place, order.acknowledgeUnknown ?? []);
    if (acknowledged === undefined) return undefined;
    const draft = await draftOf(order);
    if (draft === undefined) return undefined;
    const validUntil = this.#clock.now() + draft.lifetimeMs;
    const { intent, txId: id, rawDataHex } = draft.verified;
    this.#refuseKnown(id, order.share);
    const since = order.since ?? this.#sinceOf(draft, order.share);
    const passed = await this.#passEquals({ ...order, since }, { ...place, rawDataHex }, acknowledged);
    if (passed === undefined) return undefined;
    const answer = await this.#consentTo(order, draft);
    if (answer === undefined) return undefined;
    const payment = { ...place, intent, txId: id, acknowledged: passed, since };
    const done = await this.#equals.alone(payment, () =>
      this.#signAndGoOn(order, { ...draft, ...answer, validUntil }, { ...place, acknowledged: passed }),
    );
    if (done === undefined) return undefined;
    const { txId } = done;
    if (!order.unattended) await vscode.commands.executeCommand("finality.showTransaction", { txId, focus: false });
    return done;
  }

  /**
   * The chain that is sent to. What a URL says of it counts for all commands of this window, so its request ends by
   * itself, and soon.
   *
   * @throws {ChainError} `JOURNAL_NEWER` before anything is asked of a person
   */
  async #placeFor(network: NetworkProfile): Promise<ChainPlace> {
    await this.#transactions.requireReadable();
    return await whileWorking(t`Asking which chain it is`, () => this.#chains.placeOn(network));
  }

  /** @returns false when the person did not let this host sign for the account */
  async #passGuard({ intent, nameOf }: Pick<IntentOrder<IntentDraft>, "intent" | "nameOf">): Promise<boolean> {
    const { owner } = intent;
    return this.#chains.isOfChain(owner) || (await this.#guard.pass(owner, nameOf(owner)));
  }

  /**
   * Asks the person, unless a program sends from an account of the local chain.
   * @returns undefined when the person left
   */
  async #consentTo<D extends IntentDraft>(order: IntentOrder<D>, draft: D): Promise<Consented | undefined> {
    const { intent, txId } = draft.verified;
    const parties = [intent.owner, ...(draft.signers ?? [])];
    if (order.unattended && order.network.local && parties.every((it) => this.#chains.isOfChain(it))) {
      return {
        consent: await consentOfLocalChain(txId, () => this.#chains.prove()),
        button: undefined,
        review: undefined,
      };
    }
    let answered: Pick<Consented, "button" | "review"> = { button: undefined, review: undefined };
    const ask: Ask = async (asked) => {
      const review = order.share?.reviewed?.(asked, signersOf(draft)) ?? asked;
      const answer = await askForConsent(txId, review);
      answered = { button: answer.chosen, review };
      return answer;
    };
    const { network } = order;
    const production = network.production || this.#chains.isRealMoney(network);
    const consent = await order.confirm(draft, ask, { ...network, production });
    return consent && { consent, ...answered };
  }

  /**
   * Once before anything is built, and once more with the bytes: only they show whether another network holds their
   * reference block.
   *
   * @returns the equal transactions that the sender knows of, and with bytes those of other chains; undefined when the
   *   person left
   */
  async #passEquals(
    { intent, since, unattended, nameOf, share }: Omit<IntentOrder<never>, "draft" | "confirm">,
    place: ChainPlace & { readonly rawDataHex?: Hex },
    acknowledged: readonly TxId[],
  ): Promise<readonly TxId[] | undefined> {
    const own = share?.txId === undefined ? {} : { txId: share.txId };
    const intended = { ...place, ...own, intent, since, acknowledged };
    const { inTheWay, apart } = await whileWorking(t`Looking for the same payment`, (signal) =>
      this.#transactions.duplicatesOf(intended, signal),
    );
    const passed = place.rawDataHex === undefined ? acknowledged : [...acknowledged, ...apart];
    const [duplicate] = inTheWay;
    if (duplicate === undefined) return passed;
    const { tracked, relation } = duplicate;
    if (unattended) throw aliveError(tracked, relation === "untold" ? tracked.network : undefined);
    const goOn = await confirmDuplicate(duplicate, place, nameOf);
    return goOn ? [...passed, ...inTheWay.map((it) => it.tracked.txId)] : undefined;
  }

  /** Of bytes that came from elsewhere nobody here knows since when others have them. */
  #sinceOf({ solidHeight }: IntentDraft, share: Share | undefined): Since | undefined {
    return share?.txId === undefined ? undefined : sinceReference(solidHeight, this.#clock.now());
  }

  /**
   * Bytes of an earlier payment would be executed once for the two of them.
   * @throws {ChainError} `TRANSACTION_KNOWN`
   */
  #refuseKnown(txId: TxId, share: Share | undefined): void {
    if (share?.txId === txId) return;
    const known = this.#transactions.get(txId);
    if (known !== undefined) throw new ChainError("TRANSACTION_KNOWN", { txId, state: known.state.kind });
  }

  /** @returns undefined when the person left while a signer outside was waited for */
  async #signAndGoOn<D extends IntentDraft>(
    { network, label, replaces, share }: IntentOrder<D>,
    {
      verified,
      signers,
      solidHeight,
      estimatedEnergy,
      plan,
      consent,
      button,
      review,
      validUntil,
    }: D & Consented & Timed,
    place: ChainPlace & { readonly acknowledged: readonly TxId[] },
  ): Promise<SentTransaction | undefined> {
    const { intent, expiration, txId, rawDataHex } = verified;
    this.#refuseKnown(txId, share);
    const signing = { ...this.#signing, network };
    const context = {
      ...place,
      intent,
      expiration,
      solidHeight,
      ...(estimatedEnergy === undefined ? {} : { estimatedEnergy }),
      ...(label === undefined ? {} : { label }),
      ...(replaces === undefined ? {} : { replaces }),
    };
    const permission = plan?.untold === undefined ? plan?.permission : undefined;
    // Whoever has the bytes may sign and send them: from here on they are in the journal, as those of a file are.
    let isNew = share?.txId === undefined;
    const keep = (bytes: SignedTransaction, renews: boolean) =>
      whileSending(t`Keeping what was signed`, () =>
        this.#transactions.keep(bytes, { ...context, permission, renews, isNew }, consent),
      );
    const handOut = async (): Promise<void> => {
      await keep({ txId, rawDataHex, signatures: [] }, false);
      isNew = false;
    };
    const handing = { review, validMs: Math.max(0, validUntil - this.#clock.now()), handOut };
    const all = signersOf({ verified, signers });
    const coSigning = share?.coSigning(all, button) ?? { signers: all, before: [] };
    const signed = await signWithConsent(signing, verified, consent, { ...coSigning, ...handing });
    if (signed === undefined) return undefined;
    if (share === undefined) {
      const { state } = await whileSending(t`Sending`, () => this.#transactions.submit(signed, context, consent));
      return { txId, state };
    }
    const kept = await keep(signed, coSigning.renews === true);
    const result = await share.finish({ signed: kept, consent, button, acknowledged: place.acknowledged });
    return { txId, state: this.#transactions.get(txId)?.state ?? { kind: "signed" }, ...result };
  }
}

function signersOf({ verified, signers }: Pick<IntentDraft, "verified" | "signers">): readonly Address[] {
  return signers ?? [verified.intent.owner];
}

/** What a person said to, and by which button; there is none where nobody was asked. */
interface Consented {
  readonly consent: Consent;
  readonly button: string | undefined;
  /** The words that were shown. */
  readonly review: Question | undefined;
}

/** Until when the bytes are valid by the clock of this computer, ms; the head may be told wrong. */
interface Timed {
  readonly validUntil: number;
}

/** @returns undefined when the person left, or the gateway built something else and a person was shown what */
async function draftOf<D extends IntentDraft>({ progress, draft, unattended }: IntentOrder<D>): Promise<D | undefined> {
  try {
    return await draft((work) => whileWorking(progress, work));
  } catch (thrown) {
    if (unattended || !isChainError(thrown) || thrown.code !== "TRANSACTION_DIFFERS") throw thrown;
    await showDifferences(thrown.details.differences);
    return undefined;
  }
}
