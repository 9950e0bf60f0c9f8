import type { EntryOf } from "./history.ts";
import type { Retry } from "./tracking-state.ts";

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
};

/**
 * What to do after an answer that kept nothing (protocol reference §7.4; gateway document, Errors 2 and Retry summary).
 *
 * `Transaction expired` has two opposite meanings. The head's time tells them apart; without it the advice is to rebuild,
 * which is right in both cases as long as every attempt was refused.
 *
 * @param expiration - `raw_data.expiration`, when it is known
 */
export function retryAdvice(answer: EntryOf<"broadcast-answered">, expiration: number | undefined): Retry {
  const { outcome, headTime } = answer;
  if (outcome.kind === "already-known") return "another-node";
  if (outcome.kind !== "rejected") return "fix-request";
  if (outcome.code === "TRANSACTION_EXPIRATION_ERROR") return afterExpired(expiration, headTime);
  if (outcome.code === "CONTRACT_VALIDATE_ERROR") {
    return LACK_OF_COINS.test(outcome.message) ? "same-bytes-after-funding" : "fix-request";
  }
  return byCode[outcome.code] ?? "fix-request";
}

/** Blocks come every 3 s, so a refused expiration below head + 3 s is in the past; a too distant one is a day ahead. */
const FAR_AHEAD_MS = 12 * 60 * 60 * 1000;

function afterExpired(expiration: number | undefined, headTime: number | undefined): Retry {
  if (expiration === undefined || headTime === undefined) return "rebuild";
  return expiration - headTime > FAR_AHEAD_MS ? "same-bytes-later" : "rebuild";
}
