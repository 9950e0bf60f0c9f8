import { codeMeant } from "@finality/tron/node-messages";
import { type Address, toBase58 } from "@finality/tron/primitives";
import type { Intent } from "@finality/tron/transaction";
import { missingResourceIn } from "../transaction-state/after-refusal.ts";
import { UNKNOWN_NETWORK } from "../transaction-state/tracked-from-history.ts";
import {
  type Attempt,
  hasEnoughSignatures,
  type ProvenAbsence,
  type Retry,
  type SignedPart,
  type TrackedTransaction,
} from "../transaction-state/tracked-transaction.ts";
import { isDisputed, isUnsettled, isUnverifiedRejection } from "../transaction-state/transaction-conditions.ts";
import {
  COMPLETE_ADVICE,
  EXPIRED_TEXTS,
  FUNDING_ADVICE,
  HANDED_OVER_AGAIN,
  RETRY_TEXTS,
  type RetryTexts,
  replacementTexts,
} from "./retry-messages.ts";

/** Permission to submit exactly the same signed bytes to a gateway again. */
type SameBytes = "yes" | "no" | "after";

/** Permission to build a new transaction with the same effect. */
type Renewal =
  /**
   * Only the answers indicate that it may be executed. After a refusal it is queried first, because the refusal is one
   * gateway's claim.
   */
  | "at-once"
  /** The safe replacement procedure comes first (gateway document, Endpoints rule 3). */
  | "after-proof"
  /** There is nothing to repeat, or it was replaced. */
  | "no";

/** Situations of a transaction in which its answers alone do not determine the next step. */
type RetrySituation =
  | "not-sent"
  | "collecting"
  | "signed-again"
  | "unknown"
  | "turned-away"
  | "pending"
  | "included"
  | "executed"
  | "failed"
  | "disputed"
  | "proven-absent"
  | "replaced";

export type RetryRowName = Retry | RetrySituation;

/** Permissions for retrying a transaction. */
export interface RetryRule {
  readonly sameBytes: SameBytes;
  readonly renewal: Renewal;
}

/**
 * Table of permitted actions; after refusals, `renewal` applies to the first and only submission. The messages are in
 * `packages/client/src/retry/retry-messages.ts`.
 */
export const RETRY_TABLE: { readonly [N in RetryRowName]: RetryRule } = {
  /** Gateway document, States: signed, not yet submitted. */
  "not-sent": { sameBytes: "yes", renewal: "no" },
  /** Others have its bytes and may have sent them (Idempotency 3). */
  collecting: { sameBytes: "yes", renewal: "after-proof" },
  /** Gateway document, Errors 2, rule 3: the same bytes, with signatures that no node refused. */
  "signed-again": { sameBytes: "yes", renewal: "after-proof" },
  /** Gateway document, Idempotency 1 and 3. */
  unknown: { sameBytes: "yes", renewal: "after-proof" },
  /**
   * Gateway document, Errors 1: 4xx, 401, 403, 429. The answer does not come from the node, so it proves as little as a
   * missing answer.
   */
  "turned-away": { sameBytes: "after", renewal: "after-proof" },
  /** Gateway document, Idempotency 2. */
  pending: { sameBytes: "yes", renewal: "after-proof" },
  /** Gateway document, States: included. */
  included: { sameBytes: "no", renewal: "after-proof" },
  /** Gateway document, States: executed successfully. */
  executed: { sameBytes: "no", renewal: "no" },
  /** Gateway document, Errors 3. */
  failed: { sameBytes: "no", renewal: "at-once" },
  /**
   * Idempotency 3: an unknown outcome is never repeated. No block hash covers a receipt, so neither report is proven.
   */
  disputed: { sameBytes: "no", renewal: "no" },
  /** Gateway document, Endpoints rule 3. */
  "proven-absent": { sameBytes: "no", renewal: "at-once" },
  /** Protocol reference §16.6. */
  replaced: { sameBytes: "no", renewal: "no" },
  /** Gateway document, Errors 2, rule 4, and States: "Do not rebuild", while they can be funded. */
  "same-bytes-after-funding": { sameBytes: "after", renewal: "after-proof" },
  /** Gateway document, Errors 2, rule 2: wait, or rebuild with an expiration in range. */
  "same-bytes-when-head-advances": { sameBytes: "after", renewal: "at-once" },
  /** Protocol reference §7.4. */
  "same-bytes-later": { sameBytes: "after", renewal: "at-once" },
  /** Gateway document, Errors 2, rule 3. */
  "sign-again": { sameBytes: "no", renewal: "at-once" },
  /** Gateway document, Errors 2, rule 2. */
  rebuild: { sameBytes: "no", renewal: "at-once" },
  /** Gateway document, Errors 2: DUP_TRANSACTION_ERROR. */
  "another-node": { sameBytes: "yes", renewal: "at-once" },
  /** Gateway document, Errors 2, rule 1. */
  "fix-request": { sameBytes: "after", renewal: "at-once" },
};

