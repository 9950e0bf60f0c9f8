import type { FailureReason, ReasonOf } from "@finality/client/explain";
import { type NetworkProfile, networkLabel } from "@finality/client/gateway";
import {
  describeAnswer,
  describeDispute,
  type FunctionNameOf,
  shortReason,
  signaturesText,
  stopText,
  transactionLabel,
} from "@finality/client/labels";
import {
  type Action,
  type Attempt,
  allowedActions,
  decideActions,
  deploymentOf,
  failureOf,
  hasDeployed,
  hasEnoughSignatures,
  isDisputed,
  isReplayable,
  isSending,
  isTraceable,
  isWronglyRejected,
  type RecordedOutcome,
  type SeenBlock,
  type SignedPart,
  type TrackedTransaction,
  type TrackingState,
} from "@finality/client/tracking";
import { grouped, type NameOf, shortAddress, shortTxId, timeTaken, withoutStop } from "@finality/tron/format";
import { type Address, defined, type TxId, toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { isClearable } from "./groups.view.ts";

/** Row of the tree: text and icons. */
interface TransactionRow {
  /** The state, then the action: a narrow side bar cuts the end. */
  readonly label: string;
  /** Grey text to the right of the label, the most important first. */
  readonly description: string;
  readonly icon: string;
  readonly color?: string;
  readonly contextValue: string;
  /** Text for screen readers: action, then state. */
  readonly spoken: string;
}

/** Context of the tree besides the journal. */
export interface ViewContext extends StateContext, TimelineContext {
  readonly nameOf: NameOf;
  /** Network that tracks it: its own, or another one of the same chain if its own was renamed or removed. */
  readonly networkOf?: (tracked: TrackedTransaction) => string;
  /** Fallback URLs of that network. */
  readonly otherUrlsOf?: (tracked: TrackedTransaction) => readonly string[];
  /** Returns true for a transaction of the local chain, which can repeat and trace it. */
  readonly isLocal?: (tracked: TrackedTransaction) => boolean;
  /** True if the rows are of several networks, and each has to name its own. */
  readonly namesNetworks?: boolean;
  readonly noteOf?: NoteOf;
  readonly functionOf?: FunctionNameOf;
}

/** Returns the note of the user on a transaction. */
export type NoteOf = (txId: TxId) => string | undefined;

/** Network of the transaction when it was signed, and the one that tracks it if that differs. */
export function networkText(tracked: TrackedTransaction, context: ViewContext): string {
  const now = networkNow(tracked, context);
  return now === tracked.network ? networkLabel(now) : t`${tracked.network}, watched through ${now}`;
}

export function describeTransaction(tracked: TrackedTransaction, context: ViewContext): TransactionRow {
  const { state, details, spoken, ...style } = describeState(tracked, context);
  const action = transactionLabel(tracked, context.nameOf, context.functionOf);
  const network =
    context.namesNetworks === true ? [visibleLine(networkLabel(networkNow(tracked, context)), SHORT)] : [];
  const note = context.noteOf?.(tracked.txId);
  const noted = note === undefined ? [] : [visibleLine(note, SHORT)];
  const contract = deploymentOf(tracked)?.address;
  const [short, whole] = contract === undefined ? [[], []] : [[shortAddress(contract)], [contractText(contract)]];
  return {
    ...style,
    label: `${state} · ${action}`,
    description: [...network, ...(details === "" ? [] : [details]), ...short, ...noted].join(" · "),
    contextValue: contextValue(tracked, context.otherUrlsOf?.(tracked), context.isLocal?.(tracked)),
    spoken: [
      `${action.replace("→", t`to`)}. ${withoutStop(spoken)}.`,
      ...[...network, ...whole, ...noted].map((it) => `${it}.`),
    ].join(" "),
  };
}

function networkNow(tracked: TrackedTransaction, { networkOf }: ViewContext): string {
  return networkOf?.(tracked) ?? tracked.network;
}

const FLAGS: { readonly [A in Action]: string } = {
  sendSameBytes: "resendable",
  sendToAnotherNode: "elsewhere",
  createReplacement: "replaceable",
  doItAgain: "again",
  signAgain: "signable",
  exportProof: "proven",
  lookNow: "moving",
};

/**
 * Returns `tx.<state>` with a flag for each available action, as menus match them: `+sendable`, `+resendable`,
 * `+elsewhere`, `+replaceable`, `+again`, `+signable`, `+proven`, `+moving`, `+result` for one in a block,
 * `+exportable` for an unsent one, `+collecting` for one that may lack signatures, `+contract` for a contract that can
 * be called, `+signed` for one whose signatures are known, `+proving` and `+stopped` for its proof of absence,
 * `+traceable` for one that the local chain can repeat, `+replayable` for a failure on another network.
 *
 * @param otherUrls - Fallback URLs of the network that tracks it.
 * @param isLocal - True for the local chain.
 */
export function contextValue(
  tracked: TrackedTransaction,
  otherUrls: readonly string[] = [],
  isLocal: boolean = false,
): string {
  const isUnsent = tracked.state.kind === "signed";
  const flags = [
    ...allowedActions(tracked, { otherUrls }).map((it) =>
      it === "sendSameBytes" && isUnsent ? "sendable" : FLAGS[it],
    ),
    ...(isInBlock(tracked) ? ["result"] : []),
    ...(isUnsent && tracked.replacedBy === undefined ? ["exportable"] : []),
    ...(isUnsent && tracked.signed?.shared === true && !hasEnoughSignatures(tracked.signed) ? ["collecting"] : []),
    ...(hasDeployed(tracked) ? ["contract"] : []),
    ...(tracked.signed === undefined ? [] : ["signed"]),
    ...(tracked.proving?.kind === "scanning" ? ["proving"] : []),
    ...(tracked.proving?.kind === "stopped" ? ["stopped"] : []),
    ...(isLocal && isTraceable(tracked) ? ["traceable"] : []),
    ...(!isLocal && isReplayable(tracked) ? ["replayable"] : []),
  ];
  return [`tx.${tracked.state.kind}`, ...flags].join("+");
}

function isInBlock({ state }: TrackedTransaction): boolean {
  return state.kind === "included" || state.kind === "solidified";
}

/** Returns the lines of the tooltip: state, network, txID and timeline. Plain text, which the caller must escape. */
export function describeTooltip(tracked: TrackedTransaction, context: ViewContext): Tooltip {
  const { nameOf, sessionStart, reasonOf } = context;
  const { spoken } = describeState(tracked, context);
  const note = context.noteOf?.(tracked.txId);
  const contract = deploymentOf(tracked)?.address;
  const advice = isSending(tracked, sessionStart) ? undefined : adviceFor(tracked);
  return {
    title: transactionLabel(tracked, nameOf, context.functionOf),
    state: spoken,
    ...defined({ advice }),
    notes: [
      ...(contract === undefined ? [] : [contractText(contract)]),
      ...notesOn(reasonOf(tracked)),
      ...(note === undefined ? [] : [t`Note: ${visibleLine(note, LONG)}`]),
    ],
    network: networkText(tracked, context),
    txId: tracked.txId,
    life: timelineOf(tracked, context).map(({ sentence }) => sentence),
  };
}

function contractText(contract: Address): string {
  return t`Contract ${toBase58(contract)}`;
}

/** Returns further details of the failure, and their source. */
function notesOn(reason: FailureReason | undefined): readonly string[] {
  if (reason === undefined) return [];
  const { detail, source } = reason;
  return [
    ...(detail === undefined ? [] : [detail]),
    ...(source === undefined ? [] : [t`Named by ${visibleLine(source)}`]),
  ];
}

export interface Tooltip {
  readonly title: string;
  readonly state: string;
  /** Deployed contract, sources of the failure reason, and the note of the user. */
  readonly notes: readonly string[];
  readonly advice?: string;
  readonly network: string;
  readonly txId: string;
  readonly life: readonly string[];
}

/** Returns the next step for the user, if there is one. */
export function adviceFor(tracked: TrackedTransaction): string | undefined {
  const { state, signed } = tracked;
  const { advice } = decideActions(tracked);
  if (state.kind !== "unknown" || advice === undefined) return advice;
  return signed === undefined ? undefined : t`${advice} Reason: ${withoutStop(visibleLine(state.reason))}.`;
}

/** Returns the network that tracks a transaction; undefined if it was removed. */
type NetworkOf = (
  tracked: TrackedTransaction,
) => (Pick<NetworkProfile, "explorerUrl" | "fallbackUrls"> & Partial<Pick<NetworkProfile, "local">>) | undefined;

/**
 * Returns the actions available for any listed transaction, in the form that the palette matches: the flags of all
 * rows, each once. It adds `+signed`, `+final`, `+proving`, `+stopped` and `+explorable`, for which rows have no flag.
 * Empty without a transaction.
 *
 * @example
 * whatMayBeDone([], () => undefined); // ""
 */
export function whatMayBeDone(transactions: readonly TrackedTransaction[], networkOf: NetworkOf): string {
  const flags = new Set<string>();
  for (const it of transactions) {
    if (it.hidden) continue;
    const { explorerUrl, fallbackUrls, local } = networkOf(it) ?? {};
    const [, ...rest] = contextValue(it, fallbackUrls, local).split("+");
    for (const flag of rest) flags.add(flag);
    if (isClearable(it)) flags.add("final");
    if (explorerUrl !== undefined) flags.add("explorable");
  }
  return [...flags]
    .sort()
    .map((flag) => `+${flag}`)
    .join("");
}

/** Icon and text of a state. */
interface StateStyle {
  /** A codicon. */
  readonly icon: string;
  /** Theme color; undefined for the color of text. */
  readonly color?: string;
  /** The state in two to four words, first in the row. */
  readonly state: string;
  /** Further details, the most important first; may be empty. */
  readonly details: string;
  /** Full text for screen readers and tooltips. */
  readonly spoken: string;
}

/** Context of a state besides the journal. */
export interface StateContext {
  /** Start of this window, local clock, Unix ms. */
  readonly sessionStart: number;
  readonly reasonOf: ReasonOf;
}

/** Describes the state. A transaction signed by others is never shown as a risk to the user's money. */
export function describeState(tracked: TrackedTransaction, context: StateContext): StateStyle {
  const { state } = tracked;
  if (isSending(tracked, context.sessionStart)) return describeSending(tracked);
  switch (state.kind) {
    case "signed":
      return tracked.signed?.shared === true
        ? describeCollecting(tracked.signed, tracked.replacedBy)
        : look("lock", undefined, [t`Not sent`, ""], t`Signed, not sent`);
    case "unknown":
      return tracked.signed === undefined ? NOT_SEEN : describeUnknown(tracked);
    case "pending":
      return look("clockface", "charts.yellow", [t`Accepted`, t`not final`], t`Accepted by the node, not final`);
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
        [t`Safe to replace`, t`proven absent`],
        t`Expired and proven absent, safe to replace`,
      );
    case "replaced":
      return look(
        "arrow-swap",
        undefined,
        [t`Replaced`, t`by ${shortTxId(state.by)}`],
        t`Replaced by ${shortTxId(state.by)}`,
      );
  }
}

