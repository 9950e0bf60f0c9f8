import { t } from "@vscode/l10n";
import "@vscode/codicons/dist/codicon.css";
import type {
  EventContractView,
  EventRowView,
  EventsFormat,
  EventsPageView,
  EventWatchView,
  FromEventsPage,
  ToEventsPage,
} from "../../src/webview-messages/events.ts";
import type { TimelineRow } from "../../src/webview-messages/timeline.ts";
import { element, grouped, icon, redraw } from "../shared/dom.ts";
import { Grid, type GridColumn } from "../shared/grid.ts";
import { joinHost } from "../shared/host.ts";
import "../shared/page.css";
import { byKind, count, flag, listOf, object, oneOf, orNull, text } from "../shared/read.ts";
import { rowList } from "../shared/rows.ts";
import "./events.css";

const watchView = object<EventWatchView>({
  id: text,
  title: text,
  status: text,
  icon: text,
  tone: oneOf("good", "bad", "warning", "moving", "neutral"),
  action: orNull(oneOf("stop", "resume")),
});
const pageView = object<EventsPageView>({
  title: text,
  watches: listOf(watchView),
  contracts: listOf(object<EventContractView>({ id: text, label: text })),
});
const rowView = object<EventRowView>({
  id: count,
  at: count,
  block: text,
  time: text,
  event: text,
  summary: text,
  contract: text,
  txId: text,
  removed: flag,
  details: listOf(object<TimelineRow>({ name: text, value: text, exact: flag })),
});

/** Filter of the list, which the page remembers for the next window. Empty texts match everything. */
interface EventFilterState {
  readonly contract: string;
  readonly event: string;
  readonly search: string;
}

const NO_FILTER: EventFilterState = { contract: "", event: "", search: "" };

/** Parses a message from the panel. @throws {TypeError} it does not fit */
const readMessage = byKind<ToEventsPage>({
  show: object({ page: pageView, contract: orNull(text), total: count }),
  rows: object({ page: pageView, rows: listOf(rowView) }),
});

const page = document.getElementById("page");
const news = document.getElementById("news");
const host = joinHost<ToEventsPage, FromEventsPage, EventFilterState>(
  { message: readMessage, state: object<EventFilterState>({ contract: text, event: text, search: text }) },
  received,
);

let view: EventsPageView = { title: "", watches: [], contracts: [] };
let filter = host.remembered() ?? NO_FILTER;
let expected = 0;
let listed: readonly EventRowView[] = [];
const rows = new Map<number, EventRowView>();

const COLUMNS: readonly GridColumn<EventRowView>[] = [
  { name: "block", title: t`Block`, text: ({ block }) => block },
  { name: "time", title: t`Time`, text: ({ time }) => time },
  { name: "event", title: t`Event`, text: ({ event }) => event },
  { name: "arguments", title: t`Arguments`, text: ({ summary }) => summary },
  { name: "contract", title: t`Contract`, text: contractLabel },
  { name: "tx", title: t`Transaction`, text: ({ txId }) => txId, draw: transactionLink },
];
const open = ({ id }: EventRowView): void => host.send({ kind: "open", row: id });
const grid = new Grid<EventRowView>({
  label: t`Events`,
  columns: COLUMNS,
  idOf: ({ id }) => id,
  open,
  selected: drawDetails,
});
const summary = element("section", { class: "summary", "aria-label": t`Watches` });
const contracts = element("select", { "aria-label": t`Contract` });
const events = element("select", { "aria-label": t`Event` });
const field = element("input", { type: "search", placeholder: t`Search events`, "aria-label": t`Search events` });
const shownRows = element("p", { class: "count", role: "status" });
const details = element("section", { class: "details", "aria-label": t`Selected event`, tabindex: "0" });
field.value = filter.search;
contracts.addEventListener("change", () => applyFilter({ contract: contracts.value }));
events.addEventListener("change", () => applyFilter({ event: events.value }));
field.addEventListener("input", () => applyFilter({ search: field.value }));

function received(message: ToEventsPage): void {
  switch (message.kind) {
    case "show":
      rows.clear();
      expected = message.total;
      if (message.contract !== null) {
        filter = { ...NO_FILTER, contract: message.contract };
        field.value = "";
        host.remember(filter);
      }
      page?.replaceChildren(summary, drawBar(), shownRows, grid.root, details);
      draw(message.page, true);
      return;
    case "rows":
      for (const row of message.rows) rows.set(row.id, row);
      draw(message.page, message.rows.length > 0);
  }
}

/** Draws the list only if rows changed: a redrawn row loses the click that is going on. */
function draw(next: EventsPageView, hasNewRows: boolean): void {
  view = next;
  redraw(summary, drawSummary(next));
  if (rows.size < expected) return;
  if (hasNewRows) drawRows();
  const message = next.watches.map(({ title, status }) => `${title}: ${status}`).join(". ");
  if (news !== null && news.textContent !== message) news.textContent = message;
}