/** Every row has messages. */
const TEXTS: { readonly [N in RetryRowName]: RetryTexts } = RETRY_TEXTS;

/** Retries that a rejection can ask for. */
export const RETRIES: readonly Retry[] = [
  ...(["same-bytes-after-funding", "same-bytes-when-head-advances", "same-bytes-later", "sign-again"] as const),
  ...(["rebuild", "another-node", "fix-request"] as const),
];

/** Rule with its messages and the name of its row. */
export interface AppliedRule extends RetryRule, RetryTexts {
  readonly row: RetryRowName;
}

/** Row of the table with its name. */
export function ruleNamed(row: RetryRowName): AppliedRule {
  return { ...RETRY_TABLE[row], ...TEXTS[row], row };
}

/** Part of a tracked transaction that determines its retry rule. */
export type RuledTransaction = Pick<
  TrackedTransaction,
  "state" | "attempts" | "replacedBy" | "outcomeElsewhere" | "signed" | "chainTime" | "notFoundAt"
>;

/**
 * Returns the row of a tracked transaction, from its state.
 *
 * @param now - Estimated current chain time, ms; undefined if unknown.
 */
export function ruleFor(tracked: RuledTransaction, now?: number): AppliedRule {
  const { state, attempts, replacedBy } = tracked;
  if (replacedBy !== undefined && state.kind !== "solidified") return ruleNamed("replaced");
  switch (state.kind) {
    case "signed":
      if (tracked.signed?.shared !== true) return ruleNamed("not-sent");
      return hasEnoughSignatures(tracked.signed)
        ? { ...ruleNamed("collecting"), advice: COMPLETE_ADVICE }
        : ruleNamed("collecting");
    case "solidified":
      if (state.outcome.kind === "success") return ruleNamed("executed");
      return ruleNamed(isDisputed(tracked) ? "disputed" : "failed");
    case "rejected":
      if (state.retry === "sign-again" && tracked.signed?.renewed === true) {
        return withExpiry(ruleNamed("signed-again"), tracked, now);
      }
      return withExpiry(provenUnlessOnly(fundingRule(ruleNamed(state.retry), tracked), tracked), tracked, now);
    case "unknown":
      return ruleWhileUnknown(attempts);
    default:
      return ruleNamed(state.kind);
  }
}

/** Account that lacks a resource, and the resource, from the newest refusal. */
function fundingRule(found: AppliedRule, { attempts, signed }: RuledTransaction): AppliedRule {
  const outcome = attempts.findLast((it) => it.outcome !== undefined)?.outcome;
  if (found.row !== "same-bytes-after-funding" || outcome?.kind !== "rejected") return found;
  const lack = missingResourceIn(outcome);
  if (lack.kind === "coins") return found;
  if (lack.kind !== "account") return { ...found, advice: FUNDING_ADVICE[lack.kind] };
  const party = signed && partyOf(lack.account, signed.intent);
  return { ...found, advice: party === undefined ? FUNDING_ADVICE.account(lack.account) : FUNDING_ADVICE[party] };
}