/** Characters of a reason in a row, whose end the editor hides. */
const SHORT = 160;
const LONG = 400;

/** Returns the reason of a failed execution, else the result of the chain. Contract text is escaped and shortened. */
export function describeFailure(tracked: TrackedTransaction, reasonOf: ReasonOf, length = LONG): string {
  const reason = reasonOf(tracked);
  if (reason !== undefined) return visibleLine(reason.text, length);
  const { result, message } = failureOf(tracked) ?? { result: "", message: "" };
  return visibleLine(message === "" ? result : `${result}: ${message}`, length);
}

function look(
  icon: string,
  color: string | undefined,
  [state, details]: readonly [string, string],
  spoken: string,
): StateStyle {
  return { icon, ...defined({ color }), state, details, spoken };
}

/** Describes a shared transaction. It is tracked, because anyone who has the file can send it. */
function describeCollecting(signed: SignedPart, replacedBy: TxId | undefined): StateStyle {
  if (replacedBy !== undefined) {
    const by = shortTxId(replacedBy);
    return look("arrow-swap", undefined, [t`Replaced`, t`by ${by} · not sent`], t`Not sent, replaced by ${by}`);
  }
  const soFar = signaturesText(signed);
  if (hasEnoughSignatures(signed))
    return look("lock", undefined, [t`Not sent`, t`complete: ${soFar}`], t`Complete: ${soFar}, not sent`);
  return look("edit", "charts.yellow", [t`Signatures: ${soFar}`, t`not sent`], t`Collecting signatures, ${soFar}`);
}

