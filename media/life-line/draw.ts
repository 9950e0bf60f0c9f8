import { t } from "@vscode/l10n";
import type {
  LifeLine,
  LifeLineAction,
  LifeLineButton,
  LifeLineProof,
  LifeLineRow,
  LifeLineStage,
  LifeLineStep,
} from "../../src/webview-messages/life-line.ts";
import { element, icon } from "../shared/dom.ts";

/** Actions that the user can request. */
export interface Asks {
  act(action: LifeLineAction): void;
  copy(value: string): void;
  open(txId: string): void;
}

/** The whole page of a life. */
export function drawLife(timeline: LifeLine, handlers: Asks): readonly Node[] {
  return [
    header(timeline, handlers),
    stages(timeline),
    ...(timeline.proof === null ? [] : [proof(timeline.proof, handlers)]),
    steps(timeline, handlers),
    about(timeline, handlers),
  ];
}

/** Draws the replacement content when nothing is known. */
export function drawGone(message: string): readonly Node[] {
  return [element("section", { class: "card gone" }, icon("search"), element("h1", {}, message))];
}

function header({ title, network, production, state, advice, buttons }: LifeLine, handlers: Asks): HTMLElement {
  const networkLabel = production ? t`${network} · real money` : network;
  return element(
    "header",
    { class: "head", "data-tone": state.tone },
    element("p", { class: "place" }, networkLabel),
    element("h1", {}, title),
    element("p", { class: "state" }, icon(state.icon), element("strong", {}, state.text)),
    advice === null ? undefined : element("p", { class: "advice" }, advice),
    ...actions(buttons, handlers),
  );
}

function actions(buttons: readonly LifeLineButton[], handlers: Asks): readonly HTMLElement[] {
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

function action({ action: name, label, icon: symbol, primary, whyNot }: LifeLineButton, handlers: Asks): HTMLElement {
  const refused = whyNot === null ? {} : { "aria-disabled": "true", "aria-describedby": "why-not", title: whyNot };
  const attributes = { type: "button", class: primary ? "primary" : "", "data-key": `act ${name}` };
  const made = element("button", { ...attributes, ...refused }, icon(symbol), label);
  if (whyNot === null) made.addEventListener("click", () => handlers.act(name));
  return made;
}

function stages({ stages: all }: LifeLine): HTMLElement {
  return element("ol", { class: "stages", "aria-label": t`Stages` }, ...all.map(stage));
}

function stage({ label, mark, tone, icon: symbol, spoken }: LifeLineStage): HTMLElement {
  const current = mark === "now" || mark === "open" ? { "aria-current": "step" } : {};
  return element(
    "li",
    { class: `stage ${mark}`, "data-tone": tone, ...current },
    element("span", { class: "dot" }, icon(symbol)),
    element("span", { class: "stage-name", "aria-hidden": "true" }, label),
    element("span", { class: "unseen" }, spoken),
  );
}

function proof({ title, icon: symbol, tone, sentence, progress, rows }: LifeLineProof, handlers: Asks): HTMLElement {
  return element(
    "section",
    { class: "card proof", "data-tone": tone, "aria-labelledby": "proof-title" },
    element("h2", { id: "proof-title" }, icon(symbol), title),
    element("p", {}, sentence),
    progress === null ? undefined : bar(progress),
    rows.length === 0 ? undefined : details({ id: "proof", summary: t`Blocks, IDs and times`, rows }, handlers),
  );
}

function bar({ read, total }: NonNullable<LifeLineProof["progress"]>): HTMLElement {
  const label = t`${read} of ${total} blocks read`;
  return element("progress", { value: String(read), max: String(total), "aria-label": label }, label);
}

function steps({ steps: all }: LifeLine, handlers: Asks): HTMLElement {
  return element(
    "section",
    { "aria-labelledby": "life-title" },
    element("h2", { id: "life-title" }, t`Timeline`),
    element("ol", { class: "life" }, ...all.map((it) => step(it, handlers))),
  );
}

function step({ id, icon: symbol, tone, label, description, rows, txId }: LifeLineStep, handlers: Asks): HTMLElement {
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

function link(txId: string, description: string, handlers: Asks): HTMLElement {
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
  readonly rows: readonly LifeLineRow[];
}

function details({ id, summary, of, rows }: Fold, handlers: Asks): HTMLElement {
  const spoken = of === undefined ? undefined : element("span", { class: "unseen" }, t` of ${of}`);
  return element(
    "details",
    { "data-key": `details ${id}` },
    element("summary", { "data-key": `summary ${id}` }, summary, spoken),
    table(id, rows, handlers),
  );
}

function about({ rows }: LifeLine, handlers: Asks): HTMLElement {
  return element(
    "section",
    { "aria-labelledby": "about-title" },
    element("h2", { id: "about-title" }, t`Transaction`),
    table("about", rows, handlers),
  );
}

function table(id: string, rows: readonly LifeLineRow[], handlers: Asks): HTMLElement {
  return element(
    "dl",
    { class: "rows" },
    ...rows.flatMap(({ name, value, exact }) => [
      element("dt", {}, name),
      exact
        ? element("dd", { class: "exact" }, element("span", {}, value), copyButton(id, name, value, handlers))
        : element("dd", {}, value),
    ]),
  );
}

const SHOWN_FOR_MS = 1_500;

function copyButton(id: string, name: string, value: string, handlers: Asks): HTMLElement {
  const label = t`Copy ${name}`;
  const made = element(
    "button",
    { type: "button", class: "bare", "aria-label": label, title: label, "data-key": `copy ${id} ${name}` },
    icon("copy"),
  );
  made.addEventListener("click", () => {
    handlers.copy(value);
    made.replaceChildren(icon("check"));
    setTimeout(() => made.replaceChildren(icon("copy")), SHOWN_FOR_MS);
  });
  return made;
}