/** Returns the party of an intent that has this address, as a node writes it; undefined for neither. */
function partyOf(text: string, intent: Intent): "sender" | "recipient" | undefined {
  const is = (address: Address): boolean => text === toBase58(address) || text.toLowerCase() === address;
  if (is(intent.owner)) return "sender";
  const others = ["to" in intent ? intent.to : undefined, "receiver" in intent ? intent.receiver : undefined];
  return others.some((it) => it !== undefined && is(it)) ? "recipient" : undefined;
}

/** After the chain time has passed the expiration, no row suggests the same bytes or new signatures. */
function withExpiry(found: AppliedRule, tracked: RuledTransaction, now: number | undefined): AppliedRule {
  const { signed, chainTime, attempts, notFoundAt } = tracked;
  const times = [chainTime, now].filter((it) => it !== undefined);
  const isOver = signed !== undefined && times.some((it) => it >= signed.expiration);
  if (found.row === "rebuild" && isRefusedAsExpired(attempts)) {
    const isEither = times.length === 0 && found.renewal === "at-once";
    return isEither ? { ...found, ...EXPIRED_TEXTS["expired-or-early"] } : found;
  }
  if (!isOver || found.row === "same-bytes-when-head-advances") return found;
  const { when: _when, ...rest } = found;
  const isQueried = (found.row === "rebuild" || notFoundAt !== undefined) && found.renewal === "at-once";
  return { ...rest, ...EXPIRED_TEXTS[isQueried ? "expired-since" : "just-expired"], sameBytes: "no" };
}

function isRefusedAsExpired(attempts: readonly Attempt[]): boolean {
  const outcome = attempts.findLast((it) => it.outcome !== undefined)?.outcome;
  return outcome?.kind === "rejected" && codeMeant(outcome.code, outcome.message) === "TRANSACTION_EXPIRATION_ERROR";
}

/**
 * Only an explicit refusal of the first and only submission makes a new transaction safe without a proof, and only if
 * no other party has the bytes.
 */
function provenUnlessOnly(found: AppliedRule, { attempts, signed }: RuledTransaction): AppliedRule {
  const isOnly = attempts.length === 1 && attempts[0]?.outcome?.kind === "rejected" && signed?.shared !== true;
  return isOnly ? found : { ...found, ...withoutNew(found), renewal: "after-proof" };
}

/** Rows that ask for a new transaction state the condition. */
function withoutNew({ row, whyNot }: AppliedRule): Partial<RetryTexts> {
  if (row !== "rebuild" && row !== "fix-request") return {};
  const { advice, whyNot: why } = HANDED_OVER_AGAIN;
  return whyNot === undefined ? { advice } : { advice, whyNot: why };
}

/** Returns the rule for a transaction whose answers are all inconclusive, based on the property they share. */
function ruleWhileUnknown(attempts: readonly Attempt[]): AppliedRule {
  if (attempts.length === 0) return ruleNamed("unknown");
  if (attempts.every(({ outcome }) => outcome?.kind === "already-known")) {
    return { ...ruleNamed("another-node"), renewal: "after-proof" };
  }
  const isTurnedAway = attempts.every(({ outcome }) => outcome?.kind === "unknown" && outcome.turnedAway === true);
  return ruleNamed(isTurnedAway ? "turned-away" : "unknown");
}

/** Returns true if the chain may still report something about the transaction, so that a request is worthwhile. */
export function isLive(tracked: TrackedTransaction): boolean {
  const stayedHere = tracked.state.kind === "signed" && tracked.signed?.shared !== true;
  return isTracked(tracked) && !stayedHere && isUnsettled(tracked);
}

/**
 * Returns true if a proof of absence settles the transaction unless the chain shows it first: it is our own and its
 * outcome is open.
 */
