import { type AnyChainError, isChainError } from "@finality/tron/errors";
import type { TxId } from "@finality/tron/primitives";
import { MAX_RETRY_AFTER_MS } from "../gateway/http/http-exchange.ts";
import type { JournalEntry } from "../transaction-state/journal-entry.ts";

/** Reason why a network cannot be polled at the moment. Times are Unix ms of the local clock. */
export interface ConnectionIssue {
  readonly network: string;
  readonly code: string;
  /** For display: the problem and what to do. */
  readonly message: string;
  /** The cause alone, without the URL, if known. */
  readonly reason?: string;
  readonly since: number;
  readonly nextTryAt: number;
  /**
   * Reason for waiting when the user has nothing to fix: the gateway does not answer at the moment, this computer has
   * no connection, or the gateway requested a pause.
   */
  readonly waitsFor?: WaitReason;
  /** The gateway requested a pause of a day or more: it is queried again after a day. */
  readonly isShortened?: true;
  /** Transactions that cannot be queried while the gateway answers for others. */
  readonly txIds?: readonly TxId[];
}

type WaitReason = "for-an-answer" | "for-a-connection" | "as-asked";

const FIRST_PAUSE_MS = 3_000;
const LONGEST_PAUSE_MS = 30_000;

/**
 * Returns the pause after `failures` consecutive failures: as requested by the gateway, otherwise 3 s doubled up to 30
 * s.
 */
export function pauseAfter(error: unknown, failures: number): number {
  const own = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 10));
  if (isChainError(error) && error.code === "GATEWAY_RATE_LIMITED") {
    return Math.max(own, error.details.retryAfterMs ?? 0);
  }
  return own;
}

type Unreached = Extract<AnyChainError, { readonly code: "GATEWAY_UNREACHABLE" | "GATEWAY_SILENT" }>;

/** Returns true if there was no answer at all, as when this computer is not connected. */
export function isUnreachable(error: unknown): error is Unreached {
  return isChainError(error) && (error.code === "GATEWAY_UNREACHABLE" || error.code === "GATEWAY_SILENT");
}

/** Returns whether this gateway needs no further request now: there is no connection, or it asked for a pause. */
export function concernsWholeGateway(error: unknown): boolean {
  if (isChainError(error) && error.code === "GATEWAY_RATE_LIMITED") return true;
  return isUnreachable(error) && error.details.how !== "closed" && error.details.how !== "timeout";
}

/** Returns true if a fact shows that a gateway answered, to this window or to another one. */
export function isGatewayAnswer(fact: JournalEntry): boolean {
  switch (fact.kind) {
    case "broadcast-answered":
      return fact.outcome.kind !== "unknown";
    case "head-time":
    case "seen-in-pool":
    case "seen-in-head":
    case "lost-from-head":
    case "solidified":
    case "outcome-told":
    case "not-found":
    case "proven-absent":
      return true;
    case "signed":
    case "adopted":
    case "broadcast-started":
    case "replaced":
    case "hidden":
      return false;
  }
}

/** Returns the message of an issue, and whether the user can only wait. */
export function describeIssue(
  error: unknown,
): Pick<ConnectionIssue, "code" | "message" | "reason" | "waitsFor" | "isShortened"> {
  if (isUnreachable(error)) {
    return { code: error.code, message: error.message, reason: error.details.reason, waitsFor: "for-an-answer" };
  }
  if (isChainError(error) && error.code === "GATEWAY_RATE_LIMITED") {
    const isShortened = (error.details.retryAfterMs ?? 0) >= MAX_RETRY_AFTER_MS;
    return { code: error.code, message: error.message, waitsFor: "as-asked", ...(isShortened && { isShortened }) };
  }
  if (isChainError(error)) return { code: error.code, message: error.message };
  return { code: "UNEXPECTED", message: error instanceof Error ? `${error.name}: ${error.message}` : String(error) };
}
