import type { BroadcastOutcome } from "../../core/gateway/broadcast-outcome.ts";
import { describeAnswer, shortReason } from "../../core/tracking/describe-tracked.ts";
import type { Attempt, TrackedTransaction } from "../../core/tracking/tracked-transaction.ts";
import type { ExecutionOutcome, SeenBlock } from "../../core/tracking/tracking-state.ts";
import { shortTxId } from "../../core/transaction/describe-intent.ts";
import { describeFailure, formatHeight } from "./state.view.ts";

/** One thing that is known about a transaction: what happened, and what is worth knowing about it. */
export interface Fact {
  /** Unique within its transaction, and stable. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** All of it in one sentence, for tooltips. */
  readonly sentence: string;
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
  const at = timeOf(createdAt);
  if (signed === undefined) {
    const sentence = `Followed by its txID since ${at}, signed elsewhere`;
    return { id: "origin", label: "Followed", description: `since ${at}`, sentence, icon: "eye" };
  }
  const expires = timeOf(signed.expiration);
  return {
    ...{ id: "origin", label: "Signed", description: `${at} · expires ${expires}`, icon: "lock" },
    sentence: `Signed ${at}, expires ${expires} by the clock of the chain`,
  };
}

function describeAttempt({ number, endpoint, startedAt, answeredAt, outcome }: Attempt, timeOf: TimeOf): Fact {
  const look = ANSWER_LOOKS[outcome?.kind ?? "none"];
  const took = answeredAt === undefined ? [] : [`${Math.max(0, answeredAt - startedAt)} ms`];
  const why =
    outcome?.kind === "rejected" || outcome?.kind === "unknown" ? [shortReason(outcome.code, outcome.message)] : [];
  return {
    ...{ id: `attempt ${number} ${endpoint} ${startedAt}`, ...look },
    description: [...why, timeOf(startedAt), hostOf(endpoint), ...took].join(" · "),
    sentence: `Attempt ${number}, ${timeOf(startedAt)}, ${[endpoint, ...took].join(", ")}: ${describeAnswer(outcome)}`,
  };
}

interface AnswerLook {
  readonly label: string;
  readonly icon: string;
  readonly color?: string;
}

const QUESTION = { icon: "question", color: "list.warningForeground" } as const;

const ANSWER_LOOKS: { readonly [K in BroadcastOutcome["kind"] | "none"]: AnswerLook } = {
  none: { label: "Sent, no answer known", ...QUESTION },
  unknown: { label: "Sent, no usable answer", ...QUESTION },
  accepted: { label: "Accepted", icon: "check" },
  "already-known": { label: "Known already", icon: "check" },
  rejected: { label: "Rejected", icon: "circle-slash", color: "list.errorForeground" },
};

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
      const description = `blocks ${formatHeight(state.from)}–${formatHeight(state.to)} do not hold it`;
      return [fact("Proven absent", description, "history")];
    }
    case "replaced":
      return [fact("Replaced", `by ${shortTxId(state.by)}`, "arrow-swap")];
  }
}

function blockFact({ number, timestamp }: SeenBlock, timeOf: TimeOf): Fact {
  const height = `Block ${formatHeight(number)}`;
  const at = timeOf(timestamp);
  return {
    id: "block",
    label: height,
    description: at,
    sentence: `${height}, ${at} by the clock of the chain`,
    icon: "package",
  };
}

function endFact(outcome: ExecutionOutcome, seenAt: string): Fact {
  return outcome.kind === "success"
    ? { ...fact("Solidified", `seen ${seenAt}`, "verified"), color: "testing.iconPassed" }
    : { ...fact("Failed", describeFailure(outcome), "error"), color: "testing.iconFailed" };
}

function fact(label: string, description: string, icon: string): Fact {
  return { id: "end", label, description, sentence: `${label}, ${description}`, icon };
}

function hostOf(endpoint: string): string {
  return URL.parse(endpoint)?.host ?? endpoint;
}
