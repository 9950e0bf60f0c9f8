import { classifyBroadcastCode } from "../errors/node-message.ts";
import { rule } from "../tracking/retry-table.ts";
import { type ChainState, retryAfterRefusal } from "../tracking/retry-verdict.ts";
import type { Retry } from "../tracking/tracking-state.ts";
import type { RetryVerdict } from "./explanation.ts";

/** What an entry of the catalogue says where no code of a broadcast decides. */
export type RetryRule =
  | Retry
  /** The outcome of a write is unknown: the same bytes and nothing else. */
  | "unknown-outcome"
  /** Included, and failed: it cannot be executed a second time. */
  | "executed"
  /** Included, and did what it should. */
  | "done"
  /** A result that a transaction shows while it is pending, too. */
  | "trial"
  /** A failure of the virtual machine of which it is not known whether it is on the chain or was simulated. */
  | "if-executed"
  /** A request that was not processed. */
  | "request-after-fix"
  | "request-after-funding"
  | "request-later"
  | "request-elsewhere"
  /** Nobody knows what the text says. */
  | "not-known"
  /** Nothing failed, or nothing was sent. */
  | "nothing-to-retry";

/**
 * The verdict for the refusal of a broadcast, from the one table of retries.
 *
 * @param message - decoded
 * @param times - without them `Transaction expired` is taken as expired, and the other case is named
 */
export function verdictOfRefusal(
  code: string,
  message: string,
  times: Pick<ChainState, "expiration" | "headTime">,
): RetryVerdict {
  if (code === "SUCCESS") return verdictOf("nothing-to-retry");
  const verdict = classifyBroadcastCode(code, message);
  if (verdict === "unknown") return verdictOf("unknown-outcome");
  if (verdict === "already-known") return verdictOf(retryAfterRefusal({ kind: "already-known", message }, times));
  const timed = times.expiration !== undefined && times.headTime !== undefined;
  if (code === "TRANSACTION_EXPIRATION_ERROR" && !timed) return expiredWithoutTimes;
  return verdictOf(retryAfterRefusal({ kind: "rejected", code, message }, times));
}

/** The verdict for a request that the node refused: what would be the same bytes of a signed transaction is the same request here. */
export function verdictOfRequest(message: string): RetryVerdict {
  const retry = retryAfterRefusal({ kind: "rejected", code: "CONTRACT_VALIDATE_ERROR", message }, {});
  return verdictOf(retry === "same-bytes-after-funding" ? "request-after-funding" : "request-after-fix");
}

/** Whether a verdict is what a rule says: verdicts travel without their rules. */
export function isVerdictOf({ when }: RetryVerdict, retryRule: RetryRule): boolean {
  return when === verdictOf(retryRule).when;
}

/** What a rule says: whether the same bytes may be sent comes from the one table, where it has a row. */
export function verdictOf(retryRule: RetryRule): RetryVerdict {
  return isRetry(retryRule)
    ? { sameBytes: rule(retryRule).sameBytes, when: retryWords[retryRule] }
    : verdicts[retryRule];
}

function isRetry(retryRule: RetryRule): retryRule is Retry {
  return retryRule in retryWords;
}

const stillValid = "while its expiration and reference block are valid";

const expiredWithoutTimes: RetryVerdict = {
  sameBytes: "no",
  when: "an expired transaction has to be built and signed again, once no earlier attempt can be executed; only one whose expiration is more than 24 h ahead of the head can be sent again later",
};

const retryWords: { readonly [R in Retry]: string } = {
  "same-bytes-after-funding": `after the account was funded, ${stillValid}`,
  "same-bytes-when-head-advances": `when the head of the chain is within 24 hours of its expiration, ${stillValid}`,
  "same-bytes-later": `after a pause, ${stillValid}`,
  "sign-again": "sign the same raw data again: the txID stays the same",
  rebuild: "build and sign a new transaction, once no earlier attempt can be executed",
  "another-node": "through another synchronised node; keep following the txID",
  "fix-request":
    "after its cause is corrected; if the cause is in the transaction itself, build and sign it again, once no earlier attempt can be executed",
};

const verdicts: { readonly [R in Exclude<RetryRule, Retry>]: RetryVerdict } = {
  "unknown-outcome": { sameBytes: "yes", when: "these very bytes and never a new transaction: it may have arrived" },
  executed: {
    sameBytes: "no",
    when: "it is on the chain and cannot be executed again; build a new transaction once that is solidified",
  },
  done: {
    sameBytes: "no",
    when: "it is on the chain and cannot be executed again; a new transaction would repeat what it did",
  },
  trial: {
    sameBytes: "no",
    when: "build nothing new before its solidified information shows the failure: while it is pending, this is a trial run",
  },
  "if-executed": {
    sameBytes: "no",
    when: "of a transaction that was sent, build a new one once its solidified information shows this; of a simulation, correct the call first",
  },
  "request-after-fix": { sameBytes: "no", when: "correct the request first" },
  "request-after-funding": { sameBytes: "after", when: "after the account was funded; nothing was sent yet" },
  "request-later": { sameBytes: "yes", when: "after a pause: as long as Retry-After says, where it is given" },
  "request-elsewhere": { sameBytes: "no", when: "ask a node that offers this" },
  "not-known": {
    sameBytes: "no",
    when: "this tells nothing of a transaction: look its txID up before anything is sent or built",
  },
  "nothing-to-retry": { sameBytes: "no", when: "there is nothing to send again" },
};
