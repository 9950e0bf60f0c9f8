import { t } from "@vscode/l10n";
import type {
  SectionTable,
  SectionText,
  TableCell,
  Timeline,
  TimelineAction,
  TimelineButton,
  TimelineProof,
  TimelineRow,
  TimelineStage,
  TimelineStep,
  TransactionSection,
} from "../../src/webview-messages/timeline.ts";
import { element, icon } from "../shared/dom.ts";
import { copyButton, rowList } from "../shared/rows.ts";

/** Actions that the user can request. */
export interface Handlers {
  act(action: TimelineAction): void;
  copy(value: string): void;
  open(txId: string): void;
  pin(): void;
}

/** Draws the whole page. */
export function drawLife(timeline: Timeline, pinned: boolean, handlers: Handlers): readonly Node[] {
  return [
    header(timeline, pinned, handlers),
    stages(timeline),
    ...(timeline.proof === null ? [] : [proof(timeline.proof, handlers)]),
    ...timeline.sections.map((it) => section(it, handlers)),
    steps(timeline, handlers),
    about(timeline, handlers),
    section(timeline.raw, handlers),
  ];
}

/** Draws the replacement content when nothing is known. */
export function drawGone(message: string): readonly Node[] {
  return [element("section", { class: "card gone" }, icon("search"), element("h1", {}, message))];
}

function header(
  { title, network, production, state, advice, buttons }: Timeline,
  pinned: boolean,
  handlers: Handlers,
): HTMLElement {
  const networkLabel = production ? t`${network} · real money` : network;
  return element(
    "header",
    { class: "head", "data-tone": state.tone },
    element("p", { class: "place" }, networkLabel),
    element("h1", {}, title),
    element("p", { class: "state" }, icon(state.icon), element("strong", {}, state.text)),
    advice === null ? undefined : element("p", { class: "advice" }, advice),
    ...actions(buttons, handlers),
    element("div", { class: "tools" }, copyGroup(handlers), pinned ? undefined : pinButton(handlers)),
  );
}

function copyGroup(handlers: Handlers): HTMLElement {
  const copy = (action: TimelineAction, label: string): HTMLElement => {
    const made = element("button", { type: "button", class: "bare", "data-key": `act ${action}` }, icon("copy"), label);
    made.addEventListener("click", () => handlers.act(action));
    return made;
  };
  return element(
    "div",
    { class: "copies", role: "group", "aria-label": t`Copy as` },
    element("span", { class: "quiet", "aria-hidden": "true" }, t`Copy as`),
    copy("copy-report", t`Markdown`),
    copy("copy-text", t`Text`),
    copy("copy-json", "JSON"),
  );
}

/** Keeps the page when another transaction is shown. */
function pinButton(handlers: Handlers): HTMLElement {
  const title = t`Keep this page open when you show another transaction`;
  const made = element("button", { type: "button", class: "bare pin", "data-key": "pin", title }, icon("pin"), t`Pin`);
  made.addEventListener("click", () => handlers.pin());
  return made;
}

function actions(buttons: readonly TimelineButton[], handlers: Handlers): readonly HTMLElement[] {
  const refused = buttons.flatMap(({ label, whyNot }) =>
    whyNot === null ? [] : [`${label.replace("…", "")}: ${whyNot}`],
  );
  return [
    element(
      "div",
      { class: "actions", role: "group", "aria-label": t`Actions` },
      ...buttons.map((it) => action(it, handlers)),
    ),
    ...refused.map((message) => element("p", { class: "why-not", id: "why-not" }, icon("info"), message)),
  ];
}

function action(
  { action: name, label, icon: symbol, primary, whyNot }: TimelineButton,
  handlers: Handlers,
): HTMLElement {
  const refused = whyNot === null ? {} : { "aria-disabled": "true", "aria-describedby": "why-not", title: whyNot };
  const attributes = { type: "button", class: primary ? "primary" : "", "data-key": `act ${name}` };
  const made = element("button", { ...attributes, ...refused }, icon(symbol), label);
  if (whyNot === null) made.addEventListener("click", () => handlers.act(name));
  return made;
}

function stages({ stages: all }: Timeline): HTMLElement {
  return element("ol", { class: "stages", "aria-label": t`Stages` }, ...all.map(stage));
}

function stage({ label, mark, tone, icon: symbol, spoken }: TimelineStage): HTMLElement {
  const current = mark === "now" || mark === "open" ? { "aria-current": "step" } : {};
  return element(
    "li",
    { class: `stage ${mark}`, "data-tone": tone, ...current },
    element("span", { class: "dot" }, icon(symbol)),
    element("span", { class: "stage-name", "aria-hidden": "true" }, label),
    element("span", { class: "unseen" }, spoken),
  );
}

