import type { TxId } from "@finality/tron/primitives";
import { isSameChain } from "../gateway/network.ts";
import type {
  ProvenAbsence,
  SignedPart,
  TrackedTransaction,
  TrackingState,
} from "../transaction-state/tracked-transaction.ts";
import { isUnsettled, isUnverifiedRejection } from "../transaction-state/transaction-conditions.ts";
import { conflictsOf, sinceSigned } from "./conflicting-transactions.ts";
import {
  type EqualFate,
  equalTransactionText,
  NO_PROOF_NEEDED,
  NOTHING_TO_SEARCH,
  repeatTexts,
  replacementTexts,
  resendTexts,
  signAgainTexts,
} from "./retry-messages.ts";
import {
  type AllowedAction,
  type AppliedRule,
  type RefusedAction,
  type ReplacementPermission,
  replacementPermission,
  ruleFor,
} from "./retry-policy.ts";

/** Context of a decision besides the transaction itself. A missing value is unknown and forbids nothing. */
export interface DecisionContext {
  /** All tracked transactions, to find equal payments. */
  readonly all?: readonly TrackedTransaction[];
  /** Equal transactions that the sender acknowledges. */
  readonly acknowledged?: readonly string[];
  /** Refused equal transactions that were just rechecked; see `Payment`. */
  readonly rechecked?: readonly TxId[] | undefined;
  /** Fallback URLs of the network. */
  readonly otherUrls?: readonly string[];
  /** Estimated current chain time, ms. It can only forbid an action. */
  readonly chainTime?: number | undefined;
}

/** Actions that a user can perform on a transaction. */
export const ACTIONS = [
  "sendSameBytes",
  "sendToAnotherNode",
  "signAgain",
  "createReplacement",
  "doItAgain",
  "exportProof",
  "lookNow",
] as const;
export type Action = (typeof ACTIONS)[number];

/** Equal payments to a repeated one that are not acknowledged. */
interface EqualTransactions {
  readonly txIds: readonly TxId[];
  /** Message about the outcome of these transactions, in full sentences. */
  readonly sentence: string;
}

/** The bytes may be sent once the sender acknowledges `unless`. */
export type ResendPermission =
  | (AllowedAction & { readonly signed: SignedPart; readonly unless?: EqualTransactions })
  | (RefusedAction & { readonly code: "RESEND_REFUSED" });

type ProofPermission =
  | (AllowedAction & { readonly signed: SignedPart; readonly absence: ProvenAbsence })
  | (RefusedAction & { readonly code: "PROOF_MISSING" });

/** Permission to repeat a transaction that failed for good, as a new transaction of the same intent. */
type AgainPermission =
  | (AllowedAction & { readonly signed: SignedPart })
  | (RefusedAction & { readonly code: "AGAIN_REFUSED" });

/** Permission to sign the same bytes again: with a further key, or because the signatures were rejected. */
type SignAgainPermission =
  | (AllowedAction & { readonly signed: SignedPart })
  | (RefusedAction & { readonly code: "SIGN_AGAIN_REFUSED" });

type QueryPermission = AllowedAction | (RefusedAction & { readonly code: "LOOK_NOT_NEEDED" });

/** Retry rule that applies to a transaction, and the permission for each user action. */
export interface ActionDecision extends AppliedRule {
  readonly sendSameBytes: ResendPermission;
  /** Sends the same bytes to another URL of the network, which may accept them or report why the first one did not. */
  readonly sendToAnotherNode: ResendPermission;
  /** `raw_data` and the txID stay the same. */
  readonly signAgain: SignAgainPermission;
  readonly createReplacement: ReplacementPermission;
  readonly doItAgain: AgainPermission;
  readonly exportProof: ProofPermission;
  readonly lookNow: QueryPermission;
}

/**
 * Decides which actions on a transaction are allowed now, and why others are not (gateway document: states, Errors 2,
 * Retry summary, Idempotency). No allowed action can execute an intent twice. Every dialog, list, page and hover shows
 * this decision.
 */
export function decideActions(tracked: TrackedTransaction, context: DecisionContext = {}): ActionDecision {
  const found = ruleFor(tracked, context.chainTime);
  const sendSameBytes = resendPermission(tracked, found, context);
  const createReplacement = replacementPermission(tracked, found);
  return {
    ...found,
    sendSameBytes,
    sendToAnotherNode: resendElsewherePermission(sendSameBytes, context),
    signAgain: signAgainPermission(tracked, found, context.chainTime),
    createReplacement,
    doItAgain: repeatPermission(tracked, found),
    exportProof: proofPermission(tracked, createReplacement),
    lookNow: queryPermission(tracked, found),
  };
}

/** Returns the actions allowed now, in the order of `ACTIONS`. */
export function allowedActions(tracked: TrackedTransaction, context: DecisionContext = {}): readonly Action[] {
  const decision = decideActions(tracked, context);
  return ACTIONS.filter((it) => decision[it].allowed);
}

/**
 * Returns the reason why the bytes may not be sent, including an equal transaction that is not acknowledged; undefined
 * if they may be sent.
 */
