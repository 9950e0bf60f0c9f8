import type { TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { mayBeProgram } from "../host/caller.ts";
import { askModal, type Question, type Severity } from "../host/prompts/notify.ts";
import { asksTwice } from "../host/settings/feature-settings.ts";

declare const consented: unique symbol;

/**
 * That this very transaction may be signed or sent. Only this file makes one: out of an answer of the person at the
 * keyboard, or for an account of the local chain that proved to be the one that was started here. What signs and what
 * sends ask for it by its type (`require-consent.ts`).
 */
export interface Consent {
  readonly txId: TxId;
  readonly [consented]: true;
}

/** The last question before a signature. */
export interface Review extends Question {
  readonly severity: Severity;
  readonly isRealMoney: boolean;
  /** In their order; Enter takes the first one. */
  readonly buttons: readonly string[];
  /** The one of them that consents. */
  readonly sign: string;
  /** Others that consent to the same bytes, and to something else being done with them. */
  readonly alsoConsent?: readonly string[];
}

export interface ReviewAnswer {
  /** The button; undefined when the person left. */
  readonly chosen: string | undefined;
  /** There only when the button was the one that consents. */
  readonly consent: Consent | undefined;
}

/** The harmless button: where money is real, or something may happen twice, Enter finds it first. */
export const DO_NOT_SEND = t`Do Not Send`;

/** Asks the person about one transaction. Enter signs nothing where money is real, or where a program may have called. */
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

/** For who wants it: a setting makes the question stricter, and none makes it go away. */
async function askAgain({ title }: Question, yes: string): Promise<boolean> {
  const detail = t`You are asked twice where money is real, as your setting finality.confirm says.`;
  return (await askModal("warning", { title, detail, isFirstSafe: true }, DO_NOT_SEND, yes)) === yes;
}

/**
 * Consent for an account that a local chain brought along: the chain proves first, and each time, that it is the one
 * that was started.
 *
 * @throws {ChainError} `LOCAL_CHAIN_UNPROVEN`, `GATEWAY_UNREACHABLE`
 */
export async function consentOfLocalChain(txId: TxId, prove: () => Promise<void>): Promise<Consent> {
  await prove();
  return consentTo(txId);
}

/** Consent of a person who has just clicked on a button or a row of ours that says what it does. */
export function consentOfClick(txId: TxId): Consent {
  return consentTo(txId);
}

function consentTo(txId: TxId): Consent {
  return { txId } as Consent;
}
