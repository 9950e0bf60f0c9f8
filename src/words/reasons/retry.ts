import { visibleLine } from "../../core/primitives/plain-text.ts";

/** What is said about a row, for people. */
export interface RetryWords {
  /**
   * What has to happen before the same bytes may be sent again, as the rest of a sentence; there where something has
   * to.
   */
  readonly when?: string;
  /** What to do next; absent when there is nothing to do. */
  readonly advice?: string;
  /** Why the same bytes may not be sent, as sentences; there where they may not. */
  readonly whyNot?: string;
  /**
   * What an answer asks for when no history of its transaction is known, as the rest of a sentence: how the same bytes
   * may be sent again, or what to do instead.
   */
  readonly alone?: string;
}

const STILL_VALID = "while its expiration and reference block are valid";
const HARMLESS = "Sending the same bytes again is harmless; a new payment is not.";

/** The words of the one table of retries, row by row. */
export const RETRY_WORDS = {
  "not-sent": { advice: "The signed bytes are kept in the journal. Send them when you are ready." },
  collecting: {
    advice:
      "It waits for signatures, and whoever has its bytes, from a file or in a wallet, may sign and send it. Add a signature, or send it when there are enough.",
  },
  "signed-again": { advice: "It was signed again and not sent since. Send it: its txID is the same." },
  unknown: { advice: `It may still be executed. ${HARMLESS}` },
  "turned-away": {
    when: "what turned it away was corrected, or a pause of at least what Retry-After says",
    advice:
      "Whoever stands before the node said so, and not the node itself. Correct the cause, then send the same signed bytes again; a new payment could pay twice.",
  },
  pending: {},
  included: {
    advice: "A reorganisation of the chain may still take it back.",
    whyNot: "A block holds it already: it cannot be executed a second time.",
  },
  executed: { whyNot: "It is final: it cannot be executed a second time." },
  failed: {
    advice: "It is final and failed. Find and correct the cause, then build and sign a new transaction.",
    whyNot: "It is final, although it failed: it cannot be executed a second time. Create a new transaction.",
  },
  disputed: {
    advice: "Its URLs do not agree whether it failed. Look at it in an explorer first: a new payment could pay twice.",
    whyNot: "It is final, and its URLs do not agree how it ended: it cannot be executed a second time.",
  },
  "proven-absent": {
    advice: "It can never be executed any more. It is safe to send a new one.",
    whyNot: "It expired and is proven to be in no block: it can never be accepted any more. Create a new transaction.",
  },
  replaced: { whyNot: "It was replaced: sending it now could pay twice." },
  "same-bytes-after-funding": {
    when: "the account has the coins that it lacked",
    advice: "Top up the sender, then send the same signed bytes again.",
    alone: `after the account was funded, ${STILL_VALID}`,
  },
  "same-bytes-when-head-advances": {
    when: "the head of the chain is within 24 hours of its expiration",
    advice: "It expires too far ahead. Wait until the chain has advanced, then send the same signed bytes again.",
    alone: `when the head of the chain is within 24 hours of its expiration, ${STILL_VALID}`,
  },
  "same-bytes-later": {
    when: "a pause, of at least what Retry-After says",
    advice: "Wait a little, then send the same signed bytes again.",
    alone: `after a pause, ${STILL_VALID}`,
  },
  "sign-again": {
    advice:
      "Check the signing key. The gateway says that the signature was not accepted and that nothing was executed.",
    whyNot: "Its signatures were refused. Sign the same transaction again: its txID stays the same.",
    alone: "sign the unchanged raw data again: the txID stays the same",
  },
  rebuild: {
    advice: "The gateway says that nothing was executed. Send it anew.",
    whyNot: "It can never be accepted any more. Create a new transaction.",
    alone: "build and sign a new transaction, once no earlier attempt can be executed",
  },
  "another-node": {
    advice: "This node gives no reason that helps. Send the same signed bytes to another node, which may show one.",
    alone: "through another synchronised node; keep following the txID",
  },
  "fix-request": {
    when: "what the node refused was corrected",
    advice: "The gateway says that nothing was executed. Correct the request and send it anew.",
    alone:
      "after its cause is corrected; if the cause is in the transaction itself, build and sign it again, once no earlier attempt can be executed",
  },
} as const satisfies Readonly<Record<string, RetryWords>>;

