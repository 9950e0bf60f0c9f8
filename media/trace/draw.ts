import { t } from "@vscode/l10n";
import type { SectionTable, TableCell } from "../../src/webview-messages/timeline.ts";
import type {
  FlameBy,
  FromTracePage,
  TraceAction,
  TraceDetails,
  TraceFailure,
  TraceFilter,
  TraceHead,
} from "../../src/webview-messages/trace.ts";
import { element, icon } from "../shared/dom.ts";
import { copyButton, rowList } from "../shared/rows.ts";

/** Actions that the user can request. */
export interface Handlers {
  send(message: FromTracePage): void;
  copy(value: string): void;
}

/** Draws the replacement content when there is no trace. */
export function drawGone(message: string): readonly Node[] {
  return [element("section", { class: "card gone" }, icon("debug-alt"), element("h1", {}, message))];
}

/** Draws the run: its call, outcome, failure and energy. */
export function drawHead(head: TraceHead, pinned: boolean, handlers: Handlers): readonly Node[] {
  const { title, network, state, notes, failure, rows, txId } = head;
  return [
    element(
      "header",
      { class: "head", "data-tone": state.tone },
      element("p", { class: "place" }, network),
      element("h1", {}, title),
      element("p", { class: "state" }, icon(state.icon), element("strong", {}, state.text)),
      ...notes.map((it) => element("p", { class: "quiet" }, it)),
    ),
    ...(failure === null ? [] : [drawFailure(failure, handlers)]),
    rowList("head", rows, handlers.copy),
    element(
      "div",
      { class: "actions", role: "group", "aria-label": t`Actions` },
      action("show-line-energy", "flame", t`Show Energy per Line`, handlers),
      action("copy-report", "clippy", t`Copy Report`, handlers),
      action("export-json", "export", t`Export as JSON…`, handlers),
      txId === null ? undefined : action("show-transaction", "pulse", t`Show Transaction`, handlers),
      txId === null ? undefined : action("debug", "debug-alt", t`Debug`, handlers),
      pinned ? undefined : pinButton(handlers),
    ),
  ];
}

function action(name: TraceAction, symbol: string, label: string, { send }: Handlers): HTMLElement {
  const made = element("button", { type: "button", "data-key": `act ${name}` }, icon(symbol), label);
  made.addEventListener("click", () => send({ kind: "act", action: name }));
  return made;
}

function pinButton({ send }: Handlers): HTMLElement {
  const title = t`Keep this page open when you show another trace`;
  const made = element("button", { type: "button", class: "bare", "data-key": "pin", title }, icon("pin"), t`Pin`);
  made.addEventListener("click", () => send({ kind: "pin" }));
  return made;
}

/** Draws the reason, the stack and the source lines of a failure. */
function drawFailure({ reason, sites, lines, note }: TraceFailure, handlers: Handlers): HTMLElement {
  return element(
    "section",
    { class: "card failure", "data-tone": "bad", "aria-labelledby": "failure-title" },
    element("h2", { id: "failure-title" }, icon("error"), reason),
    element(
      "ol",
      { class: "sites", "aria-label": t`Stack of the failure` },
      ...sites.map(({ text, canOpen }, at) => element("li", {}, canOpen ? siteButton(at, text, handlers) : text)),
    ),
    lines.length === 0
      ? undefined
      : element(
          "pre",
          { class: "code", tabindex: "0", "aria-label": t`Source of the failure` },
          ...lines.map((it) =>
            element(
              "div",
              { class: it.isSite ? "line site" : "line" },
              element("span", { class: "number" }, String(it.number)),
              it.text,
            ),
          ),
        ),
    note === null ? undefined : element("p", { class: "quiet" }, note),
  );
}

function siteButton(at: number, label: string, { send }: Handlers): HTMLElement {
  const made = element("button", { type: "button", class: "link exact", "data-key": `site ${at}` }, label);
  made.addEventListener("click", () => send({ kind: "source", of: "site", id: at }));
  return made;
}

/** Delay before a search starts, so that fast typing sends one message; ms. */
const SEARCH_MS = 150;

/** Draws the heading, the search and the filter of the tree. */
export function drawTools(send: (message: FromTracePage) => void): readonly Node[] {
  const search = element("input", {
    type: "search",
    id: "search",
    placeholder: t`Search`,
    "aria-label": t`Search calls, addresses, events and storage`,
    spellcheck: "false",
  });
  const filters: readonly (readonly [TraceFilter, string])[] = [
    ["all", t`Everything`],
    ["calls", t`Calls`],
    ["failed", t`Failed calls`],
    ["storage", t`Storage`],
    ["events", t`Events`],
    ["transfers", t`Transfers`],
  ];
  const filter = choice(t`Show`, filters);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const find = (): void => {
    const chosen = filters[filter.selectedIndex]?.[0] ?? "all";
    send({ kind: "find", text: search.value, filter: chosen });
  };
  search.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(find, SEARCH_MS);
  });
  filter.addEventListener("change", find);
  return [
    element("h2", { id: "tree-title" }, icon("list-tree"), t`Calls`),
    element("div", { class: "tools" }, search, filter),
  ];
}

/** Draws the heading of the chart and the choice between functions and lines. */
export function drawFlameTools(choose: (by: FlameBy) => void): readonly Node[] {
  const kinds: readonly (readonly [FlameBy, string])[] = [
    ["function", t`By function`],
    ["line", t`By line`],
  ];
  const made = choice(t`Group energy`, kinds);
  made.addEventListener("change", () => choose(kinds[made.selectedIndex]?.[0] ?? "function"));
  return [element("h2", { id: "flame-title" }, icon("flame"), t`Energy`), element("div", { class: "tools" }, made)];
}

function choice(label: string, options: readonly (readonly [string, string])[]): HTMLSelectElement {
  return element(
    "select",
    { "aria-label": label },
    ...options.map(([value, name]) => element("option", { value }, name)),
  );
}

/** Draws the details of the selected row. */
export function drawDetails({ title, rows, tables }: TraceDetails, handlers: Handlers): readonly Node[] {
  return [
    element("h2", { id: "details-title" }, title),
    rowList("details", rows, handlers.copy),
    ...tables.map((it, at) => drawTable(`details-${at}`, it, handlers)),
  ];
}

function drawTable(id: string, { title, note, columns, rows }: SectionTable, handlers: Handlers): HTMLElement {
  const head = element("tr", {}, ...columns.map((it) => element("th", { scope: "col" }, it)));
  return element(
    "div",
    { class: "values" },
    element("h3", { id: `table-${id}` }, title),
    note === null ? undefined : element("p", { class: "quiet" }, note),
    element(
      "table",
      { "aria-labelledby": `table-${id}` },
      element("thead", {}, head),
      element("tbody", {}, ...rows.map((cells, at) => drawCells(`${id} ${at}`, cells, handlers))),
    ),
  );
}

function drawCells(id: string, cells: readonly TableCell[], handlers: Handlers): HTMLElement {
  const name = cells[0]?.text ?? "";
  return element(
    "tr",
    {},
    ...cells.map(({ text, copy }, at) =>
      copy === null
        ? element("td", {}, text)
        : element(
            "td",
            {},
            element(
              "div",
              { class: "exact" },
              element("span", {}, text),
              copyButton(`${id} ${at}`, name, copy, handlers.copy),
            ),
          ),
    ),
  );
}
