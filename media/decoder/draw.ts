import { t } from "@vscode/l10n";
import type {
  DecoderButton,
  DecoderCandidate,
  DecoderContent,
  DecoderCopy,
  DecoderExample,
  DecoderStatus,
} from "../../src/webview-messages/decoder.ts";
import { element, icon } from "../shared/dom.ts";
import type { TabName } from "./message.ts";
import { drawTree, type TreeHandlers } from "./tree.ts";

/** Actions that the user can request. */
export interface Handlers extends TreeHandlers {
  act(button: DecoderButton): void;
  copyAll(what: Exclude<DecoderCopy, "field">): void;
  choose(code: string): void;
  show(tab: TabName): void;
  attempt(example: DecoderExample): void;
  /** Opens the documentation at the place of a source. */
  readOn(location: string): void;
}

/** A title with all arguments of an error is smaller: it is read, not seen. */
const LONG_TITLE = 110;

/** View state that is stored between two redraws. */
interface ViewState {
  readonly origin: string | null;
  readonly tab: TabName;
  readonly opened: Map<string, boolean>;
}

/** The explanation of the text. */
export function drawContent(content: DecoderContent, looks: ViewState, handlers: Handlers): readonly Node[] {
  const { fields, raw, warnings } = content;
  const tabs = [
    { name: "cause", label: t`Cause`, panel: causePanel(content, handlers) },
    { name: "fields", label: t`Fields`, count: fields.length, panel: fieldsPanel(content, looks, handlers) },
    { name: "raw", label: t`Raw`, panel: rawPanel(raw, handlers) },
  ] as const;
  return [
    header(content, looks),
    ...warnings.map((it) => note("warning", it)),
    verdict(content.retry),
    content.tracked === null ? undefined : statusLine(content.tracked),
    actions(content.buttons, handlers),
    ...drawTabs(tabs, looks.tab, handlers.show),
  ].filter((it) => it !== undefined);
}

/** Draws the empty state, before there is any text. */
export function drawNothing(examples: readonly DecoderExample[], handlers: Handlers): readonly Node[] {
  return [
    element(
      "div",
      { class: "empty" },
      element("div", { class: "empty-sign", "aria-hidden": "true" }, icon("symbol-ruler")),
      element("h1", {}, t`Find the cause and the next step`),
      element(
        "p",
        { class: "quiet" },
        t`Paste a message from the chain, a node or a contract. It is explained on this computer; nothing is sent.`,
      ),
      element("h2", { id: "try-title" }, t`Examples`),
      element(
        "ul",
        { class: "examples", "aria-labelledby": "try-title" },
        ...examples.map((it) => example(it, handlers)),
      ),
    ),
  ];
}

function example(one: DecoderExample, handlers: Handlers): HTMLElement {
  const shown = element("span", { class: "example-text exact", "aria-hidden": "true" }, one.text.slice(0, 90));
  const made = element(
    "button",
    { type: "button", class: "example", "data-key": `try ${one.label}` },
    icon(one.icon),
    element("span", { class: "example-words" }, element("strong", {}, one.label), shown),
  );
  made.addEventListener("click", () => handlers.attempt(one));
  return element("li", {}, made);
}

function header({ badge, code, title }: DecoderContent, { origin }: ViewState): HTMLElement {
  return element(
    "header",
    { class: "head", "data-tone": badge.tone },
    element(
      "p",
      { class: "kicker" },
      element("span", { class: "badge" }, icon(badge.icon), badge.text),
      badge.detail === null ? undefined : element("span", { class: "quiet" }, badge.detail),
      origin === null ? undefined : element("span", { class: "quiet origin" }, t`from ${origin}`),
    ),
    element("h1", { class: title.length > LONG_TITLE ? "long" : undefined }, title),
    element("p", { class: "code exact" }, code),
  );
}