function proof(
  { title, icon: symbol, tone, sentence, progress, rows }: TimelineProof,
  handlers: Handlers,
): HTMLElement {
  return element(
    "section",
    { class: "card proof", "data-tone": tone, "aria-labelledby": "proof-title" },
    element("h2", { id: "proof-title" }, icon(symbol), title),
    element("p", {}, sentence),
    progress === null ? undefined : bar(progress),
    rows.length === 0 ? undefined : details({ id: "proof", summary: t`Blocks, IDs and times`, rows }, handlers),
  );
}

function bar({ read, total }: NonNullable<TimelineProof["progress"]>): HTMLElement {
  const label = t`${read} of ${total} blocks read`;
  return element("progress", { value: String(read), max: String(total), "aria-label": label }, label);
}

function section(
  { id, title, note, rows, tables, texts, buttons }: TransactionSection,
  handlers: Handlers,
): HTMLElement {
  return element(
    "section",
    { class: "section", "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title),
    note === null ? undefined : element("p", { class: "quiet" }, note),
    rows.length === 0 ? undefined : rowList(id, rows, handlers.copy),
    ...tables.map((it, at) => sectionTable(`${id}-${at}`, it, handlers)),
    ...texts.map((it) => longText(id, it, handlers)),
    buttons.length === 0
      ? undefined
      : element(
          "div",
          { class: "actions", role: "group", "aria-label": t`Actions of ${title}` },
          ...buttons.map((it) => action(it, handlers)),
        ),
  );
}

function sectionTable(id: string, { title, note, columns, rows }: SectionTable, handlers: Handlers): HTMLElement {
  const head = element("tr", {}, ...columns.map((it) => element("th", { scope: "col" }, it)));
  return element(
    "div",
    { class: "values" },
    element("h3", { id: `table-${id}` }, title),
    note === null ? undefined : element("p", { class: "quiet" }, note),
    rows.length === 0
      ? undefined
      : element(
          "table",
          { "aria-labelledby": `table-${id}` },
          element("thead", {}, head),
          element("tbody", {}, ...rows.map((cells, at) => tableRow(`${id} ${at}`, cells, handlers))),
        ),
  );
}

function tableRow(id: string, cells: readonly TableCell[], handlers: Handlers): HTMLElement {
  return element("tr", {}, ...cells.map((it, at) => tableCell(`${id} ${at}`, it, cells[0]?.text ?? "", handlers)));
}

/** Draws a cell. @param name - First cell of the row, which names the value that a button copies. */
function tableCell(id: string, { text, copy }: TableCell, name: string, handlers: Handlers): HTMLElement {
  if (copy === null) return element("td", {}, text);
  const value = element(
    "div",
    { class: "exact" },
    element("span", {}, text),
    copyButton(id, name, copy, handlers.copy),
  );
  return element("td", {}, value);
}

function longText(id: string, { title, text }: SectionText, handlers: Handlers): HTMLElement {
  return element(
    "details",
    { "data-key": `details ${id} ${title}` },
    element("summary", { "data-key": `summary ${id} ${title}` }, title),
    element(
      "div",
      { class: "long" },
      copyButton(id, title, text, handlers.copy),
      element("pre", { tabindex: "0" }, text),
    ),
  );
}

function steps({ steps: all }: Timeline, handlers: Handlers): HTMLElement {
  return element(
    "section",
    { "aria-labelledby": "life-title" },
    element("h2", { id: "life-title" }, t`Timeline`),
    element("ol", { class: "life" }, ...all.map((it) => step(it, handlers))),
  );
}

function step(
  { id, icon: symbol, tone, label, description, rows, txId }: TimelineStep,
  handlers: Handlers,
): HTMLElement {
  return element(
    "li",
    { class: "step", "data-tone": tone },
    element("span", { class: "knot" }, icon(symbol)),
    element(
      "div",
      { class: "told" },
      element("h3", {}, label),
      txId === null ? element("p", { class: "quiet" }, description) : link(txId, description, handlers),
      rows.length === 0 ? undefined : details({ id, summary: t`Details`, of: label, rows }, handlers),
    ),
  );
}

function link(txId: string, description: string, handlers: Handlers): HTMLElement {
  const made = element(
    "button",
    { type: "button", class: "link exact", "data-key": `open ${txId}`, title: txId },
    description,
  );
  made.addEventListener("click", () => handlers.open(txId));
  return element("p", {}, made);
}

interface Fold {
  readonly id: string;
  readonly summary: string;
  /** Subject of the details, for users who do not see their position on the page. */
  readonly of?: string;
  readonly rows: readonly TimelineRow[];
}

function details({ id, summary, of, rows }: Fold, handlers: Handlers): HTMLElement {
  const spoken = of === undefined ? undefined : element("span", { class: "unseen" }, t` of ${of}`);
  return element(
    "details",
    { "data-key": `details ${id}` },
    element("summary", { "data-key": `summary ${id}` }, summary, spoken),
    rowList(id, rows, handlers.copy),
  );
}

function about({ rows }: Timeline, handlers: Handlers): HTMLElement {
  return element(
    "section",
    { "aria-labelledby": "about-title" },
    element("h2", { id: "about-title" }, t`Transaction`),
    rowList("about", rows, handlers.copy),
  );
}
