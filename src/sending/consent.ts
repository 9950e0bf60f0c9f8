import type { TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { mayBeProgram } from "../host/caller.ts";
import { askModal, type ModalContent, type Severity } from "../host/prompts/notify.ts";
import { asksTwice } from "../host/settings/feature-settings.ts";

declare const consented: unique symbol;

/**
 * Permission to sign or send one transaction. Only this module makes one: from the user's answer, or for an account of
 * the proven local chain. Signing and sending require it by type.
 */
export interface Consent {
  readonly txId: TxId;
  readonly [consented]: true;
}

/** Review before a signature. */
export interface Review extends ModalContent {
  readonly severity: Severity;
  readonly isRealMoney: boolean;
  /** In display order; Enter selects the first one. */
  readonly buttons: readonly string[];
  /** The button that consents. */
  readonly sign: string;
  /** Other buttons that consent to the same bytes with another delivery. */
  readonly alsoConsent?: readonly string[];
}

export interface ReviewAnswer {
  /** Undefined if the user cancels. */
  readonly chosen: string | undefined;
  /** Present if the button consents. */
  readonly consent: Consent | undefined;
}

/** Button that does not sign. Enter selects it if money is real, or if something may happen twice. */
export const DO_NOT_SEND = t`Do Not Send`;

/** Shows the review of a transaction. Enter does not sign if money is real, or if a program may have called. */
export async function askForConsent(
  txId: TxId,
  { severity, isRealMoney, buttons, sign, alsoConsent = [], ...question }: Review,
): Promise<ReviewAnswer> {
  const signsFirst = buttons[0] === sign || alsoConsent.includes(buttons[0] ?? "");
  const first = signsFirst && (isRealMoney || mayBeProgram()) ? [DO_NOT_SEND] : [];
  const isFirstSafe = !signsFirst || first.length > 0;
  const chosen = await askModal(severity, { ...question, isFirstSafe }, ...first, ...buttons);
  const isLeft = chosen === DO_NOT_SEND;
  const yes = chosen !== undefined && (chosen === sign || alsoConsent.includes(chosen));
  const consents = yes && (!isRealMoney || !asksTwice() || (await askAgain(question, chosen)));
  return { chosen: isLeft || (yes && !consents) ? undefined : chosen, consent: consents ? consentTo(txId) : undefined };
}

/** Asks again if the setting requires it. No setting removes the review. */
async function askAgain({ title }: ModalContent, yes: string): Promise<boolean> {
  const detail = t`The setting finality.confirm asks twice for real money.`;
  return (await askModal("warning", { title, detail, isFirstSafe: true }, DO_NOT_SEND, yes)) === yes;
}

/**
 * Returns the consent for an account of the local chain, which proves each time that it is the one that was started.
 *
 * @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`, `GATEWAY_UNREACHABLE`
 */
export async function consentOfLocalChain(txId: TxId, prove: () => Promise<void>): Promise<Consent> {
  await prove();
  return consentTo(txId);
}

/** Returns the consent of a click on a button or row of this extension that names its action. */
export function consentOfClick(txId: TxId): Consent {
  return consentTo(txId);
}

function consentTo(txId: TxId): Consent {
  return { txId } as Consent;
}