const NOT_SEEN = look("search", undefined, [t`Not found yet`, t`searching`], t`Not found on the chain yet, searching`);

/** A pending attempt is no alarm, because its answer may still arrive. */
function describeSending({ attempts }: TrackedTransaction): StateStyle {
  if (attempts.length < 2) return look("sync~spin", undefined, [t`Sending`, ""], t`Sending`);
  return look("sync~spin", undefined, [t`Sending`, attemptText(attempts)], t`Sending, ${attemptText(attempts)}`);
}

function attemptText({ length }: readonly Attempt[]): string {
  return t`attempt ${length}`;
}

function describeUnknown(tracked: TrackedTransaction): StateStyle {
  const outcome = unknownOutcome(tracked);
  const tries = tracked.attempts.length > 1 ? [attemptText(tracked.attempts)] : [];
  const details = [outcome.toLowerCase(), ...tries].join(" · ");
  const spoken = t`${outcome}. Do not create a new payment`;
  return look("question", "list.warningForeground", [t`Do not pay again`, details], spoken);
}

/** Describes an unknown outcome, and whether the request was refused before it reached the node. */
function unknownOutcome(tracked: TrackedTransaction): string {
  return decideActions(tracked).row === "turned-away" ? t`Not sent, as far as known` : t`Outcome unknown`;
}

