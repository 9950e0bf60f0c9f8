import { partyText } from "@finality/client/labels";
import {
  boundRow,
  failedRows,
  finalRows,
  type RowCounts,
  type RowProgress,
  type RowState,
  type RunTotal,
  rowStates,
  type StoredRun,
  unitsText,
} from "@finality/client/runs";
import { counted, grouped, localTime, type NameOf, timeLeft } from "@finality/tron/format";
import { visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type {
  RunActionView,
  RunCauseView,
  RunPageView,
  RunProgressView,
  RunRowView,
  RunStateView,
} from "../../webview-messages/run.ts";
import { cellsOf, tokensOf } from "./run-page.view.ts";

/** Work on a run: whether a window executes it, and whether it is this one. */
interface RunWork {
  readonly isExecuted: boolean;
  readonly isHere: boolean;
}

/** Facts about a stored run. */
export interface StoredRunFacts {
  readonly run: StoredRun;
  readonly work: RunWork;
  readonly counts: RowCounts;
  /** Number of rows that are not final. */
  readonly open: number;
  /** Rows per second since the page was opened; undefined if not known yet. */
  readonly rate: number | undefined;
  /** Current name of the network. */
  readonly network: string;
  readonly message: string | undefined;
  readonly totals: readonly RunTotal[];
  readonly symbol: string | undefined;
  readonly nameOf: NameOf;
}

const STATES: { readonly [S in RowState]: Omit<RunStateView, "id" | "count"> } = {
  waiting: { label: t`Waiting`, icon: "circle-outline", tone: "neutral" },
  signed: { label: t`Signed`, icon: "edit", tone: "moving" },
  unknown: { label: t`Unknown`, icon: "question", tone: "warning" },
  pending: { label: t`In the pool`, icon: "sync", tone: "moving" },
  included: { label: t`In a block`, icon: "sync", tone: "moving" },
  succeeded: { label: t`Final`, icon: "pass", tone: "good" },
  failed: { label: t`Failed`, icon: "error", tone: "bad" },
  rejected: { label: t`Rejected`, icon: "error", tone: "bad" },
  "proven-absent": { label: t`Proven absent`, icon: "circle-slash", tone: "bad" },
  replaced: { label: t`Replaced`, icon: "replace", tone: "neutral" },
};

/** Returns everything of the page besides its rows. */
export function storedRunPage(facts: StoredRunFacts, causes: readonly RunCauseView[]): RunPageView {
  const { run, counts } = facts;
  const states = rowStates.map((id) => ({ id, ...STATES[id], count: counts[id] }));
  return {
    run: run.id,
    ...headline(facts),
    lines: linesOf(facts),
    causes,
    progress: progressOf(facts),
    actions: actionsOf(facts),
    states: states.filter(({ count }) => count > 0),
    total: run.rows,
  };
}

function headline(facts: StoredRunFacts): Pick<RunPageView, "title" | "icon" | "tone"> {
  const { run, counts, open } = facts;
  const name = visibleLine(run.title, 60);
  const bad = failedRows(counts);
  if (open === 0) {
    return bad === 0
      ? { title: t`Finished: ${name}`, icon: "pass", tone: "good" }
      : { title: t`Finished with ${counted(bad, t`failed row`, t`failed rows`)}: ${name}`, icon: "error", tone: "bad" };
  }
  if (!facts.work.isExecuted) {
    const title = counts.waiting + counts.signed + counts.unknown > 0 ? t`Not running: ${name}` : t`Tracked: ${name}`;
    return { title, icon: "circle-outline", tone: "neutral" };
  }
  if (run.control === "paused") return { title: t`Paused: ${name}`, icon: "debug-pause", tone: "warning" };
  if (run.control === "stopping") return { title: t`Stopping: ${name}`, icon: "debug-stop", tone: "warning" };
  const title = facts.work.isHere ? t`Running: ${name}` : t`Running in another window: ${name}`;
  return { title, icon: "sync", tone: "moving" };
}

function linesOf({ run, network, message, totals, symbol, nameOf }: StoredRunFacts): readonly string[] {
  const name = nameOf(run.owner);
  return [
    ...(message === undefined ? [] : [visibleLine(message, 300)]),
    t`Network: ${visibleLine(network)}`,
    t`From: ${partyText({ address: run.owner, ...(name === undefined ? {} : { name }) })}`,
    ...totals.map(
      ({ token, units, rows }) => t`Total: ${unitsText(token, units, symbol)} in ${counted(rows, t`row`, t`rows`)}`,
    ),
    t`Run ${run.id}, started ${localTime(run.createdAt)}`,
  ];
}

function progressOf({ counts, run, rate, work, open }: StoredRunFacts): RunProgressView {
  const done = finalRows(counts);
  const total = run.rows;
  const rows = t`${grouped(done)} of ${grouped(total)} rows are final`;
  if (rate === undefined || rate <= 0 || !work.isExecuted || open === 0) return { done, total, text: rows };
  const speed = rate.toFixed(rate < 10 ? 1 : 0);
  return { done, total, text: t`${rows}, ${speed} rows/s, ${timeLeft(((total - done) / rate) * 1_000)} left` };
}

const BUTTONS = {
  pause: t`Pause`,
  resume: t`Resume`,
  stop: t`Stop`,
  retry: t`Retry Failed Rows`,
  "export-csv": t`Export CSV…`,
  "export-json": t`Export JSON…`,
} as const;

function actionsOf({ run, counts, open, work }: StoredRunFacts): readonly RunActionView[] {
  const button = (action: keyof typeof BUTTONS): RunActionView => ({ action, label: BUTTONS[action] });
  const isRunning = work.isExecuted && run.control === "running";
  return [
    ...(open > 0 && isRunning ? [button("pause")] : []),
    ...(open > 0 && !isRunning ? [button("resume")] : []),
    ...(open > 0 && work.isExecuted && run.control !== "stopping" ? [button("stop")] : []),
    ...(failedRows(counts) > 0 ? [button("retry")] : []),
    ...[button("export-csv"), button("export-json")],
  ];
}

/** Returns a row of the page. */
export function storedRow(
  progress: RowProgress,
  { totals, nameOf, symbol }: Pick<StoredRunFacts, "totals" | "nameOf" | "symbol">,
): RunRowView {
  const bound = boundRow(progress);
  const reason = reasonOf(progress);
  const number = progress.attempts.length;
  const detail = [
    ...(reason === undefined ? [] : [reason]),
    ...(number > 1 ? [t`attempt ${number}`] : []),
    ...(progress.last === undefined ? [] : [progress.last.txId]),
  ].join(" · ");
  const cells = cellsOf(bound, { tokens: tokensOf(totals), nameOf, symbol });
  return { row: progress.row, state: progress.state, ...cells, detail };
}

/** Returns why a row is not executed; undefined if there is no reason. */
function reasonOf({ state, last }: RowProgress): string | undefined {
  if (state === "proven-absent") return t`It expired, and no block has it.`;
  const tracked = last?.state;
  if (tracked === undefined || state === "waiting") return undefined;
  switch (tracked.kind) {
    case "rejected":
      return joined(tracked.code, tracked.message);
    case "unknown":
      return visibleLine(tracked.reason, 200);
    case "solidified":
      return tracked.outcome.kind === "failed" ? joined(tracked.outcome.result, tracked.outcome.message) : undefined;
    default:
      return undefined;
  }
}

function joined(code: string, message: string | undefined): string {
  return visibleLine([code, message].filter((it) => it !== undefined && it !== "").join(": "), 200);
}

/** States of rows that are listed by their cause. */
const BAD: ReadonlySet<RowState> = new Set(["failed", "rejected", "proven-absent", "unknown"]);
/** Causes that the page lists. */
const MOST_CAUSES = 20;

/** Returns the failed and unknown rows, grouped by state and reason, the largest group first. */
export function storedCauses(rows: Iterable<RowProgress>): readonly RunCauseView[] {
  const groups = new Map<string, { state: RowState; reason: string; row: number; count: number }>();
  for (const progress of rows) {
    const { state, row } = progress;
    if (!BAD.has(state)) continue;
    const reason = reasonOf(progress) ?? "";
    const key = `${state} ${reason}`;
    const group = groups.get(key) ?? { state, reason, row, count: 0 };
    groups.set(key, { ...group, count: group.count + 1 });
  }
  const ordered = [...groups.values()].sort((a, b) => b.count - a.count).slice(0, MOST_CAUSES);
  return ordered.map(({ state, reason, row, count }): RunCauseView => {
    const of = t`${STATES[state].label}: ${counted(count, t`row`, t`rows`)}`;
    return { tone: state === "unknown" ? "warning" : "bad", text: reason === "" ? of : `${of}. ${reason}`, row };
  });
}

/** Returns the review before the rest of a stored run is signed. */
export function resumeReview(
  run: StoredRun,
  rest: readonly RowProgress[],
  { totals, nameOf, symbol, network }: Pick<StoredRunFacts, "totals" | "nameOf" | "symbol" | "network">,
): { readonly title: string; readonly detail: string } {
  const name = nameOf(run.owner);
  const waiting = rest.filter(({ state }) => state === "waiting").length;
  const lines = [
    t`Network: ${visibleLine(network)}`,
    t`From: ${partyText({ address: run.owner, ...(name === undefined ? {} : { name }) })}`,
    ...totals.map(
      ({ token, units, rows }) => t`Left: ${unitsText(token, units, symbol)} in ${counted(rows, t`row`, t`rows`)}`,
    ),
    t`Not signed yet: ${counted(waiting, t`row`, t`rows`)}. Signed rows are sent as the same bytes, and can execute only once.`,
    t`Your consent covers these rows, as long as this window is open.`,
  ];
  return { title: t`Go on with ${visibleLine(run.title, 60)}?`, detail: lines.join("\n") };
}
