import { RETRIES, rule } from "../../retry/retry-table.ts";
import { isRetry, type RetryCase } from "../result/retry-verdict.ts";

/**
 * The fix of a refusal: how its cause is mended, then what the one table of retries asks for. Of what has to be corrected, the mending
 * says enough.
 *
 * @param mending - sentences about the cause, which say nothing of bytes and new transactions
 */
export function fixOfRefusal(mending: string, asked: RetryCase): string {
  const sentence = sentenceFor(asked);
  return sentence === undefined ? mending : `${mending} ${sentence}`;
}

/** How the cause is mended, without what the table asked for: of a transaction that is followed, its whole history decides that. */
export function mendingIn(fix: string): string {
  const sentence = SENTENCES.find((it) => fix.endsWith(it));
  return sentence === undefined ? fix : fix.slice(0, -sentence.length).trimEnd();
}

function sentenceFor(asked: RetryCase): string | undefined {
  if (asked === "unknown-outcome") return rule("unknown").advice;
  if (asked === "expired-or-far-ahead") return EXPIRED_OR_FAR_AHEAD;
  if (asked === "fix-request" || !isRetry(asked)) return undefined;
  const { sameBytes, alone } = rule(asked);
  if (alone === undefined) return undefined;
  return sameBytes === "no" ? `${alone.slice(0, 1).toUpperCase()}${alone.slice(1)}.` : `${AGAIN} ${alone}.`;
}

const AGAIN = "Send the same signed bytes again";
const EXPIRED_OR_FAR_AHEAD = `If it is over, ${rule("rebuild").alone}. If it is too far ahead, send the same signed bytes again ${rule("same-bytes-when-head-advances").alone}.`;

const ASKED: readonly RetryCase[] = ["unknown-outcome", "expired-or-far-ahead"];
const SENTENCES = [...ASKED, ...RETRIES].flatMap((it) => sentenceFor(it) ?? []);
