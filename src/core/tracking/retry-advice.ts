import type { RecordedOutcome } from "../journal/journal.ts";
import type { Retry } from "./tracking-state.ts";

export interface ExpirationTimes {
  readonly expiration?: number | undefined;
  readonly headTime?: number | undefined;
}

const LACK_OF_COINS = /balance is not sufficient|does not exist|not exists/i;

const byCode: { readonly [code: string]: Retry } = {
  SIGERROR: "sign-again",
  BANDWITH_ERROR: "same-bytes-after-funding",
  CONTRACT_EXE_ERROR: "fix-request",
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
 * What to do after an answer that kept nothing (protocol reference §7.4; gateway document, Errors 2 and Retry summary).
 *
 * `Transaction expired` has two opposite meanings. The head's time tells them apart; without it the advice is to rebuild,
 * which is right in both cases as long as every attempt was refused.
 *
 * @param times - `raw_data.expiration` and the head's time after the answer, both chain time in ms
 */
export function retryAdvice(outcome: RecordedOutcome, times: ExpirationTimes = {}): Retry {
  if (outcome.kind === "already-known") return "another-node";
  if (outcome.kind !== "rejected") return "fix-request";
  if (outcome.code === "TRANSACTION_EXPIRATION_ERROR") return afterExpired(times);
  if (outcome.code === "CONTRACT_VALIDATE_ERROR") {
    return LACK_OF_COINS.test(outcome.message) ? "same-bytes-after-funding" : "fix-request";
  }
  return byCode[outcome.code] ?? "fix-request";
}

/** Blocks come every 3 s, so a refused expiration below head + 3 s is in the past; a too distant one is a day ahead. */
const FAR_AHEAD_MS = 12 * 60 * 60 * 1000;

function afterExpired({ expiration, headTime }: ExpirationTimes): Retry {
  if (expiration === undefined || headTime === undefined) return "rebuild";
  return expiration - headTime > FAR_AHEAD_MS ? "same-bytes-later" : "rebuild";
}