function drawSummary({ title, watches }: EventsPageView): readonly Node[] {
  const add = element("button", { type: "button", "data-key": "watch" }, icon("add"), t`Watch Events…`);
  add.addEventListener("click", () => host.send({ kind: "watch" }));
  const heading = element("h1", {}, icon("broadcast"), title);
  const list = watches.map((it) =>
    element(
      "li",
      { "data-tone": it.tone },
      icon(it.icon),
      element("span", { class: "title" }, it.title),
      element("span", { class: "status" }, it.status),
      watchButton(it),
    ),
  );
  const empty = element("p", {}, t`No events are watched.`);
  return [element("div", { class: "heading" }, heading, add), list.length === 0 ? empty : element("ul", {}, ...list)];
}

function watchButton({ id, title, action }: EventWatchView): HTMLElement | undefined {
  if (action === null) return undefined;
  const label = action === "stop" ? t`Stop` : t`Resume`;
  const named = { "aria-label": `${label}: ${title}`, title: label, "data-key": `watch-${id}` };
  const made = element(
    "button",
    { type: "button", ...named },
    icon(action === "stop" ? "debug-pause" : "debug-continue"),
    label,
  );
  made.addEventListener("click", () => host.send({ kind: "act", action, watch: id }));
  return made;
}

function drawBar(): HTMLElement {
  const buttons = [exportButton("csv", t`Export CSV…`), exportButton("jsonl", t`Export JSON Lines…`)];
  return element("div", { class: "bar", role: "group", "aria-label": t`Filter` }, contracts, events, field, ...buttons);
}

function exportButton(format: EventsFormat, label: string): HTMLElement {
  const made = element("button", { type: "button", "data-key": `export-${format}` }, icon("export"), label);
  made.addEventListener("click", () => host.send({ kind: "export", format, rows: listed.map(({ id }) => id) }));
  return made;
}

function applyFilter(change: Partial<EventFilterState>): void {
  filter = { ...filter, ...change };
  host.remember(filter);
  drawRows();
}

function drawRows(): void {
  const all = [...rows.values()];
  const ofContract = filter.contract === "" ? all : all.filter(({ contract }) => contract === filter.contract);
  const names = [...new Set(ofContract.map(({ event }) => event))].sort();
  options(contracts, t`All contracts`, view.contracts, filter.contract);
  options(
    events,
    t`All events`,
    names.map((it) => ({ id: it, label: it })),
    filter.event,
  );
  const search = filter.search.trim().toLowerCase();
  const found = ofContract.filter(
    (it) => (filter.event === "" || it.event === filter.event) && (search === "" || searched(it).includes(search)),
  );
  listed = found.sort((left, right) => right.at - left.at || right.id - left.id);
  shownRows.textContent = t`${grouped(listed.length)} of ${grouped(rows.size)} events`;
  grid.show(listed);
}

/** Lists the choices of a filter. One that no row has stays as long as it is chosen. */
function options(select: HTMLSelectElement, all: string, choices: readonly EventContractView[], chosen: string): void {
  const known =
    chosen === "" || choices.some(({ id }) => id === chosen) ? choices : [...choices, { id: chosen, label: chosen }];
  const texts = [{ id: "", label: all }, ...known];
  const isSame =
    texts.length === select.options.length && texts.every(({ id }, at) => select.options[at]?.value === id);
  if (!isSame) select.replaceChildren(...texts.map(({ id, label }) => element("option", { value: id }, label)));
  select.value = chosen;
}

function searched({ block, event, summary: line, txId, details: fields }: EventRowView): string {
  return [block, event, line, txId, ...fields.map(({ name, value }) => `${name}: ${value}`)].join("\n").toLowerCase();
}

function contractLabel({ contract }: EventRowView): string {
  return view.contracts.find(({ id }) => id === contract)?.label ?? contract;
}

function transactionLink(row: EventRowView): HTMLElement {
  const made = element("button", { type: "button", class: "link", tabindex: "-1" }, row.txId);
  made.addEventListener("click", () => open(row));
  return made;
}

function drawDetails(row: EventRowView | undefined): void {
  if (row === undefined) {
    details.replaceChildren(element("p", {}, t`No event matches.`));
    return;
  }
  const sign = row.removed ? icon("discard") : icon("symbol-event");
  const heading = element("h2", { "data-tone": row.removed ? "warning" : "neutral" }, sign, row.event);
  redraw(details, [heading, rowList("event", row.details, (it) => host.send({ kind: "copy", text: it }))]);
}

host.send({ kind: "ready" });
