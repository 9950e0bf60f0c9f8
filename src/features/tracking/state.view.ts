import type { ReasonOf } from "@finality/client/explain";
import {
  failureOf,
  hasEnoughSignatures,
  isDisputed,
  isSending,
  judge,
  type SignedPart,
  type TrackedTransaction,
  type TrackingState,
} from "@finality/client/tracking";
import { grouped, shortTxId, timeTaken } from "@finality/tron/format";
import { type TxId, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { describeDispute, shortReason, signaturesText } from "../../labels/transactions.ts";

/** How a state looks and reads. */
export interface StateLook {
  /** A codicon. */
  readonly icon: string;
  /** A theme colour; absent means the colour of text. */
  readonly color?: string;
  /** What stands in grey to the right of the label. */
  readonly description: string;
  /** The same in whole words, for screen readers and tooltips. */
  readonly spoken: string;
}

/** What decides how a state reads, beside the journal. */
export interface StateContext {
  /** When this window began, local clock, Unix ms. */
  readonly sessionStart: number;
  readonly reasonOf: ReasonOf;
}

/** The look of a transaction's state. A transaction of somebody else is never shown as a danger to our own money. */
export function describeState(tracked: TrackedTransaction, context: StateContext): StateLook {
  const { state } = tracked;
  if (isSending(tracked, context.sessionStart)) return describeSending(tracked);
  switch (state.kind) {
    case "signed":
      return tracked.signed?.shared === true
        ? describeCollecting(tracked.signed, tracked.replacedBy)
        : look("lock", undefined, t`signed · not sent`, t`Signed, not sent`);
    case "unknown":
      return tracked.signed === undefined ? NOT_SEEN : describeUnknown(tracked);
    case "pending":
      return look("clockface", "charts.yellow", t`accepted · not final`, t`Accepted by the node, not final`);
    case "included":
      return describeIncluded(tracked, state, context);
    case "solidified":
      return describeSolidified(tracked, state, context);
    case "rejected":
      return describeRejected(state);
    case "proven-absent":
      return look(
        "history",
        undefined,
        t`safe to replace · proven absent`,
        t`Expired and proven absent, safe to replace`,
      );
    case "replaced":
      return look(
        "arrow-swap",
        undefined,
        t`replaced by ${shortTxId(state.by)}`,
        t`Replaced by ${shortTxId(state.by)}`,
      );
  }
}

/** Characters of a reason in a row, whose end the editor hides. */
const SHORT = 160;
const LONG = 400;

/**
 * Why an execution failed: the reason where it is known, else what the chain said. The words are a contract's own:
 * nothing in them is hidden, and they are not long.
 */
export function describeFailure(tracked: TrackedTransaction, reasonOf: ReasonOf, length = LONG): string {
  const reason = reasonOf(tracked);
  if (reason !== undefined) return visibleLine(reason.text, length);
  const { result, message } = failureOf(tracked) ?? { result: "", message: "" };
  return visibleLine(message === "" ? result : `${result}: ${message}`, length);
}

function look(icon: string, color: string | undefined, description: string, spoken: string): StateLook {
  return { icon, ...(color === undefined ? {} : { color }), description, spoken };
}

/** Whoever has its file may have sent it: it is watched. */
function describeCollecting(signed: SignedPart, replacedBy: TxId | undefined): StateLook {
  if (replacedBy !== undefined) {
    const by = shortTxId(replacedBy);
    return look("arrow-swap", undefined, t`not sent · ${by} in its place`, t`Not sent, ${by} took its place`);
  }
  const soFar = signaturesText(signed);
  if (hasEnoughSignatures(signed))
    return look("lock", undefined, t`complete: ${soFar} · not sent`, t`Complete: ${soFar}, not sent`);
  return look("edit", "charts.yellow", t`collects signatures · ${soFar}`, t`Collects signatures, ${soFar}`);
}

const NOT_SEEN = look("search", undefined, t`not seen yet · looking`, t`Not seen on the chain yet, looking`);

/** An attempt that is still open is no alarm yet: its answer is under way. */
function describeSending({ attempts }: TrackedTransaction): StateLook {
  const text = attempts.length > 1 ? t`sending · attempt ${attempts.length}` : t`sending`;
  return look("sync~spin", undefined, text, attempts.length > 1 ? t`Sending, attempt ${attempts.length}` : t`Sending`);
}

function describeUnknown(tracked: TrackedTransaction): StateLook {
  const tries = tracked.attempts.length > 1 ? t` · attempt ${tracked.attempts.length}` : "";
  const outcome = unknownOutcome(tracked);
  const spoken = t`${outcome}. Do not create a new payment`;
  return look("question", "list.warningForeground", t`do not pay again · ${outcome.toLowerCase()}${tries}`, spoken);
}

/** What is known of an outcome that is not: whether whoever stands before the node said that it was turned away. */
function unknownOutcome(tracked: TrackedTransaction): string {
  return judge(tracked).row === "turned-away" ? t`Not sent as far as is known` : t`Outcome unknown`;
}

function describeIncluded(
  tracked: TrackedTransaction,
  { block, outcome }: Extract<TrackingState, { kind: "included" }>,
  { reasonOf }: StateContext,
): StateLook {
  const height = grouped(block.number);
  if (outcome?.kind === "failed") {
    const text = t`block ${height} · ${describeFailure(tracked, reasonOf, SHORT)} · may still change`;
    const spoken = t`Failed in block ${height}: ${describeFailure(tracked, reasonOf)}, not final`;
    return look("package", "charts.orange", text, spoken);
  }
  return look("package", "charts.blue", t`block ${height} · may still change`, t`In block ${height}, not final`);
}

function describeSolidified(
  tracked: TrackedTransaction,
  { block, outcome }: Extract<TrackingState, { kind: "solidified" }>,
  { reasonOf }: StateContext,
): StateLook {
  const height = grouped(block.number);
  const { signed, createdAt, changedAt } = tracked;
  if (outcome.kind === "failed") {
    const reason = describeFailure(tracked, reasonOf);
    if (isDisputed(tracked)) {
      const spoken = t`${describeDispute(tracked, reason)}. Do not create a new payment`;
      return look("question", "list.warningForeground", t`do not pay again · failed or executed`, spoken);
    }
    return look(
      "error",
      "testing.iconFailed",
      t`failed · ${describeFailure(tracked, reasonOf, SHORT)}`,
      t`Final, failed: ${reason}`,
    );
  }
  const took = signed === undefined ? "" : ` · ${timeTaken(changedAt - createdAt)}`;
  return look(
    "verified-filled",
    "testing.iconPassed",
    t`final · block ${height}${took}`,
    t`Final, successful, in block ${height}`,
  );
}

function describeRejected({ code, message }: Extract<TrackingState, { kind: "rejected" }>): StateLook {
  const reason = shortReason(code, message);
  return look("circle-slash", "list.errorForeground", t`rejected · ${reason}`, t`Rejected before the pool: ${reason}`);
}
