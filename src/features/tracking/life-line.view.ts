import type { ReasonOf } from "@finality/client/explain";
import {
  type Attempt,
  isDisputed,
  isThereAlthoughRefused,
  type RecordedOutcome,
  type SeenBlock,
  type TrackedTransaction,
} from "@finality/client/tracking";
import { grouped, shortTxId } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { stopText } from "../../labels/proofs.ts";
import { describeAnswer, describeDispute, shortReason } from "../../labels/transactions.ts";
import { describeFailure } from "./state.view.ts";

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
  /** Another transaction that it leads to. */
  readonly txId?: TxId;
}

/** Turns Unix ms into a time of day. */
export type TimeOf = (ms: number) => string;

/** What a life is told with, beside the journal. */
export interface LifeContext {
  readonly timeOf: TimeOf;
  readonly reasonOf: ReasonOf;
}

/** The life of a transaction, oldest fact first: signed, every attempt with its answer, block, end. */
export function describeLife(tracked: TrackedTransaction, context: LifeContext): readonly Fact[] {
  const { timeOf } = context;
  return [
    describeOrigin(tracked, timeOf),
    ...(tracked.replaces === undefined ? [] : [link("replaces", t`Replaces`, tracked.replaces)]),
    ...tracked.attempts.map((it) => describeAttempt(it, timeOf)),
    ...describeProof(tracked, timeOf),
    ...describeEnd(tracked, context),
    ...(isThereAlthoughRefused(tracked) ? [FALSE_REFUSAL] : []),
    ...(tracked.notFoundAt === undefined ? [] : [describeSearch(tracked.notFoundAt, timeOf)]),
    ...(tracked.replacedBy === undefined ? [] : [link("replaced-by", t`Replaced by`, tracked.replacedBy)]),
  ];
}

function describeOrigin({ signed, createdAt }: TrackedTransaction, timeOf: TimeOf): Fact {
  const at = timeOf(createdAt);
  if (signed === undefined) {
    const sentence = t`Followed by its txID since ${at}, signed elsewhere`;
    return { id: "origin", label: t`Followed`, description: t`since ${at}`, sentence, icon: "eye" };
  }
  const expires = timeOf(signed.expiration);
  return {
    id: "origin",
    label: t`Signed`,
    description: t`${at} · expires ${expires}`,
    icon: "lock",
    sentence: t`Signed ${at}, expires ${expires} by the clock of the chain`,
  };
}

/** Names an attempt: two windows may count theirs alike. */
export function attemptId({ number, endpoint, startedAt }: Attempt): string {
  return `attempt ${number} ${endpoint} ${startedAt}`;
}

function describeAttempt(attempt: Attempt, timeOf: TimeOf): Fact {
  const { number, endpoint, startedAt, answeredAt, outcome } = attempt;
  const look = ANSWER_LOOKS[lookOf(outcome)];
  const took = answeredAt === undefined ? [] : [t`${Math.max(0, answeredAt - startedAt)} ms`];
  const why =
    outcome?.kind === "rejected" || outcome?.kind === "unknown" ? [shortReason(outcome.code, outcome.message)] : [];
  return {
    id: attemptId(attempt),
    ...look,
    description: [...why, timeOf(startedAt), hostOf(endpoint), ...took].join(" · "),
    sentence: t`Attempt ${number}, ${timeOf(startedAt)}, ${[endpoint, ...took].join(", ")}: ${describeAnswer(outcome)}`,
  };
}

interface AnswerLook {
  readonly label: string;
  readonly icon: string;
  readonly color?: string;
}

const QUESTION = { icon: "question", color: "list.warningForeground" } as const;

type Look = RecordedOutcome["kind"] | "none" | "turned-away";

function lookOf(outcome: RecordedOutcome | undefined): Look {
  if (outcome?.kind === "unknown" && outcome.turnedAway === true) return "turned-away";
  return outcome?.kind ?? "none";
}

const ANSWER_LOOKS: { readonly [K in Look]: AnswerLook } = {
  none: { label: t`Sent, no answer known`, ...QUESTION },
  unknown: { label: t`Sent, no usable answer`, ...QUESTION },
  "turned-away": { label: t`Turned away before the node`, ...QUESTION },
  accepted: { label: t`Accepted`, icon: "check" },
  "already-known": { label: t`Known already`, icon: "check" },
  rejected: { label: t`Rejected`, icon: "circle-slash", color: "list.errorForeground" },
};