function describeIncluded(
  tracked: TrackedTransaction,
  { block, outcome }: Extract<TrackingState, { kind: "included" }>,
  { reasonOf }: StateContext,
): StateStyle {
  const height = grouped(block.number);
  if (outcome?.kind === "failed") {
    const details = t`${describeFailure(tracked, reasonOf, SHORT)} · block ${height} · may still change`;
    const spoken = t`Failed in block ${height}: ${describeFailure(tracked, reasonOf)}, not final`;
    return look("package", "charts.orange", [t`Failed`, details], spoken);
  }
  const details = t`block ${height} · may still change`;
  return look("package", "charts.blue", [t`In a block`, details], t`In block ${height}, not final`);
}

function describeSolidified(
  tracked: TrackedTransaction,
  { block, outcome }: Extract<TrackingState, { kind: "solidified" }>,
  { reasonOf }: StateContext,
): StateStyle {
  const height = grouped(block.number);
  const { signed, createdAt, changedAt } = tracked;
  if (outcome.kind === "failed") {
    const reason = describeFailure(tracked, reasonOf);
    if (isDisputed(tracked)) {
      const spoken = t`${withoutStop(describeDispute(tracked, reason))}. Do not create a new payment`;
      return look("question", "list.warningForeground", [t`Do not pay again`, t`failed or executed`], spoken);
    }
    return look(
      "error",
      "testing.iconFailed",
      [t`Failed`, describeFailure(tracked, reasonOf, SHORT)],
      t`Final, failed: ${reason}`,
    );
  }
  const took = signed === undefined ? "" : ` · ${timeTaken(changedAt - createdAt)}`;
  return look(
    "verified-filled",
    "charts.green",
    [t`Final`, t`block ${height}${took}`],
    t`Final, successful, in block ${height}`,
  );
}

function describeRejected({ code, message }: Extract<TrackingState, { kind: "rejected" }>): StateStyle {
  const reason = shortReason(code, message);
  return look("circle-slash", "list.errorForeground", [t`Rejected`, reason], t`Rejected before the pool: ${reason}`);
}

/** Entry of the timeline: an event, and its details. */
export interface Fact {
  /** Unique within its transaction, and stable. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  /** The whole entry in one sentence, for tooltips. */
  readonly sentence: string;
  readonly icon: string;
  readonly color?: string;
  /** Related transaction. */
  readonly txId?: TxId;
}

/** Formats Unix ms as a time of day. */
export type TimeOf = (ms: number) => string;

/** Context of the timeline besides the journal. */
interface TimelineContext {
  readonly timeOf: TimeOf;
  readonly reasonOf: ReasonOf;
}

/** Returns the timeline of a transaction, oldest entry first: signed, each attempt with its answer, block, end. */
export function timelineOf(tracked: TrackedTransaction, context: TimelineContext): readonly Fact[] {
  const { timeOf } = context;
  return [
    describeOrigin(tracked, timeOf),
    ...(tracked.replaces === undefined ? [] : [link("replaces", t`Replaces`, tracked.replaces)]),
    ...tracked.attempts.map((it) => describeAttempt(it, timeOf)),
    ...describeProof(tracked, timeOf),
    ...describeEnd(tracked, context),
    ...(isWronglyRejected(tracked) ? [FALSE_REFUSAL] : []),
    ...(tracked.notFoundAt === undefined ? [] : [describeSearch(tracked.notFoundAt, timeOf)]),
    ...(tracked.replacedBy === undefined ? [] : [link("replaced-by", t`Replaced by`, tracked.replacedBy)]),
  ];
}

