import type { AbiIndex } from "@finality/tron/abi";
import { type CodeVerdict, classifyBroadcastCode, codeMeant } from "@finality/tron/node-messages";
import { defined } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { RETRIES, ruleNamed } from "../retry/retry-policy.ts";
import { type ExpiryTimes, retryAfterRefusal } from "../transaction-state/after-refusal.ts";
import type { Retry } from "../transaction-state/tracked-transaction.ts";

/**
 * Origin of a failure: before an answer of the node, in its checks, in the contract, or in encoded data. `none` is not
 * a failure.
 */
export type Category = "http" | "validation" | "execution" | "abi" | "none";

/**
 * Decision on sending the same signed bytes again. For a request that was never signed, it applies to the same request.
 */
export interface RetryVerdict {
  readonly sameBytes: "yes" | "no" | "after";
  /** Condition, or alternative; a sentence without its full stop. */
  readonly when?: string;
}

/** A decoded value in a tree. */
export interface DecodedField {
  readonly name: string;
  /** For display; a list has a short summary. Text of the chain: never markup. */
  readonly value: string;
  readonly kind: "text" | "number" | "hex" | "address" | "tx-id" | "time" | "list";
  /** ABI type, if known. */
  readonly type?: string;
  readonly children?: readonly DecodedField[];
}

/** Another possible meaning of the same text. */
export interface Candidate {
  readonly code: string;
  readonly title: string;
  /** Reason for this candidate, with its source. */
  readonly reason: string;
}

/** Meaning of a text of the chain, with its cause and fix. */
export interface Explanation {
  readonly category: Category;
  /** Code of the answer, value of the receipt, or name of the recognised content, in capitals. */
  readonly code: string;
  /** Catalogue entry of the texts. IDs that begin with `generic-` know the code but not the message. */
  readonly entry: string;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
  readonly retry: RetryVerdict;
  readonly decoded: readonly DecodedField[];
  /** Origins of the explanation: documents, rules of the node, artifacts, dictionaries. */
  readonly sources: readonly string[];
  /** Other meanings that cannot be excluded, the likelier ones first. Empty if there is only one meaning. */
  readonly candidates: readonly Candidate[];
  /** Complete input, unchanged. */
  readonly raw: string;
}

/** Information besides the text. All of it is optional and makes the answer more precise. */
export interface ExplainContext {
  /** Status of the answer. */
  readonly status?: number | undefined;
  /** Requested path, such as `/wallet/broadcasttransaction`. */
  readonly endpoint?: string | undefined;
  /** Names of selectors: the workspace's artifacts first, then the bundled dictionary. */
  readonly abi?: AbiIndex | undefined;
  /**
   * Chain times in ms: the transaction's expiration and the head's time. They distinguish the two cases of `Transaction
   * expired`.
   */
  readonly expiration?: number | undefined;
  readonly headTime?: number | undefined;
  /** True if the surrounding text shows a trace of the chain. */
  readonly isOfChain?: (() => boolean) | undefined;
  /** True if the user did not ask about the text. A failure is not explained by its subject alone then. */
  readonly isUnprompted?: boolean | undefined;
}

/** Retry case that a catalogue entry states if no code of a broadcast decides. */
export type RetryCase =
  | Retry
  /** The outcome of a write is unknown: only the same bytes may be sent. */
  | "unknown-outcome"
  /** `Transaction expired` without the times that distinguish its two meanings. */
  | "expired-or-far-ahead"
  /** Included, and failed: it cannot be executed again. */
  | "executed"
  /** Included and successful. */
  | "done"
  /** Result that pending transactions show too. */
  | "trial"
  /** Failure of the virtual machine that may be on the chain or simulated. */
  | "if-executed"
  /** Request that was not processed. */
  | "request-after-fix"
  | "request-after-funding"
  | "request-later"
  | "request-elsewhere"
  /** Simulation that the node stopped because of its own load, or of the call's. */
  | "simulation-again"
  /** 4xx status from a server in front of the node, for an unknown request. */
  | "turned-away"
  /** The same for a broadcast. */
  | "broadcast-turned-away"
  /** The meaning of the text is unknown. */
  | "not-known"
  /** Nothing failed, or nothing was sent. */
  | "nothing-to-retry";

/**
 * Returns the retry case for the refusal of a broadcast.
 *
 * @param message - Decoded message.
 * @param times - Without them `Transaction expired` counts as expired, and the other case is mentioned.
 */
