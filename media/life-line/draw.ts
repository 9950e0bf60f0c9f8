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
export function drawLife(life: LifeLine, asks: Asks): readonly Node[] {
  return [
    header(life, asks),
    stages(life),
    ...(life.proof === null ? [] : [proof(life.proof, asks)]),
    steps(life, asks),
    about(life, asks),
  ];
}

/** Draws the replacement content when nothing is known. */
export function drawGone(sentence: string): readonly Node[] {
  return [element("section", { class: "card gone" }, icon("search"), element("h1", {}, sentence))];
}

function header({ title, network, production, state, advice, buttons }: LifeLine, asks: Asks): HTMLElement {
  const place = production ? t`${network} · real money` : network;
  return element(
    "header",
    { class: "head", "data-tone": state.tone },
    element("p", { class: "place" }, place),
    element("h1", {}, title),
    element("p", { class: "state" }, icon(state.icon), element("strong", {}, state.text)),
    advice === null ? undefined : element("p", { class: "advice" }, advice),
    ...actions(buttons, asks),
  );
}

function actions(buttons: readonly LifeLineButton[], asks: Asks): readonly HTMLElement[] {
  const refused = buttons.flatMap(({ label, whyNot }) =>
    whyNot === null ? [] : [`${label.replace("…", "")}: ${whyNot}`],
  );
  return [
    element(
      "div",
      { class: "actions", role: "group", "aria-label": t`Actions` },
      ...buttons.map((it) => action(it, asks)),
    ),
    ...refused.map((sentence) => element("p", { class: "why-not", id: "why-not" }, icon("info"), sentence)),
  ];
}

function action({ action: name, label, icon: symbol, primary, whyNot }: LifeLineButton, asks: Asks): HTMLElement {
  const refused = whyNot === null ? {} : { "aria-disabled": "true", "aria-describedby": "why-not", title: whyNot };
  const look = { type: "button", class: primary ? "primary" : "", "data-key": `act ${name}` };
  const made = element("button", { ...look, ...refused }, icon(symbol), label);
  if (whyNot === null) made.addEventListener("click", () => asks.act(name));
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

function proof({ title, icon: symbol, tone, sentence, progress, rows }: LifeLineProof, asks: Asks): HTMLElement {
  return element(
    "section",
    { class: "card proof", "data-tone": tone, "aria-labelledby": "proof-title" },
    element("h2", { id: "proof-title" }, icon(symbol), title),
    element("p", {}, sentence),
    progress === null ? undefined : bar(progress),
    rows.length === 0 ? undefined : details({ id: "proof", summary: t`Blocks, IDs and times`, rows }, asks),
  );
}

function bar({ read, total }: NonNullable<LifeLineProof["progress"]>): HTMLElement {
  const label = t`${read} of ${total} blocks read`;
  return element("progress", { value: String(read), max: String(total), "aria-label": label }, label);
}

function steps({ steps: all }: LifeLine, asks: Asks): HTMLElement {
  return element(
    "section",
    { "aria-labelledby": "life-title" },
    element("h2", { id: "life-title" }, t`Timeline`),
    element("ol", { class: "life" }, ...all.map((it) => step(it, asks))),
  );
}

function step({ id, icon: symbol, tone, label, description, rows, txId }: LifeLineStep, asks: Asks): HTMLElement {
  return element(
    "li",
    { class: "step", "data-tone": tone },
    element("span", { class: "knot" }, icon(symbol)),
    element(
      "div",
      { class: "told" },
      element("h3", {}, label),
      txId === null ? element("p", { class: "quiet" }, description) : link(txId, description, asks),
      rows.length === 0 ? undefined : details({ id, summary: t`Details`, of: label, rows }, asks),
    ),
  );
}

function link(txId: string, description: string, asks: Asks): HTMLElement {
  const made = element(
    "button",
    { type: "button", class: "link exact", "data-key": `open ${txId}`, title: txId },
    description,
  );
  made.addEventListener("click", () => asks.open(txId));
  return element("p", {}, made);
}

interface Fold {
  readonly id: string;
  readonly summary: string;
  /** Subject of the details, for users who do not see their position on the page. */
  readonly of?: string;
  readonly rows: readonly LifeLineRow[];
}

function details({ id, summary, of, rows }: Fold, asks: Asks): HTMLElement {
  const spoken = of === undefined ? undefined : element("span", { class: "unseen" }, t` of ${of}`);
  return element(
    "details",
    { "data-key": `details ${id}` },
    element("summary", { "data-key": `summary ${id}` }, summary, spoken),
    table(id, rows, asks),
  );
}

function about({ rows }: LifeLine, asks: Asks): HTMLElement {
  return element(
    "section",
    { "aria-labelledby": "about-title" },
    element("h2", { id: "about-title" }, t`Transaction`),
    table("about", rows, asks),
  );
}

function table(id: string, rows: readonly LifeLineRow[], asks: Asks): HTMLElement {
  return element(
    "dl",
    { class: "rows" },
    ...rows.flatMap(({ name, value, exact }) => [
      element("dt", {}, name),
      exact
        ? element("dd", { class: "exact" }, element("span", {}, value), copyButton(id, name, value, asks))
        : element("dd", {}, value),
    ]),
  );
}

const SAID_FOR_MS = 1_500;

function copyButton(id: string, name: string, value: string, asks: Asks): HTMLElement {
  const label = t`Copy ${name}`;
  const made = element(
    "button",
    { type: "button", class: "bare", "aria-label": label, title: label, "data-key": `copy ${id} ${name}` },
    icon("copy"),
  );
  made.addEventListener("click", () => {
    asks.copy(value);
    made.replaceChildren(icon("check"));
    setTimeout(() => made.replaceChildren(icon("copy")), SAID_FOR_MS);
  });
  return made;
}
