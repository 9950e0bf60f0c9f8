import type { TextRange } from "@finality/client/call-sites";
import { describeIntent } from "@finality/client/labels";
import { type BoundRow, type RunReview, type RunTotal, unitsText, type ValidatedRun } from "@finality/client/runs";
import type { NameOf } from "@finality/tron/format";
import { toBase58, visibleLine } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import type { RunActionView, RunCauseView, RunPageView, RunRowView, RunStateView } from "../../webview-messages/run.ts";

/** Problem at a range of the file. */
export interface ProblemInFile {
  readonly range: TextRange;
  readonly message: string;
  readonly isError: boolean;
}

/** Largest number of problems that a file shows. */
const MOST_PROBLEMS = 1_000;

/** Returns the problems of a run with their ranges: cells that are refused, and rows that findings concern. */
export function problemsInFile({ file, refusals, findings }: ValidatedRun): readonly ProblemInFile[] {
  const ranges = new Map<number, TextRange>(file.rows.map(({ row, range }) => [row, range]));
  const cells = refusals.map(({ range, message }) => ({ range, message, isError: true }));
  const rows = findings.flatMap(({ severity, rows: numbers, message }) => {
    const [row] = numbers;
    const range = (row === undefined ? undefined : ranges.get(row)) ?? { start: 0, end: 0 };
    return severity === "note" ? [] : [{ range, message, isError: severity === "refused" }];
  });
  return [...cells, ...rows].slice(0, MOST_PROBLEMS);
}

type StateId = "refused" | "warning" | "ready";

const STATES: { readonly [S in StateId]: Omit<RunStateView, "id" | "count"> } = {
  refused: { label: t`Refused`, icon: "error", tone: "bad" },
  warning: { label: t`Check`, icon: "warning", tone: "warning" },
  ready: { label: t`Ready`, icon: "pass", tone: "good" },
};

/** Text of the page, besides its rows. */
export function runPage(
  { run, review }: { readonly run: ValidatedRun; readonly review: RunReview },
  rows: readonly RunRowView[],
): RunPageView {
  const { title, refused, isDoubtful } = review;
  const mood = refused.length > 0 ? STATES.refused : isDoubtful ? STATES.warning : STATES.ready;
  const count = (id: StateId): number => rows.filter(({ state }) => state === id).length;
  const states = (["refused", "warning", "ready"] as const).map((id) => ({ id, ...STATES[id], count: count(id) }));
  return {
    run: null,
    title: refused.length > 0 ? title : t`Ready: ${title}`,
    icon: mood.icon,
    tone: mood.tone,
    lines: review.lines.filter((it) => !/^[✗⚠]|^$/.test(it)),
    causes: causesOf(run, review),
    progress: null,
    actions: [...(run.canStart ? [START] : []), ...REVIEW_ACTIONS],
    states: states.filter((it) => it.count > 0),
    total: rows.length,
  };
}

const START: RunActionView = { action: "start", label: t`Run File…` };
const REVIEW_ACTIONS: readonly RunActionView[] = [
  { action: "again", label: t`Review Again` },
  { action: "copy", label: t`Copy Review` },
];

/** Causes that the page lists. */
const MOST_CAUSES = 100;

/** Problems grouped by their cause: the rule for cells, and the finding for rows. */
function causesOf({ refusals, findings }: ValidatedRun, { paidAgain }: RunReview): readonly RunCauseView[] {
  const byCode = new Map<string, { text: string; row: number; count: number }>();
  for (const { code, row, message } of refusals) {
    const group = byCode.get(code) ?? { text: message, row, count: 0 };
    byCode.set(code, { ...group, count: group.count + 1 });
  }
  const cells = [...byCode.values()].map(({ text, row, count }): RunCauseView => {
    const others = count === 1 ? text : t`${text} (${count} rows have this problem)`;
    return { tone: "bad", text: others, row };
  });
  const again = paidAgain.map((text): RunCauseView => ({ tone: "warning", text, row: null }));
  const rows = findings.flatMap(({ severity, rows: numbers, message }): readonly RunCauseView[] =>
    severity === "note"
      ? []
      : [{ tone: severity === "refused" ? "bad" : "warning", text: message, row: numbers[0] ?? null }],
  );
  return [...cells, ...again, ...rows].slice(0, MOST_CAUSES);
}

/** Returns the rows of a run in the order of the file, refused ones included. */
export function runRows(run: ValidatedRun, nameOf: NameOf, symbol: string | undefined): readonly RunRowView[] {
  const details = detailsOf(run);
  const bound = new Map(run.rows.map((it) => [it.row, it]));
  const numbers = [...new Set([...bound.keys(), ...run.refusals.map(({ row }) => row)])].sort((a, b) => a - b);
  const tokens = tokensOf(run.totals);
  return numbers.map((row) => {
    const found = details.get(row);
    const known = bound.get(row);
    const state = found?.isRefused === true ? "refused" : found?.isDoubtful === true ? "warning" : "ready";
    const detail = found?.sentences.join(" ") ?? "";
    if (known === undefined) return { row, state, recipient: "", amount: "", label: "", key: "", detail };
    return { row, state, ...cellsOf(known, { tokens, nameOf, symbol }), detail };
  });
}

/** Returns the tokens of totals by their contract or number. */
export function tokensOf(totals: readonly RunTotal[]): CellContext["tokens"] {
  return new Map(totals.map(({ token }) => [typeof token === "object" ? token.address : token, token]));
}

/** Names and tokens that the cells of a row show. */
export interface CellContext {
  readonly tokens: ReadonlyMap<string | undefined, RunTotal["token"]>;
  readonly nameOf: NameOf;
  readonly symbol: string | undefined;
}

/** Returns the cells of a row about its payment. */
export function cellsOf(
  { recipient, token, units, label = "", key, intent }: BoundRow,
  { tokens, nameOf, symbol }: CellContext,
) {
  const id = token.kind === "coin" ? undefined : token.kind === "trc10" ? token.id : token.contract;
  const shownId = token.kind === "trc20" ? toBase58(token.contract) : id;
  const name = recipient === undefined ? undefined : nameOf(recipient);
  const address = recipient === undefined ? describeIntent(intent) : toBase58(recipient);
  return {
    recipient: name === undefined ? address : `${visibleLine(name, 30)} ${address}`,
    amount: unitsText(id === undefined ? undefined : (tokens.get(id) ?? shownId), units, symbol),
    label: visibleLine(label, 60),
    key: /^[0-9a-f]{64}:/.test(key) ? t`of the file and the row` : key,
  };
}

interface RowDetail {
  isRefused: boolean;
  isDoubtful: boolean;
  readonly sentences: string[];
}

function detailsOf({ refusals, findings, paidAgain }: ValidatedRun): ReadonlyMap<number, RowDetail> {
  const details = new Map<number, RowDetail>();
  const detailOf = (row: number): RowDetail => {
    const known = details.get(row) ?? { isRefused: false, isDoubtful: false, sentences: [] };
    details.set(row, known);
    return known;
  };
  for (const { row, message } of refusals) {
    detailOf(row).isRefused = true;
    detailOf(row).sentences.push(message);
  }
  for (const { severity, rows, message } of findings)
    for (const row of rows) {
      const detail = detailOf(row);
      if (severity === "refused") detail.isRefused = true;
      if (severity === "warning") detail.isDoubtful = true;
      detail.sentences.push(message);
    }
  for (const { rows } of paidAgain) for (const row of rows) detailOf(row).isDoubtful = true;
  return details;
}
