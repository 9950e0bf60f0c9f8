import { grouped, withoutStop } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";

/** Messages of a retry rule for the user. */
export interface RetryTexts {
  /** Condition for sending the same bytes again, as the rest of a sentence; present only if there is one. */
  readonly when?: string;
  /** Recommended next step; absent if there is none. */
  readonly advice?: string;
  /** Reason why the same bytes may not be sent, as sentences; absent if they may. */
  readonly whyNot?: string;
  /**
   * Recommendation of an answer if the history of its transaction is unknown, as the rest of a sentence: the way to
   * send the same bytes again, or the alternative.
   */
  readonly alone?: string;
}

const STILL_VALID = t`while its expiration and reference block are valid`;
const HARMLESS = t`Sending the same bytes again is harmless; a new payment is not.`;

/** Messages of the retry table, row by row. */
export const RETRY_TEXTS = {
  "not-sent": { advice: t`The signed bytes are stored in the journal. Send them when you are ready.` },
  collecting: {
    advice: t`It needs more signatures. Anyone who has its bytes, from a file or in a wallet, can sign and send it. Add a signature, or send it when there are enough.`,
  },
  "signed-again": { advice: t`It was signed again but not sent since then. Send it: its txID is the same.` },
  unknown: { advice: t`It may still be executed. ${HARMLESS}` },
  "turned-away": {
    when: t`the cause of the refusal was corrected, or after a pause at least as long as Retry-After`,
    advice: t`A server in front of the node refused it, not the node itself. Correct the cause, then send the same signed bytes again; a new payment could pay twice.`,
  },
  pending: {},
  included: {
    advice: t`A chain reorganization may still remove it.`,
    whyNot: t`It is already in a block: it cannot be executed a second time.`,
  },
  executed: { whyNot: t`It is final: it cannot be executed a second time.` },
  failed: {
    advice: t`It is final and failed. Find and correct the cause, then build and sign a new transaction.`,
    whyNot: t`It is final, although it failed: it cannot be executed a second time. Create a new transaction.`,
  },
  disputed: {
    advice: t`The URLs of its network disagree on whether it failed. Check it in an explorer first: a new payment could pay twice.`,
    whyNot: t`It is final, but the URLs of its network disagree on the outcome: it cannot be executed a second time.`,
  },
  "proven-absent": {
    advice: t`It can no longer be executed. It is safe to send a new one.`,
    whyNot: t`It expired and is proven to be in no block: it can no longer be accepted. Create a new transaction.`,
  },
  replaced: { whyNot: t`It was replaced, so sending it now could pay twice.` },
  "same-bytes-after-funding": {
    when: t`the account has the coins that it lacked`,
    advice: t`Once the sender has the coins, send the same signed bytes again.`,
    alone: t`after the account was funded, ${STILL_VALID}`,
  },
  "same-bytes-when-head-advances": {
    when: t`the head of the chain is within 24 hours of its expiration`,
    advice: t`It expires too far ahead. Wait until the chain has advanced, then send the same signed bytes again.`,
    alone: t`when the head of the chain is within 24 hours of its expiration, ${STILL_VALID}`,
  },
  "same-bytes-later": {
    when: t`a pause at least as long as Retry-After`,
    advice: t`Wait a little, then send the same signed bytes again.`,
    alone: t`after a pause, ${STILL_VALID}`,
  },
  "sign-again": {
    advice: t`Check the signing key. The gateway reports that the signature was not accepted and that nothing was executed.`,
    whyNot: t`Its signatures were refused. Sign the same transaction again: its txID stays the same.`,
    alone: t`sign the unchanged raw data again: the txID stays the same`,
  },
  rebuild: {
    advice: t`The gateway reports that nothing was executed. Create a new transaction.`,
    whyNot: t`It can no longer be accepted. Create a new transaction.`,
    alone: t`build and sign a new transaction, once no earlier attempt can be executed`,
  },
  "another-node": {
    advice: t`This node gives no useful reason. Send the same signed bytes to another node, which may give one.`,
    alone: t`through another synchronised node; keep tracking the txID`,
  },
  "fix-request": {
    when: t`the cause of the refusal was corrected`,
    advice: t`The gateway reports that nothing was executed. Correct the request and create a new transaction.`,
    alone: t`after its cause is corrected; if the cause is in the transaction itself, build and sign it again, once no earlier attempt can be executed`,
  },
} as const satisfies Readonly<Record<string, RetryTexts>>;

/** Advice for missing coins, by the missing resource; the row has the text for a balance. */
export const FUNDING_ADVICE = {
  bandwidth: t`Add Bandwidth or coins to the sender: the fee may include a new account for the recipient, more than one signature and the memo. Then send the same signed bytes again.`,
  sender: t`The sender's account does not exist: send it a small amount of coins, then send the same signed bytes again.`,
  recipient: t`The recipient's account does not exist: send it a small amount of coins, then send the same signed bytes again.`,
  /** @param account - As written by the node. */
  account: (account: string) =>
    t`The account ${visibleLine(account)} does not exist: send it a small amount of coins, then send the same signed bytes again.`,
  "an-account": t`The account of the sender or recipient does not exist: send a small amount of coins to the missing one, then send the same signed bytes again.`,
} as const;

/** Advice for a transaction that has enough signatures. */
export const COMPLETE_ADVICE = t`It has enough signatures and was not sent from here. Send it. Others who have its bytes can send it too, but it is executed at most once.`;

