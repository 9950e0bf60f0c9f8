import type { RecordedOutcome } from "../../core/journal/journal.ts";
import { describeAnswer } from "../../core/tracking/describe-tracked.ts";
import type { Attempt, TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { ExecutionOutcome, SeenBlock } from "../../core/tracking/tracking-state.ts";
import { shortTxId } from "../../core/transaction/describe-intent.ts";
import { describeFailure, formatHeight } from "./state.view.ts";

/** One thing that is known about a transaction: what, and when or where. */
export interface Fact {
  /** Unique within its transaction, and stable. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly icon: string;
  readonly color?: string;
}

/** Turns Unix ms into a time of day. */
export type TimeOf = (ms: number) => string;

/** The life of a transaction, oldest fact first: signed, every attempt with its answer, block, end. */
export function describeLife(tracked: TrackedTransaction, timeOf: TimeOf): readonly Fact[] {
  return [
    describeOrigin(tracked, timeOf),
    ...tracked.attempts.map((it) => describeAttempt(it, timeOf)),
    ...describeEnd(tracked, timeOf),
  ];
}

function describeOrigin({ signed, createdAt }: TrackedTransaction, timeOf: TimeOf): Fact {
  return signed === undefined
    ? { id: "origin", label: `Followed since ${timeOf(createdAt)}`, description: "signed elsewhere", icon: "eye" }
    : {
        id: "origin",
        label: `Signed ${timeOf(createdAt)}`,
        description: `expires ${timeOf(signed.expiration)} chain time`,
        icon: "lock",
      };
}

function describeAttempt({ number, endpoint, startedAt, answeredAt, outcome }: Attempt, timeOf: TimeOf): Fact {
  const took = answeredAt === undefined ? "" : ` · ${Math.max(0, answeredAt - startedAt)} ms`;
  return {
    id: `attempt ${number}`,
    label: `Sent ${timeOf(startedAt)} · ${describeAnswer(outcome)}`,
    description: `${hostOf(endpoint)}${took}`,
    ...answerLook(outcome),
  };
}

function answerLook(outcome: RecordedOutcome | undefined): { icon: string; color?: string } {
  switch (outcome?.kind) {
    case undefined:
    case "unknown":
      return { icon: "question", color: "list.warningForeground" };
    case "accepted":
    case "already-known":
      return { icon: "check" };
    case "rejected":
      return { icon: "circle-slash", color: "list.errorForeground" };
  }
}

function describeEnd({ state, changedAt }: TrackedTransaction, timeOf: TimeOf): readonly Fact[] {
  switch (state.kind) {
    case "signed":
    case "unknown":
    case "pending":
    case "rejected":
      return [];
    case "included":
      return [blockFact(state.block, timeOf)];
    case "solidified":
      return [blockFact(state.block, timeOf), endFact(state.outcome, timeOf(changedAt))];
    case "proven-absent": {
      const range = `blocks ${formatHeight(state.from)}–${formatHeight(state.to)} do not hold it`;
      return [{ id: "end", label: "Proven absent", description: range, icon: "history" }];
    }
    case "replaced":
      return [{ id: "end", label: "Replaced", description: `by ${shortTxId(state.by)}`, icon: "arrow-swap" }];
  }
}

function blockFact({ number, timestamp }: SeenBlock, timeOf: TimeOf): Fact {
  return {
    id: "block",
    label: `Block ${formatHeight(number)}`,
    description: `${timeOf(timestamp)} chain time`,
    icon: "package",
  };
}

function endFact(outcome: ExecutionOutcome, seenAt: string): Fact {
  return outcome.kind === "success"
    ? { id: "end", label: `Solidified`, description: `seen ${seenAt}`, icon: "verified", color: "testing.iconPassed" }
    : { id: "end", label: `Failed`, description: describeFailure(outcome), icon: "error", color: "testing.iconFailed" };
}

function hostOf(endpoint: string): string {
  return URL.parse(endpoint)?.host ?? endpoint;
}
