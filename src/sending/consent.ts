import { intentText, type NewRow } from "@finality/client/runs";
import { ChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import type { VerifiedTransaction } from "@finality/tron/transaction";
import type { MessageDigest } from "@finality/tron/typed-data";
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

/** Permission to sign one message or typed data, which the user always gives in a dialog. */
export interface MessageConsent {
  readonly digest: MessageDigest;
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

/** Button that does not sign a message. */
export const DO_NOT_SIGN = t`Do Not Sign`;

/** Shows the review of a transaction. Enter does not sign if money is real, or if a program may have called. */
export async function askForConsent(txId: TxId, review: Review): Promise<ReviewAnswer> {
  const { chosen, consents } = await answerTo(review, DO_NOT_SEND);
  return { chosen, consent: consents ? consentTo(txId) : undefined };
}

/** Shows the review of a message or of typed data. No caller gets a consent without it. */
export async function askForMessageConsent(digest: MessageDigest, review: Review): Promise<MessageConsent | undefined> {
  const { consents } = await answerTo(review, DO_NOT_SIGN);
  return consents ? ({ digest } as MessageConsent) : undefined;
}

/** Permission to sign the rows of a run as long as this window is open. It is never stored. */
export interface RunConsent {
  /**
   * Returns the consent to one attempt of a row.
   *
   * @throws {ChainError} `CONSENT_MISSING` if no row of the review has its intent
   */
  toAttempt(attempt: Pick<VerifiedTransaction, "txId" | "intent">): Consent;
  readonly [consented]: true;
}

/** Shows the review of a whole run. Returns the consent to exactly these rows; undefined if the user cancels. */
export async function askForRunConsent(rows: readonly NewRow[], review: Review): Promise<RunConsent | undefined> {
  const { consents } = await answerTo(review, DO_NOT_SEND);
  if (!consents) return undefined;
  const intents = new Set(rows.map(({ intent }) => intentText(intent)));
  const toAttempt: RunConsent["toAttempt"] = ({ txId, intent }) => {
    if (intents.has(intentText(intent))) return consentTo(txId);
    throw new ChainError("CONSENT_MISSING", { txId });
  };
  return { toAttempt } as RunConsent;
}

/** @param leave - Button that does nothing. */
async function answerTo(
  { severity, isRealMoney, buttons, sign, alsoConsent = [], ...question }: Review,
  leave: string,
): Promise<{ readonly chosen: string | undefined; readonly consents: boolean }> {
  const signsFirst = buttons[0] === sign || alsoConsent.includes(buttons[0] ?? "");
  const first = signsFirst && (isRealMoney || mayBeProgram()) ? [leave] : [];
  const isFirstSafe = !signsFirst || first.length > 0;
  const chosen = await askModal(severity, { ...question, isFirstSafe }, ...first, ...buttons);
  const isLeft = chosen === leave;
  const yes = chosen !== undefined && (chosen === sign || alsoConsent.includes(chosen));
  const consents = yes && (!isRealMoney || !asksTwice() || (await askAgain(question, chosen, leave)));
  return { chosen: isLeft || (yes && !consents) ? undefined : chosen, consents };
}

/** Asks again if the setting requires it. No setting removes the review. */
async function askAgain({ title }: ModalContent, yes: string, leave: string): Promise<boolean> {
  const detail = t`The setting finality.confirm asks twice for real money.`;
  return (await askModal("warning", { title, detail, isFirstSafe: true }, leave, yes)) === yes;
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