function describeOrigin({ signed, createdAt }: TrackedTransaction, timeOf: TimeOf): Fact {
  const at = timeOf(createdAt);
  if (signed === undefined) {
    const message = t`Tracked by its txID since ${at}, signed elsewhere`;
    return { id: "origin", label: t`Tracked`, description: t`since ${at}`, sentence: message, icon: "eye" };
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

/** Identifies an attempt, because two windows may use the same number. */
export function attemptId({ number, endpoint, startedAt }: Attempt): string {
  return `attempt ${number} ${endpoint} ${startedAt}`;
}

function describeAttempt(attempt: Attempt, timeOf: TimeOf): Fact {
  const { number, endpoint, startedAt, answeredAt, outcome } = attempt;
  const style = ANSWER_STYLES[styleOf(outcome)];
  const took = answeredAt === undefined ? [] : [t`${Math.max(0, answeredAt - startedAt)} ms`];
  const why =
    outcome?.kind === "rejected" || outcome?.kind === "unknown" ? [shortReason(outcome.code, outcome.message)] : [];
  return {
    id: attemptId(attempt),
    ...style,
    description: [...why, timeOf(startedAt), hostOf(endpoint), ...took].join(" · "),
    sentence: t`Attempt ${number}, ${timeOf(startedAt)}, ${[endpoint, ...took].join(", ")}: ${describeAnswer(outcome)}`,
  };
}

interface AnswerStyle {
  readonly label: string;
  readonly icon: string;
  readonly color?: string;
}

const QUESTION = { icon: "question", color: "list.warningForeground" } as const;

type AnswerKind = RecordedOutcome["kind"] | "none" | "turned-away";

function styleOf(outcome: RecordedOutcome | undefined): AnswerKind {
  if (outcome?.kind === "unknown" && outcome.turnedAway === true) return "turned-away";
  return outcome?.kind ?? "none";
}

const ANSWER_STYLES: { readonly [K in AnswerKind]: AnswerStyle } = {
  none: { label: t`Sent, no answer known`, ...QUESTION },
  unknown: { label: t`Sent, no valid response`, ...QUESTION },
  "turned-away": { label: t`Refused before the node`, ...QUESTION },
  accepted: { label: t`Accepted`, icon: "check" },
  "already-known": { label: t`Already known`, icon: "check" },
  rejected: { label: t`Rejected`, icon: "circle-slash", color: "list.errorForeground" },
};

function describeEnd(tracked: TrackedTransaction, { timeOf, reasonOf }: TimelineContext): readonly Fact[] {
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

/** Describes the proof of absence, or the progress of the search for it. */
function describeProof({ proving, absence, state }: TrackedTransaction, timeOf: TimeOf): readonly Fact[] {
  if (absence !== undefined) {
    const { first, last, count, expiration } = absence;
    const description = t`blocks ${grouped(first.number)}–${grouped(last.number)} do not contain it`;
    const times = t`${count} solidified blocks; solidified time ${timeOf(last.timestamp)} ≥ expiry ${timeOf(expiration)}`;
    const proof = { id: "proof", label: t`Proven absent`, description, icon: "history" };
    const alarm = state.kind === "solidified" ? [ALARM] : [];
    return [{ ...proof, sentence: t`Proven absent, ${description} (${times})` }, ...alarm];
  }
  if (proving === undefined) return [];
  const description = proving.kind === "stopped" ? stopText(proving.reason) : scanText(proving);
  const style = proving.kind === "stopped" ? QUESTION : { icon: "sync~spin" };
  const message = t`Proof of absence, ${description}. It does not depend on the clock of this computer`;
  return [{ id: "proof", label: t`Proof of absence`, description, sentence: message, ...style }];
}

/** Describes an answer that the chain contradicts. */
const ALARM: Fact = {
  id: "alarm",
  label: t`Alarm`,
  description: t`proven absent, but in a block`,
  icon: "alert",
  sentence: t`It was proven absent, but a block contains it: do not trust this gateway`,
  color: "list.errorForeground",
};

const FALSE_REFUSAL: Fact = {
  id: "false-refusal",
  label: t`Alarm`,
  description: t`refused, but the chain has it`,
  icon: "alert",
  sentence: t`The gateway reported that nothing was executed, but the chain has it: do not trust this gateway`,
  color: "list.errorForeground",
};

function describeSearch(time: number, timeOf: TimeOf): Fact {
  const description = t`solidified time ${timeOf(time)} ≥ expiry`;
  const message = t`Not found after its expiration, ${description}: the report of the gateway that nothing was executed seems correct`;
  return { id: "search", label: t`Searched, not found`, description, sentence: message, icon: "search" };
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
  return { ...fact(t`Solidified`, t`seen ${seenAt}`, "verified"), color: "charts.green" };
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
