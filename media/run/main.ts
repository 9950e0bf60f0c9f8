import { t } from "@vscode/l10n";
import "@vscode/codicons/dist/codicon.css";
import type {
  FromRunPage,
  RunActionView,
  RunCauseView,
  RunPageView,
  RunProgressView,
  RunRowView,
  RunStateView,
  ToRunPage,
} from "../../src/webview-messages/run.ts";
import { element, grouped, icon, redraw } from "../shared/dom.ts";
import { Grid, type GridColumn } from "../shared/grid.ts";
import { joinHost } from "../shared/host.ts";
import "../shared/page.css";
import { byKind, count, listOf, object, oneOf, orNull, type Read, text } from "../shared/read.ts";
import "./run.css";

const tone = oneOf("good", "bad", "warning", "moving", "neutral");
const stateView = object<RunStateView>({ id: text, label: text, icon: text, tone, count });
const cause = object<RunCauseView>({ tone, text, row: orNull(count) });
const action = object<RunActionView>({
  action: oneOf("start", "again", "copy", "pause", "resume", "stop", "retry", "export-csv", "export-json"),
  label: text,
});
const progress = object<RunProgressView>({ done: count, total: count, text });
const pageView = object<RunPageView>({
  run: orNull(text),
  title: text,
  icon: text,
  tone,
  lines: listOf(text),
  causes: listOf(cause),
  progress: orNull(progress),
  actions: listOf(action),
  states: listOf(stateView),
  total: count,
});
const rowView = object<RunRowView>({
  row: count,
  state: text,
  recipient: text,
  amount: text,
  label: text,
  key: text,
  detail: text,
});

/** State for the next window: the run that the page shows. Its panel sends everything else again. */
interface PageState {
  readonly run: string;
}

const readState: Read<PageState> = object({ run: text });

/** Parses a message from the panel. @throws {TypeError} it does not fit */
const readMessage = byKind<ToRunPage>({
  show: object({ page: pageView }),
  rows: object({ from: count, rows: listOf(rowView) }),
  change: object({ page: pageView, rows: listOf(rowView) }),
});

const page = document.getElementById("page");
const news = document.getElementById("news");
const host = joinHost<ToRunPage, FromRunPage, PageState>({ message: readMessage, state: readState }, received);

let view: RunPageView | undefined;
let rows: RunRowView[] = [];
/** Positions of the rows in the list, by their numbers. */
const positions = new Map<number, number>();
/** States whose rows are shown, by their ids; empty for all. */
const chosen = new Map<string, RunStateView>();
let search = "";

const COLUMNS: readonly GridColumn<RunRowView>[] = [
  { name: "row", title: t`Row`, text: ({ row }) => String(row) },
  { name: "state", title: t`State`, text: (it) => stateOf(it)?.label ?? "", draw: drawState },
  { name: "recipient", title: t`Recipient`, text: ({ recipient }) => recipient },
  { name: "amount", title: t`Amount`, text: ({ amount }) => amount },
  { name: "label", title: t`Label`, text: ({ label }) => label },
  { name: "key", title: t`Key`, text: ({ key }) => key },
  { name: "detail", title: t`Details`, text: ({ detail }) => detail },
];
const grid = new Grid<RunRowView>({
  label: t`Rows of the run`,
  columns: COLUMNS,
  idOf: ({ row }) => row,
  open: ({ row }) => host.send({ kind: "open", row }),
});
const summary = element("section", { class: "summary", "aria-label": t`Summary` });
const filters = element("div", { class: "filters", role: "group", "aria-label": t`States` });
const field = element("input", { type: "search", placeholder: t`Search rows`, "aria-label": t`Search rows` });
const shownRows = element("p", { class: "count" });
field.addEventListener("input", () => {
  search = field.value.trim().toLowerCase();
  drawRows();
});

function received(message: ToRunPage): void {
  switch (message.kind) {
    case "show":
      view = message.page;
      rows = [];
      positions.clear();
      if (view.run !== null) host.remember({ run: view.run });
      // The panel may send everything twice, and an element that is put in place again loses the focus.
      if (!summary.isConnected)
        page?.replaceChildren(summary, element("div", { class: "bar" }, filters, field), shownRows, grid.root);
      redraw(summary, drawSummary(view));
      drawRows();
      say(view.title);
      return;
    case "rows":
      if (message.from !== rows.length) return;
      for (const row of message.rows) positions.set(row.row, rows.push(row) - 1);
      if (rows.length === view?.total) drawRows();
      return;
    case "change":
      change(message.page, message.rows);
  }
}

