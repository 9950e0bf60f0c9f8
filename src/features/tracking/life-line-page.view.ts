import type { ReasonOf } from "@finality/client/explain";
import { type Attempt, failureOf, isSending, type TrackedTransaction } from "@finality/client/tracking";
import { toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import { describeAnswer, transactionLabel } from "../../labels/transactions.ts";
import type { LifeLine, LifeLineRow, LifeLineStep, Tone } from "../../webview-messages/life-line.ts";
import { adviceFor } from "./advice.view.ts";
import { attemptId, describeLife, type Fact } from "./life-line.view.ts";
import { describeButtons } from "./life-line-buttons.view.ts";
import { describeAbsence } from "./life-line-proof.view.ts";
import { describeStages } from "./life-line-stages.view.ts";
import { describeState } from "./state.view.ts";
import { networkText, type ViewContext } from "./tracked-transaction.view.ts";

/** What the page knows beside the journal. */
export interface LifeLineContext extends ViewContext {
  readonly production: boolean;
  /** Further nodes that the network names. */
  readonly fallbackUrls: readonly string[];
}

/** The life of a transaction as its page shows it. Pure: the same facts give the same page. */
export function describeLifeLine(tracked: TrackedTransaction, context: LifeLineContext): LifeLine {
  const { timeOf, nameOf, sessionStart, production, fallbackUrls } = context;
  const { icon, color, spoken } = describeState(tracked, context);
  const advice = isSending(tracked, sessionStart) ? undefined : adviceFor(tracked);
  return {
    txId: tracked.txId,
    title: transactionLabel(tracked, nameOf),
    network: networkText(tracked, context),
    production,
    state: { text: spoken, icon, tone: toneOf(color) },
    advice: advice ?? null,
    stages: describeStages(tracked, sessionStart),
    steps: describeLife(tracked, context).map((fact) => stepOf(fact, tracked, context)),
    proof: describeAbsence(tracked, timeOf),
    buttons: describeButtons(tracked, fallbackUrls),
    rows: identity(tracked, context),
  };
}

const TONES: { readonly [color: string]: Tone } = {
  "testing.iconPassed": "good",
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

function stepOf(fact: Fact, tracked: TrackedTransaction, context: ViewContext): LifeLineStep {
  const { id, icon, color, label, description, txId } = fact;
  const rows = rowsOf(id, tracked, context).filter(({ value }) => value !== "");
  return { id, icon, tone: toneOf(color), label, description, rows, txId: txId ?? null };
}

/** What is worth knowing beyond the line itself. */
function rowsOf(id: string, tracked: TrackedTransaction, { timeOf, reasonOf }: ViewContext): readonly LifeLineRow[] {
  const { state } = tracked;
  const attempt = tracked.attempts.find((it) => attemptId(it) === id);
  if (attempt !== undefined) return attemptRows(attempt, timeOf);
  if (id === "block" && "block" in state) {
    const place = [row(t`Block ID`, state.block.id ?? "", true), row(t`Chain time`, timeOf(state.block.timestamp))];
    return state.kind === "included" ? [...place, ...failureRows(tracked, reasonOf)] : place;
  }
  return id === "end" ? failureRows(tracked, reasonOf) : [];
}
function failureRows(tracked: TrackedTransaction, reasonOf: ReasonOf): readonly LifeLineRow[] {
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

/** What it is, whatever becomes of it. */
function identity(tracked: TrackedTransaction, context: LifeLineContext): readonly LifeLineRow[] {
  const { nameOf, timeOf } = context;
  const { txId, signed } = tracked;
  const head = [row("txID", txId, true), row(t`Network`, networkText(tracked, context))];
  if (signed === undefined) return head;
  const { intent, expiration } = signed;
  const owner = nameOf(intent.owner);
  const to = intent.kind === "transfer" ? intent.to : undefined;
  const toName = to === undefined ? undefined : nameOf(to);
  return [
    ...head,
    row(owner === undefined ? t`From` : t`From ${owner}`, toBase58(intent.owner), true),
    ...(to === undefined ? [] : [row(toName === undefined ? t`To` : t`To ${toName}`, toBase58(to), true)]),
    row(t`Expires`, t`${timeOf(expiration)} by the clock of the chain`),
  ];
}

function row(name: string, value: string, exact = false): LifeLineRow {
  return { name, value, exact };
}
