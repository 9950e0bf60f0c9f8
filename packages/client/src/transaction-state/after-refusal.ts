import { codeMeant } from "@finality/tron/node-messages";
import { BLOCK_INTERVAL_MS } from "@finality/tron/primitives";
import type { RecordedOutcome } from "./journal-entry.ts";
import type { Retry } from "./tracked-transaction.ts";

/** Times that distinguish the two meanings of `Transaction expired`. Chain time in ms. */
export interface ExpiryTimes {
  /** `raw_data.expiration`. */
  readonly expiration?: number | undefined;
  /** Head time after the newest answer. */
  readonly headTime?: number | undefined;
}

/** A refused expiration is in the past or more than a day ahead: the middle distinguishes the two. */
const FAR_AHEAD_MS = 12 * 60 * 60 * 1_000;
/** Too few coins, or an account that was never funded. Other missing things cannot be fixed with coins. */
const LACK_OF_COINS =
  /balance is not (?:sufficient|enough)|(?:insufficient|not? enough) balance|account\b[^.,]{0,80}(?:does not exist|not exists)|no OwnerAccount|insufficient funds/i;

/** Faults of the transaction itself, which no change of the chain state can fix. */
const NEVER_VALID =
  /\bCannot transfer (?:TRX|asset) to yourself|\b(?:Start|End) time should be\b|\bAmount must be greater than 0|\b(?:TotalSupply|TrxNum|Num) must greater than 0|\bprecision cannot exceed \d/i;

const NO_ACCOUNT = /account\b[^.,]{0,80}(?:does not exist|not exists)|no OwnerAccount/i;
const NAMED_ACCOUNT = /account\s*\[\s*([0-9A-Za-z]{34,42})\s*\]/i;

/** Resource that a transaction lacks. The same bytes can be sent again after funding. */
export type MissingResource =
  | { readonly kind: "coins" | "bandwidth" | "an-account" | "sender" }
  | { readonly kind: "account"; readonly account: string };

/** Returns what is missing according to the refusal of a broadcast; a balance if it does not say. */
export function missingResourceIn({
  code,
  message,
}: {
  readonly code: string;
  readonly message: string;
}): MissingResource {
  if (code === "BANDWITH_ERROR" && !NO_ACCOUNT.test(message)) return { kind: "bandwidth" };
  if (!NO_ACCOUNT.test(message)) return { kind: "coins" };
  const account = NAMED_ACCOUNT.exec(message)?.[1];
  if (account !== undefined) return { kind: "account", account };
  return { kind: /no OwnerAccount|owner ?account/i.test(message) ? "sender" : "an-account" };
}

const byCode: { readonly [code: string]: Retry } = {
  SIGERROR: "sign-again",
  BANDWITH_ERROR: "same-bytes-after-funding",
  TAPOS_ERROR: "another-node",
  TOO_BIG_TRANSACTION_ERROR: "rebuild",
  SERVER_BUSY: "same-bytes-later",
  NO_CONNECTION: "same-bytes-later",
  NOT_ENOUGH_EFFECTIVE_CONNECTION: "same-bytes-later",
  BLOCK_UNSOLIDIFIED: "same-bytes-later",
  NOT_SENT: "same-bytes-later",
};

/**
 * Returns the retry that a refusal calls for (gateway document, Errors 2; protocol reference §7.4); also for DUP, which
 * another node may explain. `Transaction expired` has two opposite meanings. The head's time distinguishes them.
 * Without it the advice is to rebuild, which is right in both cases as long as every attempt was refused.
 */
export function retryAfterRefusal(
  answer: Extract<RecordedOutcome, { kind: "rejected" | "already-known" }>,
  { expiration, headTime }: ExpiryTimes,
): Retry {
  if (answer.kind === "already-known") return "another-node";
  const code = codeMeant(answer.code, answer.message);
  const ahead = expiration === undefined || headTime === undefined ? undefined : expiration - headTime;
  if (code === "TRANSACTION_EXPIRATION_ERROR") {
    return ahead !== undefined && ahead > FAR_AHEAD_MS ? "same-bytes-when-head-advances" : "rebuild";
  }
  if (ahead !== undefined && ahead < BLOCK_INTERVAL_MS) return "rebuild";
  if (code === "CONTRACT_VALIDATE_ERROR") {
    if (NEVER_VALID.test(answer.message)) return "rebuild";
    return LACK_OF_COINS.test(answer.message) ? "same-bytes-after-funding" : "fix-request";
  }
  return byCode[code] ?? "fix-request";
}
