import { t } from "@vscode/l10n";
import "@vscode/codicons/dist/codicon.css";
import type {
  FromRunPage,
  RunCauseView,
  RunPageView,
  RunRowView,
  RunStateView,
  ToRunPage,
} from "../../src/webview-messages/run.ts";
import { element, icon, redraw } from "../shared/dom.ts";
import { joinHost } from "../shared/host.ts";
import "../shared/page.css";
import { byKind, count, listOf, object, oneOf, orNull, type Read, text } from "../shared/read.ts";
import { createGrid } from "./grid.ts";
import "./run.css";

const tone = oneOf("good", "bad", "warning", "moving", "neutral");
const stateView = object<RunStateView>({ id: text, label: text, icon: text, tone, count });
const cause = object<RunCauseView>({ tone, text, row: orNull(count) });
const pageView = object<RunPageView>({
  title: text,
  icon: text,
  tone,
  lines: listOf(text),
  causes: listOf(cause),
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

/** The page stores nothing: its panel sends everything again. */
const noState: Read<never> = () => {
  throw new TypeError();
};

/** Parses a message from the panel. @throws {TypeError} it does not fit */
const readMessage = byKind<ToRunPage>({
  show: object({ page: pageView }),
  rows: object({ from: count, rows: listOf(rowView) }),
});

const page = document.getElementById("page");
const news = document.getElementById("news");
const host = joinHost<ToRunPage, FromRunPage, never>({ message: readMessage, state: noState }, received);

let view: RunPageView | undefined;
let rows: RunRowView[] = [];
/** States whose rows are shown; empty for all. */
const chosen = new Set<string>();
let search = "";

const grid = createGrid((row) => host.send({ kind: "open", row }));
const summary = element("section", { class: "summary", "aria-label": t`Review` });
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
      chosen.clear();
      page?.replaceChildren(summary, element("div", { class: "bar" }, filters, field), shownRows, grid.root);
      redraw(summary, drawSummary(view));
      drawRows();
      say(view.title);
      return;
    case "rows":
      if (message.from !== rows.length) return;
      rows.push(...message.rows);
      if (rows.length === view?.total) drawRows();
  }
}

function drawSummary({ title, icon: sign, tone: mood, lines, causes }: RunPageView): readonly Node[] {
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
  const buttons = element("p", { class: "buttons" }, button(t`Review Again`, "again"), button(t`Copy Review`, "copy"));
  return [heading, problems, list, buttons].filter((it) => it !== undefined);
}

function openButton({ row }: RunCauseView): HTMLElement | undefined {
  if (row === null) return undefined;
  const made = element("button", { type: "button", class: "link", "data-key": `open-${row}` }, t`Show row ${row}`);
  made.addEventListener("click", () => host.send({ kind: "open", row }));
  return made;
}

function button(label: string, kind: "again" | "copy"): HTMLElement {
  const made = element("button", { type: "button", "data-key": kind }, label);
  made.addEventListener("click", () => {
    host.send({ kind });
    if (kind === "copy") say(t`Copied`);
  });
  return made;
}

function drawFilters(states: readonly RunStateView[]): readonly Node[] {
  return states.map(({ id, label, icon: sign, tone: mood, count: number }) => {
    const isOn = chosen.has(id);
    const made = element(
      "button",
      { type: "button", "aria-pressed": String(isOn), "data-key": `state-${id}`, "data-tone": mood },
      icon(sign),
      `${label} ${number}`,
    );
    made.addEventListener("click", () => {
      if (isOn) chosen.delete(id);
      else chosen.add(id);
      drawRows();
    });
    return made;
  });
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
  shownRows.textContent = t`${found.length} of ${rows.length} rows`;
  grid.show(found, new Map(view.states.map((it) => [it.id, it])));
}

/** Announces news to a screen reader, once. */
function say(message: string): void {
  if (news !== null && news.textContent !== message) news.textContent = message;
}

host.send({ kind: "ready" });
