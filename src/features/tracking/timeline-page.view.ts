import type { ReasonOf } from "@finality/client/explain";
import {
  describeAnswer,
  describeChecks,
  describeProofCost,
  sendTitle,
  stopText,
  transactionLabel,
} from "@finality/client/labels";
import { proofCostOfSigned } from "@finality/client/proof";
import {
  type Attempt,
  decideActions,
  failureOf,
  hasEnoughSignatures,
  isReplayable,
  isSending,
  isTraceable,
  isUnsettled,
  isUnverifiedRejection,
  type ProofProgress,
  type ProvenAbsence,
  type ReplacementPermission,
  type SignedPart,
  type TrackedTransaction,
} from "@finality/client/tracking";
import { counted, grouped } from "@finality/tron/format";
import { toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type {
  StageMark,
  Timeline,
  TimelineAction,
  TimelineButton,
  TimelineProof,
  TimelineRow,
  TimelineStage,
  TimelineStep,
  Tone,
} from "../../webview-messages/timeline.ts";
import { describeRaw, describeSections, NO_FACTS, type TransactionFacts } from "./timeline-sections.view.ts";
import {
  adviceFor,
  attemptId,
  describeState,
  type Fact,
  networkText,
  type TimeOf,
  timelineOf,
  type ViewContext,
} from "./transaction.view.ts";

/** Data of the page besides the journal. */
export interface TimelinePageContext extends ViewContext {
  /** Receipt, bytes and names; without them the page shows the journal only. */
  readonly facts?: TransactionFacts;
  /** Symbol of the network's coin; undefined if unknown. */
  readonly symbol?: string | undefined;
  readonly production: boolean;
  /** True if the network has a block explorer. */
  readonly hasExplorer?: boolean;
  /** Fallback URLs of the network. */
  readonly fallbackUrls: readonly string[];
}

/** Renders the timeline of a transaction. Pure: equal input gives an equal page. */
export function describeTimeline(tracked: TrackedTransaction, context: TimelinePageContext): Timeline {
  const { timeOf, nameOf, sessionStart, production, fallbackUrls, hasExplorer = false, facts = NO_FACTS } = context;
  const { icon, color, spoken } = describeState(tracked, context);
  return {
    txId: tracked.txId,
    title: transactionLabel(tracked, nameOf, context.functionOf),
    network: networkText(tracked, context),
    production,
    state: { text: spoken, icon, tone: toneOf(color) },
    advice: nextStepOf(tracked, sessionStart) ?? null,
    sections: describeSections(tracked, { ...context, facts }),
    raw: describeRaw(tracked, facts),
    stages: describeStages(tracked, sessionStart),
    steps: timelineOf(tracked, context).map((fact) => stepOf(fact, tracked, context)),
    proof: describeAbsence(tracked, timeOf),
    buttons: [
      ...describeButtons(tracked, fallbackUrls),
      ...traceButtons(tracked, context.isLocal?.(tracked) === true),
      ...(hasExplorer ? [button("open-explorer", t`Open in Explorer`, "link-external")] : []),
    ],
    rows: identity(tracked, context),
  };
}

/** Returns the buttons that trace and debug a run: on the local chain, or a failure elsewhere on the recorded state. */
function traceButtons(tracked: TrackedTransaction, isLocal: boolean): readonly TimelineButton[] {
  const debug = button("debug", t`Debug`, "debug-alt");
  if (isLocal) return isTraceable(tracked) ? [button("trace", t`Trace`, "list-flat"), debug] : [];
  return isReplayable(tracked) ? [button("trace-failure", t`Trace This Failure`, "list-flat"), debug] : [];
}

/** Returns the next step for the user: the advice of the retry policy, or that there is nothing to do. */
function nextStepOf(tracked: TrackedTransaction, sessionStart: number): string | undefined {
  if (isSending(tracked, sessionStart)) return undefined;
  const advice = adviceFor(tracked);
  if (advice !== undefined) return advice;
  switch (tracked.state.kind) {
    case "solidified":
      return t`Nothing to do.`;
    case "pending":
      return t`Nothing to do: it is tracked until it is final.`;
    case "replaced":
      return t`Nothing to do: another transaction has its place.`;
    default:
      return undefined;
  }
}

const TONES: { readonly [color: string]: Tone } = {
  "charts.green": "good",
  "testing.iconFailed": "bad",
  "list.errorForeground": "bad",
  "list.warningForeground": "warning",
  "charts.yellow": "moving",
  "charts.blue": "moving",
  "charts.orange": "warning",
};

function toneOf(color: string | undefined): Tone {
  return (color === undefined ? undefined : TONES[color]) ?? "neutral";
}

function stepOf(fact: Fact, tracked: TrackedTransaction, context: ViewContext): TimelineStep {
  const { id, icon, color, label, description, txId } = fact;
  const rows = rowsOf(id, tracked, context).filter(({ value }) => value !== "");
  return { id, icon, tone: toneOf(color), label, description, rows, txId: txId ?? null };
}

/** Returns the details of a timeline entry. */
function rowsOf(id: string, tracked: TrackedTransaction, { timeOf, reasonOf }: ViewContext): readonly TimelineRow[] {
  const { state } = tracked;
  const attempt = tracked.attempts.find((it) => attemptId(it) === id);
  if (attempt !== undefined) return attemptRows(attempt, timeOf);
  if (id === "block" && "block" in state) {
    const blockRows = [row(t`Block ID`, state.block.id ?? "", true), row(t`Chain time`, timeOf(state.block.timestamp))];
    return state.kind === "included" ? [...blockRows, ...failureRows(tracked, reasonOf)] : blockRows;
  }
  return id === "end" ? failureRows(tracked, reasonOf) : [];
}
function failureRows(tracked: TrackedTransaction, reasonOf: ReasonOf): readonly TimelineRow[] {
  const failure = failureOf(tracked);
  if (failure === undefined) return [];
  const reason = reasonOf(tracked);
  const { result, message } = failure;
  return [
    row(t`Reason`, reason === undefined ? "" : visibleLine(reason.text, LONG)),
    row(t`More`, reason?.detail ?? ""),
    row(t`Named by`, reason?.source === undefined ? "" : visibleLine(reason.source)),
    row(t`Result`, visibleLine(result)),
    row(t`Message`, visibleLine(message, LONG)),
  ];
}

const LONG = 2_000;

function attemptRows({ number, endpoint, startedAt, answeredAt, outcome }: Attempt, timeOf: ViewContext["timeOf"]) {
  const code = outcome?.kind === "rejected" || outcome?.kind === "unknown" ? outcome.code : "";
  return [
    row(t`Attempt`, String(number)),
    row(t`Endpoint`, endpoint),
    row(t`Sent`, timeOf(startedAt)),
    row(t`Answered`, answeredAt === undefined ? "" : timeOf(answeredAt)),
    row(t`Answer`, describeAnswer(outcome)),
    row(t`Code`, visibleLine(code)),
  ];
}

/** Returns the facts that identify the transaction. */
function identity(tracked: TrackedTransaction, context: TimelinePageContext): readonly TimelineRow[] {
  const { nameOf, timeOf, noteOf } = context;
  const { txId, signed } = tracked;
  const note = noteOf?.(txId);
  const noted = note === undefined ? [] : [row(t`Note`, visibleLine(note, LONG))];
  const head = [row("txID", txId, true), row(t`Network`, networkText(tracked, context)), ...noted];
  if (signed === undefined) return head;
  const { intent, expiration } = signed;
  const owner = nameOf(intent.owner);
  return [
    ...head,
    row(owner === undefined ? t`From` : t`From ${owner}`, toBase58(intent.owner), true),
    row(t`Expires`, t`${timeOf(expiration)} by the clock of the chain`),
  ];
}

function row(name: string, value: string, exact = false): TimelineRow {
  return { name, value, exact };
}

type Marks = readonly [sent: StageMark, pool: StageMark, block: StageMark, end: StageMark];

/** Summarizes the stages: signed, sent, pool, block, and the end. */
function describeStages(tracked: TrackedTransaction, sessionStart: number): readonly TimelineStage[] {
  const [sent, pool, block, end] = marksOf(tracked, sessionStart);
  const { state, signed } = tracked;
  const height = "block" in state ? t`Block ${grouped(state.block.number)}` : t`In a block`;
  return [
    signed === undefined ? stage(t`Tracked`, "done", "eye") : stage(t`Signed`, "done", "lock"),
    stage(t`Sent`, sent, "send"),
    stage(t`In the pool`, pool, "inbox"),
    stage(height, block, "package"),
    endStage(tracked, end),
  ];
}

function marksOf(tracked: TrackedTransaction, sessionStart: number): Marks {
  const { state } = tracked;
  if (isSending(tracked, sessionStart)) return ["now", "ahead", "ahead", "ahead"];
  switch (state.kind) {
    case "signed":
      return ["ahead", "ahead", "ahead", "ahead"];
    case "unknown":
      return ["open", "ahead", "ahead", "ahead"];
    case "pending":
      return ["done", "now", "ahead", "ahead"];
    case "included":
      return ["done", "done", "now", "ahead"];
    case "solidified":
      return ["done", "done", "done", state.outcome.kind === "success" ? "done" : "failed"];
    case "rejected":
      if (isUnsettled(tracked)) return ["open", "ahead", "ahead", "ahead"];
      return isUnverifiedRejection(tracked)
        ? ["failed", "ahead", "ahead", "ahead"]
        : ["failed", "never", "never", "never"];
    case "proven-absent":
    case "replaced":
      return [sentMark(tracked), "never", "never", "done"];
  }
}

/** Returns the mark of the broadcast once its outcome no longer matters. */
function sentMark({ attempts }: TrackedTransaction): StageMark {
  if (attempts.length === 0) return "never";
  return attempts.every(({ outcome }) => outcome?.kind === "rejected") ? "failed" : "done";
}

function endStage({ state }: TrackedTransaction, mark: StageMark): TimelineStage {
  switch (state.kind) {
    case "proven-absent":
      return { ...stage(t`Proven absent`, mark, "history"), tone: "neutral" };
    case "replaced":
      return { ...stage(t`Replaced`, mark, "arrow-swap"), tone: "neutral" };
    case "solidified":
      return stage(mark === "failed" ? t`Failed` : t`Solidified`, mark, "verified-filled");
    default:
      return stage(t`Solidified`, mark, "verified-filled");
  }
}

function stage(label: string, mark: StageMark, icon: string): TimelineStage {
  const { tone, spoken, icon: own } = MARKS[mark];
  return { label, mark, tone, icon: own ?? icon, spoken: `${label}: ${spoken}` };
}

interface MarkStyle {
  readonly tone: Tone;
  readonly spoken: string;
  readonly icon?: string;
}

const MARKS: { readonly [K in StageMark]: MarkStyle } = {
  done: { tone: "good", spoken: t`done` },
  now: { tone: "moving", spoken: t`current` },
  open: { tone: "warning", spoken: t`not known`, icon: "question" },
  failed: { tone: "bad", spoken: t`failed`, icon: "error" },
  ahead: { tone: "neutral", spoken: t`not yet` },
  never: { tone: "neutral", spoken: t`will not happen` },
};

/**
 * Describes the proof of absence: the finished proof, the progress of the search, or the cost of one. Returns null if
 * none is needed.
 */
function describeAbsence(tracked: TrackedTransaction, timeOf: TimeOf): TimelineProof | null {
  const { absence, proving, signed, state } = tracked;
  if (absence !== undefined) return provenAbsence(absence, timeOf);
  if (signed === undefined) return null;
  if (!isUnsettled(tracked) && proving === undefined)
    return isUnverifiedRejection(tracked) ? search(signed, timeOf) : null;
  if (proving !== undefined)
    return proving.kind === "stopped" ? stoppedProof(stopText(proving.reason)) : runningProof(proving);
  return state.kind === "signed" ? null : comingProof(signed, state.kind === "included", timeOf);
}

function provenAbsence(absence: ProvenAbsence, timeOf: TimeOf): TimelineProof {
  const { first, last, count, expiration, digest, endpoint, provenAt, checks } = absence;
  const blocks = `${grouped(first.number)}–${grouped(last.number)}`;
  return {
    title: t`Proof of absence`,
    icon: "history",
    tone: "good",
    progress: null,
    sentence: t`${counted(count, t`solidified block`, t`solidified blocks`)}, each the parent of the next, could have contained it. None does, and it has expired. ${visibleLine(describeChecks(checks), 1_000)}`,
    rows: [
      row(t`Blocks`, `${blocks} (${grouped(count)})`),
      row(t`Expiry`, timeOf(expiration)),
      row(t`Solidified time`, t`${timeOf(last.timestamp)} ≥ expiry`),
      row(t`First block`, first.id, true),
      row(t`Last block`, last.id, true),
      row(t`SHA-256 of all IDs`, digest, true),
      row(t`Requested`, endpoint),
      row(t`Proven`, timeOf(provenAt)),
    ],
  };
}

function runningProof({ read, total }: Extract<ProofProgress, { kind: "scanning" }>): TimelineProof {
  const message =
    total === 0
      ? t`Solidified time has reached the expiry. Reading the blocks that could contain it.`
      : t`${grouped(read)} of ${counted(total, t`solidified block`, t`solidified blocks`)} read. The scan continues from there.`;
  const progress = total === 0 ? null : { read: Math.min(read, total), total };
  return { title: t`Proof of absence`, icon: "sync~spin", tone: "moving", sentence: message, progress, rows: [] };
}

function stoppedProof(reason: string): TimelineProof {
  return {
    title: t`No proof yet`,
    icon: "warning",
    tone: "warning",
    sentence: visibleLine(reason, 1_000),
    progress: null,
    rows: [],
  };
}

function comingProof({ rawDataHex, expiration }: SignedPart, isIncluded: boolean, timeOf: TimeOf): TimelineProof {
  const cost = proofCostOfSigned({ rawDataHex, expiration });
  const reads = cost === undefined ? "" : t` It will read ${describeProofCost(cost)}.`;
  return {
    title: isIncluded ? t`If a reorganization removes it` : t`If it is in no block`,
    icon: "history",
    tone: "neutral",
    progress: null,
    rows: [],
    sentence: t`A proof of absence starts automatically when solidified time reaches the expiry, ${timeOf(expiration)}.${reads} It does not depend on the clock of this computer.`,
  };
}

/** Describes the search for a rejected transaction: the gateway's answer is no proof. */
function search({ expiration }: SignedPart, timeOf: TimeOf): TimelineProof {
  return {
    title: t`If the gateway is wrong`,
    icon: "search",
    tone: "neutral",
    progress: null,
    rows: [],
    sentence: t`Only the gateway reports that nothing was executed. The signed bytes are valid until ${timeOf(expiration)} by the clock of the chain, so Finality searches for it until then.`,
  };
}

/**
 * Returns the actions that are allowed now. The core decides; this function only labels them. If there is a decision to
 * make, the first action is the recommended one.
 *
 * @param fallbackUrls - Fallback URLs of the network.
 */
export function describeButtons(
  tracked: TrackedTransaction,
  fallbackUrls: readonly string[],
): readonly TimelineButton[] {
  const decision = decideActions(tracked, { otherUrls: fallbackUrls });
  const { createReplacement, doItAgain, sendToAnotherNode, lookNow, exportProof } = decision;
  const resendable = decision.sendSameBytes.allowed;
  const { state, signed } = tracked;
  const isComplete = state.kind === "signed" && signed !== undefined && hasEnoughSignatures(signed);
  const decides = isComplete || state.kind === "unknown" || state.kind === "rejected";
  const icon = state.kind === "signed" ? "send" : "debug-restart";
  const resend = resendable ? [button("resend", sendTitle(tracked), icon, decides)] : [];
  const replace = createReplacement.allowed
    ? [button("replace", t`Create Replacement…`, "arrow-swap", !resendable)]
    : refusedReplacement(createReplacement);
  const buttons = [
    ...resend,
    ...replace.filter(({ whyNot }) => whyNot === null),
    ...(decision.signAgain.allowed ? [button("sign", signTitle(tracked), "edit", true)] : []),
    ...(doItAgain.allowed ? [button("again", t`Retry as New Transaction…`, "redo", true)] : []),
    ...(sendToAnotherNode.allowed ? [button("another-node", t`Send to Another Node…`, "remote")] : []),
    ...(lookNow.allowed ? [button("look-now", t`Check Now`, "refresh")] : []),
    ...proofButton(tracked),
    ...(exportProof.allowed ? [button("export-proof", t`Export Proof…`, "export")] : []),
    ...replace.filter(({ whyNot }) => whyNot !== null),
    button("show-in-list", t`Show in List`, "list-tree"),
  ];
  const first = buttons.find(({ primary }) => primary);
  return buttons.map((it) => ({ ...it, primary: it === first }));
}

function signTitle({ state }: TrackedTransaction): string {
  return state.kind === "signed" ? t`Add Signature…` : t`Sign Again…`;
}

/** Returns a disabled button with the reason, where users look for a replacement that is not allowed yet. */
function refusedReplacement(permission: ReplacementPermission): readonly TimelineButton[] {
  if (permission.allowed || permission.when === undefined) return [];
  return [{ ...button("replace", t`Create Replacement…`, "arrow-swap"), whyNot: permission.why }];
}

/** Returns the button that stops or resumes a proof. A stopped search also resumes by itself. */
function proofButton({ proving }: TrackedTransaction): readonly TimelineButton[] {
  switch (proving?.kind) {
    case undefined:
      return [];
    case "scanning":
      return [button("stop-proof", t`Stop Proof`, "debug-stop")];
    case "stopped":
      return [button("resume-proof", t`Resume Proof`, "debug-continue")];
  }
}

function button(action: TimelineAction, label: string, icon: string, primary = false): TimelineButton {
  return { action, label, icon, primary, whyNot: null };
}