/** Shows what changed. The focus, the selected row and the filter stay. */
function change(next: RunPageView, changed: readonly RunRowView[]): void {
  view = next;
  for (const row of changed) {
    const at = positions.get(row.row);
    if (at !== undefined) rows[at] = row;
  }
  const hadFocus = document.hasFocus() && summary.contains(document.activeElement);
  redraw(summary, drawSummary(next));
  // The button that had the focus may be gone.
  if (hadFocus && !summary.contains(document.activeElement)) grid.root.focus();
  drawRows();
  say(next.title);
}

function drawSummary(page: RunPageView): readonly Node[] {
  const { title, icon: sign, tone: mood, lines, causes, actions } = page;
  const heading = element("h1", { "data-tone": mood }, icon(sign), title);
  const list =
    lines.length === 0 ? undefined : element("ul", { class: "lines" }, ...lines.map((it) => element("li", {}, it)));
  const groups = causes.map((it) =>
    element(
      "li",
      { "data-tone": it.tone },
      icon(it.tone === "bad" ? "error" : "warning"),
      element("span", {}, it.text),
      openButton(it),
    ),
  );
  const problems =
    groups.length === 0 ? undefined : element("ul", { class: "causes", "aria-label": t`Problems` }, ...groups);
  const buttons = element("p", { class: "buttons" }, ...actions.map(button));
  return [heading, drawProgress(page), buttons, problems, list].filter((it) => it !== undefined);
}

function drawProgress({ progress: position }: RunPageView): HTMLElement | undefined {
  if (position === null) return undefined;
  const { done, total, text: label } = position;
  const bar = element("progress", { max: String(total), value: String(done), "aria-label": t`Progress of the run` });
  return element("p", { class: "progress" }, bar, label);
}

function openButton({ row }: RunCauseView): HTMLElement | undefined {
  if (row === null) return undefined;
  const made = element("button", { type: "button", class: "link", "data-key": `open-${row}` }, t`Show row ${row}`);
  made.addEventListener("click", () => host.send({ kind: "open", row }));
  return made;
}

function button({ action: name, label }: RunActionView): HTMLElement {
  // Each of the two takes the place of the other, with the focus.
  const key = name === "resume" ? "pause" : name;
  const made = element("button", { type: "button", "data-key": key }, label);
  made.addEventListener("click", () => {
    host.send({ kind: "act", action: name });
    if (name === "copy") say(t`Copied`);
  });
  return made;
}

function drawFilters(states: readonly RunStateView[]): readonly Node[] {
  // A chosen state stays when no row has it any more, so that it can be given up.
  const gone = [...chosen.values()].filter(({ id }) => states.every((it) => it.id !== id));
  return [...states, ...gone.map((it) => ({ ...it, count: 0 }))].map((state) => {
    const { id, label, icon: sign, tone: mood, count: number } = state;
    const isOn = chosen.has(id);
    const made = element(
      "button",
      { type: "button", "aria-pressed": String(isOn), "data-key": `state-${id}`, "data-tone": mood },
      icon(sign),
      `${label} ${grouped(number)}`,
    );
    made.addEventListener("click", () => {
      if (isOn) chosen.delete(id);
      else chosen.set(id, state);
      drawRows();
    });
    return made;
  });
}

function stateOf({ state }: RunRowView): RunStateView | undefined {
  return view?.states.find(({ id }) => id === state);
}

function drawState(row: RunRowView): HTMLElement {
  const { label = "", icon: sign = "circle", tone: mood = "neutral" } = stateOf(row) ?? {};
  return element("span", { "data-tone": mood }, icon(sign), label);
}

function drawRows(): void {
  if (view === undefined) return;
  const found = rows.filter(
    (it) =>
      (chosen.size === 0 || chosen.has(it.state)) &&
      (search === "" ||
        `${it.row} ${it.recipient} ${it.amount} ${it.label} ${it.key} ${it.detail}`.toLowerCase().includes(search)),
  );
  redraw(filters, drawFilters(view.states));
  shownRows.textContent = t`${grouped(found.length)} of ${grouped(rows.length)} rows`;
  grid.show(found);
}

/** Announces news to a screen reader, once. */
function say(message: string): void {
  if (news !== null && news.textContent !== message) news.textContent = message;
}

host.send({ kind: "ready" });