export function resendRefusal(permission: ResendPermission): string | undefined {
  if (!permission.allowed) return permission.why;
  const { unless } = permission;
  return unless && resendTexts.twice(unless.sentence);
}

function resendPermission(
  tracked: TrackedTransaction,
  { whyNot }: AppliedRule,
  context: DecisionContext,
): ResendPermission {
  const { signed } = tracked;
  if (signed === undefined) return resendRefused(resendTexts.bytesUnknown);
  if (signed.signatures.length === 0) return resendRefused(resendTexts.unsigned);
  if (whyNot !== undefined) return resendRefused([whyNot, ...particulars(tracked)].join(" "));
  const unless = equalsOf(tracked, signed, context);
  return { allowed: true, signed, ...(unless && { unless }) };
}

function resendRefused(why: string): ResendPermission {
  return { allowed: false, code: "RESEND_REFUSED", why };
}

function particulars({ state, replacedBy }: TrackedTransaction): readonly string[] {
  if (replacedBy !== undefined && state.kind !== "solidified") return [resendTexts.replacedBy(replacedBy)];
  switch (state.kind) {
    case "included":
    case "solidified":
      return [resendTexts.inBlock(state.block.number)];
    case "replaced":
      return [resendTexts.replacedBy(state.by)];
    case "rejected":
      return [resendTexts.refused(state.message === "" ? state.code : state.message)];
    default:
      return [];
  }
}

/**
 * Returns the conflicting transactions that forbid sending a rejected or unsent transaction: they may still be
 * executed, or were executed since it was signed. Bytes that may already be broadcast add no risk when they are sent
 * again.
 */
function equalsOf(
  tracked: TrackedTransaction,
  { intent }: SignedPart,
  { all = [], acknowledged = [], rechecked }: DecisionContext,
): EqualTransactions | undefined {
  if (tracked.state.kind !== "rejected" && tracked.state.kind !== "signed") return undefined;
  const payment = { ...tracked, intent, acknowledged, rechecked, since: sinceSigned(tracked) };
  const equals = conflictsOf(all, payment);
  if (equals.length === 0) return undefined;
  return { txIds: equals.map(({ txId }) => txId), sentence: equals.map((it) => describeEqual(it, tracked)).join(" ") };
}

function describeEqual(other: TrackedTransaction, tracked: TrackedTransaction): string {
  return equalTransactionText(other.txId, fateOf(other.state), isSameChain(other, tracked) ? undefined : other.network);
}

function fateOf(state: TrackingState): EqualFate {
  if (state.kind !== "solidified") return "alive";
  return state.outcome.kind === "success" ? "executed" : "final";
}

function resendElsewherePermission(sendSameBytes: ResendPermission, { otherUrls }: DecisionContext): ResendPermission {
  if (!sendSameBytes.allowed || otherUrls === undefined || otherUrls.length > 0) return sendSameBytes;
  return resendRefused(resendTexts.noOtherNode);
}

/** If the URLs of its network disagree about the failure, the transaction may have been executed. */
function repeatPermission({ signed }: TrackedTransaction, { row }: AppliedRule): AgainPermission {
  if (signed === undefined) return { allowed: false, code: "AGAIN_REFUSED", why: replacementTexts.intentUnknown };
  if (row === "failed") return { allowed: true, signed };
  return {
    allowed: false,
    code: "AGAIN_REFUSED",
    why: row === "disputed" ? repeatTexts.disputed : repeatTexts.notFailed,
  };
}

/**
 * Gateway document, Errors 2, rule 3: while the bytes are valid, and never if a node accepted or may have accepted
 * them.
 */
function signAgainPermission(
  { signed, notFoundAt, absence, chainTime = 0 }: TrackedTransaction,
  { row }: AppliedRule,
  now = 0,
): SignAgainPermission {
  const code = "SIGN_AGAIN_REFUSED";
  if (signed === undefined) return { allowed: false, code, why: signAgainTexts.bytesUnknown };
  const isTimeOver = Math.max(chainTime, now) >= signed.expiration;
  const isOver = notFoundAt !== undefined || absence !== undefined || isTimeOver;
  const isSignable = row === "collecting" || row === "sign-again" || row === "signed-again";
  if (!isSignable && !(row === "rebuild" && isOver)) return { allowed: false, code, why: signAgainTexts.notAsked };
  return isOver ? { allowed: false, code, why: signAgainTexts.expired } : { allowed: true, signed };
}

function proofPermission({ signed, absence }: TrackedTransaction, replacement: ReplacementPermission): ProofPermission {
  if (signed !== undefined && absence !== undefined) return { allowed: true, signed, absence };
  return { allowed: false, code: "PROOF_MISSING", why: replacement.allowed ? NO_PROOF_NEEDED : replacement.why };
}

/** A query is always safe, and useful while the chain may report something new. */
function queryPermission(tracked: TrackedTransaction, { whyNot }: AppliedRule): QueryPermission {
  if (isUnsettled(tracked) || isUnverifiedRejection(tracked)) return { allowed: true };
  return { allowed: false, code: "LOOK_NOT_NEEDED", why: whyNot ?? NOTHING_TO_SEARCH };
}