export function caseOfRefusal(code: string, message: string, times: ExpiryTimes): RetryCase {
  if (code === "SUCCESS") return "nothing-to-retry";
  return caseOfVerdict(classifyBroadcastCode(code, message), code, message, times);
}

/** Returns the same if it is known what the refusal proves. */
export function caseOfVerdict(verdict: CodeVerdict, code: string, message: string, times: ExpiryTimes): RetryCase {
  if (verdict === "unknown") return "unknown-outcome";
  if (verdict === "already-known") return retryAfterRefusal({ kind: "already-known", message }, times);
  const timed = times.expiration !== undefined && times.headTime !== undefined;
  if (codeMeant(code, message) === "TRANSACTION_EXPIRATION_ERROR" && !timed) return "expired-or-far-ahead";
  return retryAfterRefusal({ kind: "rejected", code, message }, times);
}

/** Returns the verdict for a refused request: the same request takes the place of the same bytes. */
export function verdictOfRequest(message: string): RetryVerdict {
  const retry = retryAfterRefusal({ kind: "rejected", code: "CONTRACT_VALIDATE_ERROR", message }, {});
  return verdictOf(retry === "same-bytes-after-funding" ? "request-after-funding" : "request-after-fix");
}

/** Returns true if a verdict belongs to a retry case. Verdicts are passed on without their rules. */
export function isVerdictOf({ when }: RetryVerdict, retryCase: RetryCase): boolean {
  return when === verdictOf(retryCase).when;
}

/**
 * Returns the verdict of a retry case. If the case is a row of the retry policy table, the text comes from that table.
 */
export function verdictOf(retryCase: RetryCase): RetryVerdict {
  if (!isRetry(retryCase)) return verdicts[retryCase];
  const { sameBytes, alone } = ruleNamed(retryCase);
  return { sameBytes, ...defined({ when: alone }) };
}

/** Returns true if a retry case is a row of the retry policy table, and not one used only in explanations. */
export function isRetry(retryCase: RetryCase): retryCase is Retry {
  return RETRIES.some((it) => it === retryCase);
}

const verdicts: { readonly [R in Exclude<RetryCase, Retry>]: RetryVerdict } = {
  "expired-or-far-ahead": {
    sameBytes: "no",
    when: t`build and sign an expired transaction again, once no earlier attempt can be executed; send it again later if its expiration is more than 24 h ahead of the head`,
  },
  "unknown-outcome": { sameBytes: "yes", when: t`these bytes and never a new transaction: it may have arrived` },
  executed: {
    sameBytes: "no",
    when: t`it is on the chain and cannot be executed again; build a new transaction once that is solidified`,
  },
  done: {
    sameBytes: "no",
    when: t`it is on the chain and cannot be executed again; a new transaction would repeat what it did`,
  },
  trial: {
    sameBytes: "no",
    when: t`build nothing new before its solidified information shows the failure: while it is pending, this is a trial run`,
  },
  "if-executed": {
    sameBytes: "no",
    when: t`for a sent transaction, build a new one once its solidified information shows this; for a simulation, correct the call first`,
  },
  "request-after-fix": { sameBytes: "no", when: t`correct the request first` },
  "request-after-funding": { sameBytes: "after", when: t`after the account was funded; nothing was sent yet` },
  "request-later": {
    sameBytes: "yes",
    when: t`after a pause (the Retry-After time if given); for a transaction, these bytes and never a new one`,
  },
  "turned-away": {
    sameBytes: "no",
    when: t`correct the request first; send a transaction that was being sent again with the same bytes, not as a new one, because this answer is not from the node`,
  },
  "broadcast-turned-away": {
    sameBytes: ruleNamed("turned-away").sameBytes,
    when: t`these bytes, after the cause is corrected, and never a new transaction: as far as is known it was not sent, but that is not proven`,
  },
  "simulation-again": {
    sameBytes: "yes",
    when: t`for a simulation, which sent nothing, the node may be busy; for a sent transaction, check its solidified information first`,
  },
  "request-elsewhere": { sameBytes: "no", when: t`ask a node that offers this` },
  "not-known": {
    sameBytes: "no",
    when: t`the outcome of a transaction is not affected: look up its txID before you send or build anything`,
  },
  "nothing-to-retry": { sameBytes: "no", when: t`there is nothing to send again` },
};