/** Draws the retry advice: if the same bytes may be sent again. */
export function verdict({ icon: symbol, tone, text, detail }: DecoderStatus): HTMLElement {
  return element(
    "section",
    { class: "verdict", "data-tone": tone, "aria-label": t`Resending` },
    icon(symbol),
    element("p", {}, element("strong", {}, text), detail === null ? undefined : element("span", {}, detail)),
  );
}

function statusLine({ icon: symbol, tone, text, detail }: DecoderStatus): HTMLElement {
  return element(
    "section",
    { class: "standing", "data-tone": tone, "aria-label": t`Tracked on this computer` },
    icon(symbol),
    element("p", {}, element("strong", {}, text), element("span", { class: "quiet" }, detail ?? "")),
  );
}

function note(symbol: string, text: string): HTMLElement {
  return element("p", { class: "note", "data-tone": "warning" }, icon(symbol), element("span", {}, text));
}

function actions(buttons: readonly DecoderButton[], handlers: Handlers): HTMLElement {
  return element(
    "div",
    { class: "actions", role: "group", "aria-label": t`Actions` },
    ...buttons.map((it) => {
      const made = actionButton(it.icon, it.label, () => handlers.act(it));
      if (it.primary) made.classList.add("primary");
      return made;
    }),
    actionButton("markdown", t`Copy Report`, () => handlers.copyAll("report")),
    actionButton("copy", t`Copy Plain Text`, () => handlers.copyAll("plain")),
  );
}

function actionButton(symbol: string, label: string, pressed: () => void): HTMLElement {
  const made = element("button", { type: "button", "data-key": `act ${label}` }, icon(symbol), label);
  made.addEventListener("click", pressed);
  return made;
}

function causePanel({ cause, fix, facts, candidates, sources }: DecoderContent, handlers: Handlers): readonly Node[] {
  return [
    said("question", t`Cause`, cause),
    said("wrench", t`Fix`, fix),
    ...(facts.length === 0 ? [] : [glance(facts)]),
    ...(candidates.length === 0 ? [] : [choices(candidates, handlers)]),
    ...(sources.length === 0 ? [] : [sourcesPanel(sources, handlers)]),
  ];
}

function said(symbol: string, title: string, text: string): HTMLElement {
  return element(
    "section",
    { class: "said" },
    icon(symbol),
    element("div", {}, element("h2", {}, title), element("p", {}, text)),
  );
}

function glance(facts: DecoderContent["facts"]): HTMLElement {
  return element(
    "dl",
    { class: "glance", "aria-label": t`At a glance` },
    ...facts.flatMap(({ name, value, exact }) => [
      element("dt", {}, name),
      element("dd", { class: exact ? "exact" : undefined }, value),
    ]),
  );
}

function choices(candidates: readonly DecoderCandidate[], handlers: Handlers): HTMLElement {
  const count = candidates.filter(({ choosable }) => choosable).length;
  const title = count > 1 ? t`${count} meanings are possible. Choose one.` : t`Other possible meanings`;
  return element(
    "fieldset",
    { class: "choices" },
    element("legend", {}, title),
    ...candidates.filter(({ choosable }) => count > 1 || !choosable).map((it, index) => choice(it, index, handlers)),
  );
}

function choice(
  { code, title, reason, chosen, choosable }: DecoderCandidate,
  index: number,
  handlers: Handlers,
): HTMLElement {
  const text = element(
    "span",
    { class: "choice-words" },
    element("span", { class: choosable ? "exact" : undefined }, title),
    element("span", { class: "quiet" }, reason),
  );
  if (!choosable) return element("p", { class: "choice hint" }, icon("circle-small"), text);
  const id = `choice-${index}`;
  const radio = element("input", {
    type: "radio",
    name: "reading",
    id,
    checked: chosen,
    "data-key": id,
  });
  radio.addEventListener("change", () => handlers.choose(code));
  return element("label", { class: "choice", for: id }, radio, text);
}

function sourcesPanel(sources: DecoderContent["sources"], handlers: Handlers): HTMLElement {
  return element(
    "section",
    { class: "sources", "aria-labelledby": "sources-title" },
    element("h2", { id: "sources-title" }, t`Sources`),
    element("ul", {}, ...sources.map((it) => element("li", {}, sourceOf(it, handlers)))),
  );
}