function describeEnd(tracked: TrackedTransaction, { timeOf, reasonOf }: LifeContext): readonly Fact[] {
  const { state, changedAt } = tracked;
  switch (state.kind) {
    case "signed":
    case "unknown":
    case "pending":
    case "rejected":
      return [];
    case "included":
      return [blockFact(state.block, timeOf)];
    case "solidified":
      return [
        blockFact(state.block, timeOf),
        state.outcome.kind === "success" ? succeeded(timeOf(changedAt)) : failed(describeFailure(tracked, reasonOf)),
        ...(isDisputed(tracked) ? [fact(t`Disputed`, describeDispute(tracked, t`see above`), "question")] : []),
      ];
    case "proven-absent":
    case "replaced":
      return [];
  }
}

/** The proof of absence, or how far the search for it is. */
function describeProof({ proving, absence, state }: TrackedTransaction, timeOf: TimeOf): readonly Fact[] {
  if (absence !== undefined) {
    const { first, last, count, expiration } = absence;
    const description = t`blocks ${grouped(first.number)}–${grouped(last.number)} do not hold it`;
    const times = t`${count} solidified blocks; solidified time ${timeOf(last.timestamp)} ≥ expiry ${timeOf(expiration)}`;
    const proof = { id: "proof", label: t`Proven absent`, description, icon: "history" };
    const alarm = state.kind === "solidified" ? [ALARM] : [];
    return [{ ...proof, sentence: t`Proven absent, ${description} (${times})` }, ...alarm];
  }
  if (proving === undefined) return [];
  const description = proving.kind === "stopped" ? stopText(proving.reason) : scanText(proving);
  const look = proving.kind === "stopped" ? QUESTION : { icon: "sync~spin" };
  const sentence = t`Proof of absence, ${description}. The clock of this computer plays no part in it`;
  return [{ id: "proof", label: t`Proof of absence`, description, sentence, ...look }];
}

/** The gateway, or another one behind it, did not tell the truth. */
const ALARM: Fact = {
  id: "alarm",
  label: t`Alarm`,
  description: t`proven absent, and yet in a block`,
  icon: "alert",
  sentence: t`It was proven absent, and yet a block holds it: do not trust this gateway`,
  color: "list.errorForeground",
};

const FALSE_REFUSAL: Fact = {
  id: "false-refusal",
  label: t`Alarm`,
  description: t`refused, and yet the chain has it`,
  icon: "alert",
  sentence: t`The gateway said that nothing was executed, and yet the chain has it: do not trust this gateway`,
  color: "list.errorForeground",
};

function describeSearch(time: number, timeOf: TimeOf): Fact {
  const description = t`solidified time ${timeOf(time)} ≥ expiry`;
  const sentence = t`Looked for after its expiration and not found, ${description}: the gateway seems to be right that nothing was executed`;
  return { id: "search", label: t`Looked for, not found`, description, sentence, icon: "search" };
}

function scanText({ read, total }: { readonly read: number; readonly total: number }): string {
  return total === 0 ? t`scanning solidified blocks` : t`scanning ${read} of ${total} solidified blocks`;
}

function link(id: string, label: string, txId: TxId): Fact {
  const short = shortTxId(txId);
  return { id, label, description: short, sentence: `${label} ${short}`, icon: "arrow-swap", txId };
}

function blockFact({ number, timestamp }: SeenBlock, timeOf: TimeOf): Fact {
  const height = t`Block ${grouped(number)}`;
  const at = timeOf(timestamp);
  return {
    id: "block",
    label: height,
    description: at,
    sentence: t`${height}, ${at} by the clock of the chain`,
    icon: "package",
  };
}

function succeeded(seenAt: string): Fact {
  return { ...fact(t`Solidified`, t`seen ${seenAt}`, "verified"), color: "testing.iconPassed" };
}

function failed(reason: string): Fact {
  return { ...fact(t`Failed`, reason, "error"), color: "testing.iconFailed" };
}

function fact(label: string, description: string, icon: string): Fact {
  return { id: "end", label, description, sentence: `${label}, ${description}`, icon };
}

function hostOf(endpoint: string): string {
  return URL.parse(endpoint)?.host ?? endpoint;
}