export function awaitsProof(tracked: TrackedTransaction): boolean {
  const { signed, state } = tracked;
  if (!isTracked(tracked) || signed === undefined) return false;
  if (state.kind === "rejected") return ruleFor(tracked).renewal !== "at-once";
  if (state.kind === "signed") return signed.shared === true;
  return state.kind === "unknown" || state.kind === "pending";
}

/**
 * Returns true if the transaction is tracked although a gateway rejected it, and nothing else indicates that it may be
 * executed.
 */
export function needsRecheck(tracked: TrackedTransaction): boolean {
  return isTracked(tracked) && isUnverifiedRejection(tracked) && !isLive(tracked);
}

function isTracked({ hidden, network }: TrackedTransaction): boolean {
  return !hidden && network !== UNKNOWN_NETWORK;
}

export interface RefusedAction {
  readonly allowed: false;
  readonly code:
    | "RESEND_REFUSED"
    | "REPLACEMENT_REFUSED"
    | "AGAIN_REFUSED"
    | "SIGN_AGAIN_REFUSED"
    | "PROOF_MISSING"
    | "LOOK_NOT_NEEDED";
  /** Returns the reason of a refusal, as sentences. */
  readonly why: string;
}

export interface AllowedAction {
  readonly allowed: true;
}

export type ReplacementReason =
  | { readonly kind: "proof"; readonly absence: ProvenAbsence }
  /**
   * The first and only submission was refused explicitly: the gateway claims that no node has it. It is queried first.
   */
  | { readonly kind: "rejection"; readonly code: string; readonly message: string };

export type ReplacementPermission =
  | (AllowedAction & { readonly signed: SignedPart; readonly because: ReplacementReason })
  /** `when`: chain time in ms that solidified blocks have to reach first; undefined if it will never be allowed. */
  | (RefusedAction & { readonly code: "REPLACEMENT_REFUSED"; readonly when?: number });

/**
 * Returns the permission to replace the transaction (gateway document, Endpoints rule 3 and Errors 2, rule 2). It
 * requires a proof of absence, or an explicit rejection of the first and only submission. No clock, timeout, `{}` or
 * later answer is a reason.
 */
export function replacementPermission(
  tracked: TrackedTransaction,
  found: AppliedRule = ruleFor(tracked),
): ReplacementPermission {
  const { state, signed, absence, replacedBy } = tracked;
  if (signed === undefined) return never(replacementTexts.intentUnknown);
  if (found.row === "replaced" && replacedBy !== undefined) return never(replacementTexts.replacedBy(replacedBy));
  const { expiration } = signed;
  switch (state.kind) {
    case "proven-absent":
      if (absence === undefined) return never(replacementTexts.proofUnreadable);
      return { allowed: true, signed, because: { kind: "proof", absence } };
    case "rejected":
      return found.renewal === "at-once"
        ? { allowed: true, signed, because: { kind: "rejection", code: state.code, message: state.message } }
        : notYet(whyNoRenewal(tracked, found), expiration);
    case "unknown":
    case "pending":
      return notYet(replacementTexts.mayBeExecuted, expiration);
    case "included":
      return notYet(replacementTexts.included(state.block.number), expiration);
    case "signed":
      return signed.shared === true
        ? notYet(replacementTexts.mayBeExecuted, expiration)
        : never(replacementTexts.notSent);
    case "solidified":
      return never(replacementTexts.final(state.block.number));
    case "replaced":
      return never(replacementTexts.replacedBy(state.by));
  }
}

function whyNoRenewal({ attempts }: TrackedTransaction, { when }: AppliedRule): string {
  return attempts.length > 1 ? replacementTexts.handedOverAgain : replacementTexts.stillValid(when);
}

function never(why: string): ReplacementPermission {
  return { allowed: false, code: "REPLACEMENT_REFUSED", why };
}

function notYet(reason: string, when: number): ReplacementPermission {
  return { allowed: false, code: "REPLACEMENT_REFUSED", why: replacementTexts.notYet(reason), when };
}