function sourceOf({ text, place }: DecoderContent["sources"][number], handlers: Handlers): HTMLElement | string {
  if (place === null) return text;
  const made = element("button", { type: "button", class: "link", "data-key": `source ${place}` }, text);
  made.addEventListener("click", () => handlers.readOn(place));
  return made;
}

function fieldsPanel({ fields }: DecoderContent, { opened }: ViewState, handlers: Handlers): readonly Node[] {
  if (fields.length === 0) return [element("p", { class: "quiet" }, t`This text has no fields.`)];
  return [
    drawTree(fields, opened, handlers),
    element(
      "p",
      { class: "quiet keys" },
      ...[
        t`Use the arrow keys to move and expand, `,
        element("kbd", {}, "Enter"),
        t` to copy the value. The text highlights its position.`,
      ],
    ),
  ];
}

function rawPanel({ facts, text, words }: DecoderContent["raw"], handlers: Handlers): readonly Node[] {
  return [
    element(
      "div",
      { class: "raw-head" },
      element("p", { class: "quiet" }, facts.join(" · ")),
      actionButton("copy", t`Copy Raw Text`, () => handlers.copyAll("raw")),
    ),
    words.length === 0
      ? element("pre", { class: "raw exact", tabindex: "0", "aria-label": t`Raw text` }, text)
      : element(
          "dl",
          { class: "words exact" },
          ...words.flatMap(({ name, value }) => [fact("dt", name), fact("dd", value)]),
        ),
  ];
}

function fact(tag: "dt" | "dd", text: string): HTMLElement {
  return element(tag, {}, text);
}

interface Tab {
  readonly name: TabName;
  readonly label: string;
  /** Number of items, shown beside the label. */
  readonly count?: number;
  readonly panel: readonly Node[];
}

/** Tabs with their panels: arrows go from one to the next, only the chosen one is a stop for Tab. */
function drawTabs(tabs: readonly Tab[], chosen: TabName, choose: (name: TabName) => void): readonly Node[] {
  const list = element("div", { class: "tabs", role: "tablist", "aria-label": t`Explanation` });
  list.append(...tabs.map((tab) => tabButton(tab, tab.name === chosen, choose)));
  list.addEventListener("keydown", (event) => {
    const index = tabs.findIndex(({ name }) => name === chosen);
    const next = NEXT[event.key]?.(index, tabs.length);
    const tab = next === undefined ? undefined : tabs[(next + tabs.length) % tabs.length];
    if (tab === undefined) return;
    event.preventDefault();
    choose(tab.name);
    document.getElementById(`tab-${tab.name}`)?.focus();
  });
  return [list, ...tabs.map((tab) => panelOf(tab, tab.name === chosen))];
}

const NEXT: { readonly [key: string]: (index: number, length: number) => number } = {
  ArrowRight: (index) => index + 1,
  ArrowLeft: (index) => index - 1,
  Home: () => 0,
  End: (_, length) => length - 1,
};

function tabButton({ name, label, count }: Tab, isChosen: boolean, choose: (name: TabName) => void): HTMLElement {
  const made = element(
    "button",
    {
      type: "button",
      role: "tab",
      id: `tab-${name}`,
      class: "tab",
      "data-key": `tab ${name}`,
      "aria-selected": String(isChosen),
      "aria-controls": `panel-${name}`,
      tabindex: isChosen ? "0" : "-1",
    },
    label,
    count === undefined ? undefined : element("span", { class: "count" }, String(count)),
  );
  made.addEventListener("click", () => choose(name));
  return made;
}

function panelOf({ name, panel }: Tab, isChosen: boolean): HTMLElement {
  return element(
    "div",
    { role: "tabpanel", id: `panel-${name}`, class: "panel", "aria-labelledby": `tab-${name}`, hidden: !isChosen },
    ...(isChosen ? panel : []),
  );
}
