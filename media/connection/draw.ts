import { t } from "@vscode/l10n";
import type {
  ConnectionAction,
  ConnectionButton,
  ConnectionChecklist,
  ConnectionGroup,
  ConnectionLine,
} from "../../src/webview-messages/connection.ts";
import { element, icon } from "../shared/dom.ts";

/** Actions that the user can request. */
export interface Handlers {
  act(action: ConnectionAction): void;
  fix(id: string): void;
}

/** The whole checklist. */
export function drawChecklist(checklist: ConnectionChecklist, handlers: Handlers): readonly Node[] {
  const { cause, groups } = checklist;
  return [
    header(checklist, handlers),
    ...(cause === null ? [] : [causeCard(cause, handlers)]),
    ...groups.map((it) => group(it, handlers)),
  ];
}

function header(
  { title, network, production, state, progress, buttons }: ConnectionChecklist,
  handlers: Handlers,
): HTMLElement {
  return element(
    "header",
    { class: "head", "data-tone": state.tone },
    element("p", { class: "place" }, production ? t`${network} · real money` : network),
    element("h1", {}, title),
    element("p", { class: "state" }, icon(state.icon), element("strong", {}, state.text)),
    progress === null ? undefined : bar(progress),
    element(
      "div",
      { class: "actions", role: "group", "aria-label": t`Actions` },
      ...buttons.map((it) => action(it, handlers)),
    ),
  );
}

function bar({ done, total }: NonNullable<ConnectionChecklist["progress"]>): HTMLElement {
  const label = t`${done} of ${total} checks done`;
  return element("progress", { value: String(done), max: String(total), "aria-label": label }, label);
}

/** Cancel and Test Again take the place of each other, and the focus stays there. */
function action({ action: name, label, icon: symbol, primary }: ConnectionButton, handlers: Handlers): HTMLElement {
  const attributes = { type: "button", class: primary ? "primary" : "", "data-key": `act ${primary ? "main" : name}` };
  const made = element("button", attributes, icon(symbol), label);
  made.addEventListener("click", () => handlers.act(name));
  return made;
}

function causeCard(cause: ConnectionLine, handlers: Handlers): HTMLElement {
  return element(
    "section",
    { class: "card cause", "data-tone": "bad", "aria-labelledby": "cause-title" },
    element("h2", { id: "cause-title" }, icon("error"), cause.title),
    element("p", {}, cause.sentence ?? ""),
    cause.nextStep === null ? undefined : element("p", { class: "next" }, icon("arrow-right"), cause.nextStep),
    fixButton(cause, "cause", handlers),
  );
}

function fixButton({ fix }: ConnectionLine, location: string, handlers: Handlers): HTMLElement | undefined {
  if (fix === null) return undefined;
  const made = element("button", { type: "button", "data-key": `fix ${location} ${fix.id}` }, icon("tools"), fix.label);
  made.addEventListener("click", () => handlers.fix(fix.id));
  return element("p", { class: "fix" }, made);
}

function group({ id, title, summary, folded, lines }: ConnectionGroup, handlers: Handlers): HTMLElement {
  const list = element("ul", { class: "lines" }, ...lines.map((it) => line(it, handlers)));
  if (folded) {
    return element(
      "details",
      { class: "group", "data-key": `group ${id}` },
      element(
        "summary",
        { "data-key": `fold ${id}` },
        element("strong", {}, title),
        element("span", { class: "quiet" }, summary),
      ),
      list,
    );
  }
  const name = `group-${id}`;
  return element(
    "section",
    { class: "group", "aria-labelledby": name },
    element("h2", { id: name }, title, element("span", { class: "quiet" }, summary)),
    list,
  );
}

function line(shown: ConnectionLine, handlers: Handlers): HTMLElement {
  const { id, title, state, tone, icon: symbol, spoken, sentence, nextStep, took } = shown;
  return element(
    "li",
    { class: `line ${state}`, "data-tone": tone, "data-line": id },
    icon(symbol),
    element("h3", {}, title, element("span", { class: "unseen" }, `: ${spoken}`)),
    element(
      "div",
      { class: "said" },
      sentence === null ? undefined : element("p", {}, sentence),
      nextStep === null ? undefined : element("p", { class: "next" }, icon("arrow-right"), nextStep),
      state === "failed" || state === "warning" ? fixButton(shown, "line", handlers) : undefined,
    ),
    took === null ? undefined : element("span", { class: "took" }, took),
  );
}
