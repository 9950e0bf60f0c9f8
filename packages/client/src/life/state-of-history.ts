import { retryAfterRefusal } from "./after-refusal.ts";
import { answersInOrder, attemptsOf } from "./attempts.ts";
import { isReportedOutcome } from "./execution-outcome.ts";
import { type History, isShared } from "./history.ts";
import { unknownWords } from "./state-messages.ts";
import type { Attempt } from "./tracked-transaction.ts";
import type { ExecutionOutcome, TrackingState } from "./tracking-state.ts";

/** A state and the local time of the fact that brought it about, Unix ms. */
export interface DatedState {
  readonly state: TrackingState;
  readonly since: number;
}

/**
 * Where a transaction stands by everything that is known (design, Words and states). What is proven most strongly wins:
 * a solidified block, then a replacement, the proof of absence, the head, the pool, and only then the answers to its
 * attempts.
 */
export function stateOfHistory(history: History): DatedState {
  const { solidified, absent, head } = history;
  const [replaced] = history.replaced;
  if (solidified) {
    const { block, outcome } = solidified;
    // The block is final, its outcome is not known: it is read again.
    if (!isReportedOutcome(outcome)) {
      return { state: { kind: "included", block, ...seenOutcome(history) }, since: solidified.at };
    }
    return { state: { kind: "solidified", block, outcome }, since: solidified.at };
  }
  if (replaced && (absent || !mayBeKept(history))) {
    return { state: { kind: "replaced", by: replaced.by }, since: replaced.at };
  }
  if (absent) {
    return { state: { kind: "proven-absent", from: absent.first.number, to: absent.last.number }, since: absent.at };
  }
  if (head?.kind === "seen-in-head") {
    return { state: { kind: "included", block: head.block, ...seenOutcome(history) }, since: head.at };
  }
  return pooled(history) ?? answered(history);
}

function seenOutcome({ head }: History): { readonly outcome?: ExecutionOutcome } {
  return head?.kind === "seen-in-head" && head.outcome ? { outcome: head.outcome } : {};
}

/**
 * Whether a node may hold what was replaced: another window sent it meanwhile, others have it, or the chain shows it. Then it waits for
 * its proof.
 */
function mayBeKept(history: History): boolean {
  if (history.head !== undefined || history.pool !== undefined || isShared(history)) return true;
  const [first, ...more] = attemptsOf(history);
  return more.length > 0 || (first !== undefined && first.outcome?.kind !== "rejected");
}

function pooled({ head, pool, answered: answers }: History): DatedState | undefined {
  if (head) return { state: { kind: "pending" }, since: head.at };
  const accepted = answers.filter(({ outcome }) => outcome.kind === "accepted").map(({ at }) => at);
  const times = [...accepted, ...(pool ? [pool.at] : [])];
  return times.length === 0 ? undefined : { state: { kind: "pending" }, since: Math.min(...times) };
}

function answered(history: History): DatedState {
  const attempts = attemptsOf(history);
  const doubtful = attempts.find((it) => isDoubtful(it) && !isTurnedAway(it)) ?? attempts.find(isTurnedAway);
  const rejection = rejectionOf(history);
  if (attempts.length > 0 && doubtful === undefined && rejection !== undefined) return rejection;
  const [first] = attempts;
  if (first === undefined) return unsent(history);
  const reason = reasonOf(doubtful ?? first);
  return { state: { kind: "unknown", reason }, since: first.answeredAt ?? first.startedAt };
}

/** An attempt that a node may have kept: no answer yet, or none that can be used. */
function isDoubtful({ outcome }: Attempt): boolean {
  return outcome === undefined || outcome.kind === "unknown";
}

/** Whoever stands before the node did not let it through, as far as is known. */
function isTurnedAway({ outcome }: Attempt): boolean {
  return outcome?.kind === "unknown" && outcome.turnedAway === true;
}

/**
 * The rejection that people see: the first answer, if it was one. Later answers add advice, and never another reason;
 * above all
 * `DUP_TRANSACTION_ERROR`, which a node also says about bytes that it refused before (node behaviour 12).
 */
function rejectionOf(history: History): DatedState | undefined {
  const answers = answersInOrder(history);
  const [first] = answers;
  const last = answers.at(-1);
  if (first?.outcome.kind !== "rejected" || last === undefined) return undefined;
  const { code, message } = first.outcome;
  const chain = { expiration: history.signed[0]?.expiration, headTime: history.headTime?.time };
  const refused = last.outcome.kind === "already-known" || last.outcome.kind === "rejected";
  const retry = refused ? retryAfterRefusal(last.outcome, chain) : "fix-request";
  return { state: { kind: "rejected", code, message, retry }, since: first.at };
}

function unsent({ txId: _, signed, adopted }: History): DatedState {
  const times = [...signed, ...adopted].map(({ at }) => at);
  const since = times.length === 0 ? 0 : Math.min(...times);
  if (signed.length > 0) return { state: { kind: "signed" }, since };
  return { state: { kind: "unknown", reason: unknownWords.notSeen }, since };
}

function reasonOf({ endpoint, outcome }: Attempt): string {
  switch (outcome?.kind) {
    case undefined:
      return unknownWords.noAnswer(endpoint);
    case "unknown":
      return outcome.turnedAway === true ? unknownWords.turnedAway(outcome.message) : outcome.message;
    case "already-known":
      return unknownWords.alreadyKnown(endpoint, outcome.message);
    case "accepted":
    case "rejected":
      return unknownWords.answered(endpoint, outcome.kind);
  }
}