/** Texts of a refused row once its bytes have expired, or may have. */
export const EXPIRED_TEXTS = {
  /** A refusal as expired has two opposite causes, and no chain time is known. */
  "expired-or-early": {
    advice: t`The gateway reports that nothing was executed. If it has expired, create a replacement once no earlier attempt can be executed. If it expires more than 24 hours ahead of the chain, a node accepts the same signed bytes later.`,
    whyNot: t`If it has expired, it can no longer be accepted. If it expires more than 24 hours ahead of the chain, it can be accepted later. The gateway does not report which.`,
  },
  /** It has expired since the refusal, and was queried after that. */
  "expired-since": {
    advice: t`It has expired, and the gateway reports that nothing was executed. It is queried once more. Create a replacement once no earlier attempt can be executed.`,
    whyNot: t`It has expired: nodes no longer accept it.`,
  },
  /** It has expired by the chain time, and was not queried since. */
  "just-expired": {
    advice: t`It has expired by chain time: nodes no longer accept it. Finality searches for it until solidified blocks have passed its expiration.`,
    whyNot: t`It has expired by chain time: nodes no longer accept it.`,
  },
} as const satisfies Readonly<Record<string, RetryTexts>>;

/** Messages that replace those of a rule asking for a new transaction, when a node may hold the rejected one. */
export const HANDED_OVER_AGAIN = {
  advice: t`It was sent more than once, so a node may still have it. Do not create a new transaction before it is proven that no block contains it.`,
  whyNot: t`The same bytes cannot fix this refusal. It was sent more than once, so a node may still have it. Do not create a new transaction before it is proven that no block contains it.`,
} as const;

/** Further reasons why the same bytes may not be sent again. */
export const resendTexts = {
  bytesUnknown: t`Only its txID is known here, not its signed bytes.`,
  unsigned: t`It has no signature yet. Add one first.`,
  bytesGone: t`Its signed bytes are not available here.`,
  notTracked: t`This transaction is not tracked.`,
  noOtherNode: t`The network has no other node. Use Edit Network to add one to its fallback URLs.`,
  replacedBy: (txId: string) => t`${txId} replaced it.`,
  aboutToBeReplaced: (txId: string) => t`It is being replaced by ${txId}.`,
  inBlock: (height: number) => t`It is in block ${grouped(height)}.`,
  /** @param message - Message of the node, or its code. */
  refused: (message: string) => t`The answer was: ${withoutStop(message)}.`,
  /** @param equals - Outcome of the equal transactions, as sentences. */
  twice: (equals: string) => t`${equals} Sending this one too would execute the same thing twice.`,
} as const;

/** Outcome of an equal transaction. */
export type EqualFate = "executed" | "final" | "alive";

const FATES: { readonly [F in EqualFate]: string } = {
  executed: t`was executed meanwhile`,
  final: t`may have been executed`,
  alive: t`may still be executed`,
};

/**
 * Returns the message about the outcome of an equal transaction, in full sentences.
 *
 * @param elsewhere - Its network, if it may be another chain.
 */
export function equalTransactionText(txId: string, fate: EqualFate, elsewhere: string | undefined): string {
  const where = elsewhere === undefined ? "" : t` Its network ${visibleLine(elsewhere)} may be the same chain.`;
  return t`An equal transaction ${FATES[fate]}: ${txId}.${where}`;
}

/** Reasons why the same intent may not be executed again, as sentences. */
export const repeatTexts = {
  notFailed: t`This is only for transactions that are final and failed.`,
  disputed: t`The URLs of its network disagree on whether it failed: if it was executed, a second one would execute it twice.`,
};

/** Reasons why the same bytes are not signed again, as sentences. */
export const signAgainTexts = {
  bytesUnknown: t`Only its txID is known here, not its bytes.`,
  notAsked: t`This is only for transactions that need signatures or were refused because of them.`,
  expired: t`It has expired: nodes no longer accept it, whatever its signatures.`,
} as const;

/** Reasons why a transaction may not be replaced. */
export const replacementTexts = {
  intentUnknown: t`Only its txID is known here, not its content.`,
  proofUnreadable: t`Its proof cannot be read.`,
  mayBeExecuted: t`It may still be executed.`,
  notSent: t`It was not sent yet. Send it, or remove it.`,
  handedOverAgain: t`It was sent more than once, so a node may still have it.`,
  sameBytes: t`These are the same bytes.`,
  notTracked: t`It is not tracked here.`,
  replacedBy: (txId: string) => t`It was replaced by ${txId}.`,
  final: (height: number) => t`It is final in block ${grouped(height)}.`,
  included: (height: number) => t`It is in block ${grouped(height)}, and only a reorganization can remove it.`,
  /** @param when - Condition, as the rest of a sentence. */
  stillValid: (when: string | undefined) =>
    t`The same bytes are still valid and may be sent again${when === undefined ? "" : t` when ${when}`}: a new one beside them could pay twice.`,
  /** @param reason - Reason why it is not allowed now, as a sentence. */
  notYet: (reason: string) =>
    t`${reason} It can be replaced when solidified blocks have reached its expiration and none of them contains it.`,
  underWay: (txId: string) => t`Another window is replacing it with ${txId}.`,
} as const;

/** Reason why there is no proof to export, if the replacement was allowed without one. */
export const NO_PROOF_NEEDED = t`No proof was needed.`;

/** Reason why there is nothing to search for. */
export const NOTHING_TO_SEARCH = t`It can no longer be executed.`;