/** What stands in the place of a row's words that ask for a new transaction, when a node may hold the refused one. */
export const HANDED_OVER_AGAIN = {
  advice:
    "It was handed to a gateway more than once, so a node may hold it. Nothing new before it is proven that no block does.",
  whyNot:
    "The refusal is none that the same bytes could mend. It was handed over more than once, so a node may hold it: nothing new before it is proven that no block does.",
} as const;

/** Why the same bytes may not be sent again, besides what their row says. */
export const resendWords = {
  bytesUnknown: "Only its txID is known here, not its signed bytes.",
  unsigned: "Nobody has signed it yet. Add a signature first.",
  bytesGone: "Its signed bytes are not here.",
  notTracked: "This transaction is not tracked.",
  noOtherNode: "The network names no other node. Edit Network adds one to its fallback URLs.",
  replacedBy: (txId: string) => `${txId} took its place.`,
  aboutToBeReplaced: (txId: string) => `A replacement is about to take its place: ${txId}.`,
  inBlock: (height: number) => `It is in block ${height}.`,
  /** @param message - what the node said, or its code */
  refused: (message: string) => `The answer was: ${message.replace(/\.$/, "")}.`,
  /** @param equals - what became of the equal ones, as sentences */
  twice: (equals: string) => `${equals} Sending this one too would do the same thing twice.`,
} as const;

/** What became of an equal transaction. */
export type EqualFate = "executed" | "final" | "alive";

const FATES: { readonly [F in EqualFate]: string } = {
  executed: "was executed meanwhile",
  final: "may have been executed",
  alive: "may still be executed",
};

/**
 * What became of an equal transaction, as sentences.
 *
 * @param elsewhere - its network, where that is not known to be the same chain
 */
export function equalWords(txId: string, fate: EqualFate, elsewhere: string | undefined): string {
  const where = elsewhere === undefined ? "" : ` Its network ${visibleLine(elsewhere)} may be the same chain.`;
  return `An equal transaction ${FATES[fate]}: ${txId}.${where}`;
}

/** Why it may not be done once more, as sentences. */
export const againWords = {
  notFailed: "That is for what is final and failed.",
  disputed: "Its URLs do not agree whether it failed: if it was executed, a second one would do it twice.",
};

/** Why the same bytes are not signed once more, as sentences. */
export const signAgainWords = {
  bytesUnknown: "Only its txID is known here, not its bytes.",
  notAsked: "That is for what waits for signatures, and for what was refused because of them.",
  expired: "It has expired: no node takes it any more, whoever signs it.",
} as const;

/** Why nothing may take the place of a transaction. */
export const replacementWords = {
  intentUnknown: "Only its txID is known here, not what it does.",
  proofUnreadable: "Its proof cannot be read.",
  mayBeExecuted: "It may still be executed.",
  notSent: "It was not sent yet. Send it, or remove it.",
  handedOverAgain: "It was handed to a gateway more than once, so a node may hold it.",
  sameBytes: "These are the same bytes.",
  notTracked: "It is not tracked here.",
  replacedBy: (txId: string) => `It was replaced by ${txId}.`,
  final: (height: number) => `It is final in block ${height}.`,
  included: (height: number) => `Block ${height} holds it, and only a reorganisation can take it back.`,
  /** @param when - what has to happen first, as the rest of a sentence */
  stillValid: (when: string | undefined) =>
    `The same bytes are valid still, and may be sent again${when === undefined ? "" : ` when ${when}`}: a new one beside them could pay twice.`,
  /** @param reason - why not now, as a sentence */
  notYet: (reason: string) =>
    `${reason} It may be replaced when solidified blocks have reached its expiration and none of them holds it.`,
  underWay: (txId: string) => `Another window has begun to replace it by ${txId}.`,
} as const;

/** Why there is no proof to export, where a replacement was allowed without. */
export const NO_PROOF_NEEDED = "None was needed.";

/** Why there is nothing to look for. */
export const NOTHING_TO_LOOK_FOR = "Nothing of it can be executed any more.";
