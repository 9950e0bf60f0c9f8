import type { RecordedOutcome } from "../journal/journal.ts";
import { type FoundRule, type Judged, type RetryRowName, rule, ruleAfterRefusals, ruleOn } from "./retry-table.ts";
import type { Retry } from "./tracking-state.ts";

/** What a gateway said to one submission; `none` when it left and no answer came. */
export type RetryAnswer = RecordedOutcome | { readonly kind: "none" };

/** What is known beside the answers. Times are chain time in ms. */
export interface ChainState {
  /** What blocks and proofs show about the transaction; absent when they show nothing. */
  readonly shows?: "pending" | "included" | "executed" | "failed" | "proven-absent" | "replaced" | undefined;
  /** `raw_data.expiration`. */
  readonly expiration?: number | undefined;
  /** The head's time after the newest answer. */
  readonly headTime?: number | undefined;
}

export interface RetryCase {
  /** The answers to the submissions before the newest one, in the order they came. */
  readonly history?: readonly RetryAnswer[];
  /** The answer to the newest submission; absent when it was not sent. */
  readonly answer?: RetryAnswer | undefined;
  readonly chain?: ChainState;
}

/** What is said about a row, for people. */
export interface RetryWords {
  /** What has to happen before the same bytes may be sent again, as the rest of a sentence; there where something has to. */
  readonly when?: string;
  /** What to do next; absent when there is nothing to do. */
  readonly advice?: string;
  /** Why the same bytes may not be sent, as sentences; there where they may not. */
  readonly whyNot?: string;
}

/** What may be done with a transaction, when, and why. */
export interface RetryVerdict extends FoundRule, RetryWords {}

const SLOT_MS = 3_000;
/** A refused expiration lies in the past or more than a day ahead: the middle tells them apart. */
const FAR_AHEAD_MS = 12 * 60 * 60 * 1_000;
/** Too few coins, or an account that never received any. Other things that do not exist are not mended with coins. */
const LACK_OF_COINS =
  /balance is not (?:sufficient|enough)|(?:insufficient|not? enough) balance|account\b[^.,]{0,80}(?:does not exist|not exists)|no OwnerAccount/i;

const byCode: { readonly [code: string]: Retry } = {
  SIGERROR: "sign-again",
  BANDWITH_ERROR: "same-bytes-after-funding",
  TAPOS_ERROR: "another-node",
  TOO_BIG_TRANSACTION_ERROR: "rebuild",
  SERVER_BUSY: "same-bytes-later",
  NO_CONNECTION: "same-bytes-later",
  NOT_ENOUGH_EFFECTIVE_CONNECTION: "same-bytes-later",
  BLOCK_UNSOLIDIFIED: "same-bytes-later",
  GATEWAY_RATE_LIMITED: "same-bytes-later",
  NOT_SENT: "same-bytes-later",
};

/**
 * What may be done with a transaction, when, and why (gateway document: states, Errors 2, Retry summary, Idempotency; protocol reference
 * §7.4). The one place that knows; an answer without history or chain is judged as the first and only one.
 *
 * Blocks and proofs say more than answers, and an earlier submission that may have been kept says more than a later refusal.
 */
export function retryVerdict(retryCase: RetryCase): RetryVerdict {
  return withWords(ruleFor(retryCase));
}

function ruleFor({ history = [], answer, chain = {} }: RetryCase): FoundRule {
  if (chain.shows !== undefined) return rule(chain.shows);
  const answers = answer === undefined ? history : [...history, answer];
  const newest = answers.at(-1);
  if (newest === undefined) return rule("not-sent");
  if (answers.some(({ kind }) => kind === "accepted")) return rule("pending");
  if (answers.some(isDoubtful)) return rule("unknown");
  const mayBeKept = answers[0]?.kind === "already-known" && answers.some(({ kind }) => kind === "rejected");
  if (mayBeKept || (newest.kind !== "rejected" && newest.kind !== "already-known")) return rule("unknown");
  return ruleAfterRefusals(retryAfterRefusal(newest, chain), answers);
}

/** The same for a transaction as it is tracked: its state is what its history and the chain come to. */
export function verdictOn(tracked: Judged): RetryVerdict {
  return withWords(ruleOn(tracked));
}

/**
 * What a refusal asks for; also DUP, which another node may explain.
 *
 * `Transaction expired` has two opposite meanings. The head's time tells them apart; without it the advice is to rebuild, which is
 * right in both cases as long as every attempt was refused.
 */
export function retryAfterRefusal(
  answer: Extract<RecordedOutcome, { kind: "rejected" | "already-known" }>,
  { expiration, headTime }: ChainState,
): Retry {
  if (answer.kind === "already-known") return "another-node";
  const ahead = expiration === undefined || headTime === undefined ? undefined : expiration - headTime;
  if (answer.code === "TRANSACTION_EXPIRATION_ERROR") {
    return ahead !== undefined && ahead > FAR_AHEAD_MS ? "same-bytes-when-head-advances" : "rebuild";
  }
  if (ahead !== undefined && ahead < SLOT_MS) return "rebuild";
  if (answer.code === "CONTRACT_VALIDATE_ERROR") {
    return LACK_OF_COINS.test(answer.message) ? "same-bytes-after-funding" : "fix-request";
  }
  return byCode[answer.code] ?? "fix-request";
}

/** A submission that a node may have kept. */
function isDoubtful({ kind }: RetryAnswer): boolean {
  return kind === "none" || kind === "unknown";
}

function withWords(found: FoundRule): RetryVerdict {
  return { ...found, ...WORDS[found.row] };
}

const HARMLESS = "Sending the same bytes again is harmless; a new payment is not.";

const WORDS: { readonly [N in RetryRowName]: RetryWords } = {
  "not-sent": { advice: "The signed bytes are kept in the journal. Send them when you are ready." },
  unknown: { advice: `It may still be executed. ${HARMLESS}` },
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
  "proven-absent": {
    advice: "It can never be executed any more. It is safe to send a new one.",
    whyNot: "It expired and is proven to be in no block: it can never be accepted any more. Create a new transaction.",
  },
  replaced: { whyNot: "It was replaced: sending it now could pay twice." },
  "same-bytes-after-funding": {
    when: "the account has the coins that it lacked",
    advice: "Top up the sender, then send the same signed bytes again.",
  },
  "same-bytes-when-head-advances": {
    when: "the head of the chain is within 24 hours of its expiration",
    advice: "It expires too far ahead. Wait until the chain has advanced, then send the same signed bytes again.",
  },
  "same-bytes-later": {
    when: "a pause, of at least what Retry-After says",
    advice: "Wait a little, then send the same signed bytes again.",
  },
  "sign-again": {
    advice: "Check the signing key. The signature was not accepted, so these bytes can never be executed.",
    whyNot: "Its signatures were refused. Sign the same transaction again: its txID stays the same.",
  },
  rebuild: {
    advice: "Nothing was executed. Send it anew.",
    whyNot: "It can never be accepted any more. Create a new transaction.",
  },
  "another-node": {
    advice: "This node gives no reason that helps. Send the same signed bytes to another node, which may show one.",
  },
  "fix-request": {
    when: "what the node refused was corrected",
    advice: "Nothing was executed. Correct the request and send it anew.",
  },
};
