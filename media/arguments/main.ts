import "@vscode/codicons/dist/codicon.css";
import type { FromArgumentsPage, ToArgumentsPage } from "../../src/webview-messages/arguments.ts";
import { redraw, whenFocused } from "../shared/dom.ts";
import { joinHost } from "../shared/host.ts";
import "../shared/page.css";
import { object, text } from "../shared/read.ts";
import "./arguments.css";
import { drawForm, type Handlers, statusLine, updateMessage } from "./draw.ts";
import { readMessage } from "./message.ts";

/** Delay before the message of the focused field is read out, ms: not while the user types. */
const QUIET_MS = 800;

const page = document.getElementById("page");
const news = document.getElementById("news");

/** Number of the last message to the panel. Content for an older one would undo what was typed since. */
let revision = 0;
/** Number of the last message that the user caused. */
let lastAction = 0;
/** Number of the last request for the content. */
let lastRefresh = -1;
/** Field to focus with the next content. */
let pendingFocus: string | null = null;
let isFirst = true;
let timer: ReturnType<typeof setTimeout> | undefined;

const state = object<{ key: string }>({ key: text });
const host = joinHost<ToArgumentsPage, FromArgumentsPage, { key: string }>({ message: readMessage, state }, received);

const next = (): number => {
  revision += 1;
  return revision;
};

/** A user who acts has moved on: an earlier answer does not move the focus any more. */
const nextOfUser = (): number => {
  pendingFocus = null;
  lastAction = next();
  return lastAction;
};

const handlers: Handlers = {
  edit: (id, typed) => host.send({ kind: "edit", revision: nextOfUser(), id, text: typed }),
  setUnit: (id, unit) => host.send({ kind: "unit", revision: nextOfUser(), id, unit }),
  change: (id, change) => host.send({ kind: "change", revision: nextOfUser(), id, change }),
  act: (action) => host.send({ kind: "act", revision: nextOfUser(), action }),
};

function received(message: ToArgumentsPage): void {
  if (message.kind === "show") show(message);
  else check(message);
}

/** Requests the content of now. A request that is not answered yet is enough: two would outdate each other's answer. */
function refresh(): void {
  if (lastRefresh === revision) return;
  lastRefresh = next();
  host.send({ kind: "refresh", revision: lastRefresh });
}

function show({ revision: shown, form, focus }: Extract<ToArgumentsPage, { kind: "show" }>): void {
  if (shown >= lastAction) pendingFocus = focus ?? pendingFocus;
  if (shown !== revision) {
    refresh();
    return;
  }
  if (page === null) return;
  host.remember({ key: form.key });
  const caret = caretOf(document.activeElement);
  redraw(page, drawForm(form, handlers));
  caret?.(document.activeElement);
  const field = pendingFocus;
  if (field !== null) whenFocused(() => focusField(field));
  else if (isFirst) whenFocused(focusFirst);
  pendingFocus = null;
  isFirst = false;
  if (form.status !== null) say(form.status.text);
  else if (form.results !== null) say(form.results.map(({ name, value }) => `${name}: ${value}`).join(", "));
}

function check({ messages, status }: Extract<ToArgumentsPage, { kind: "checks" }>): void {
  for (const { id, message } of messages) updateMessage(id, message);
  document.querySelector(".status")?.replaceWith(statusLine(status));
  const focused = document.activeElement?.id.replace(/^field-/, "");
  const own = messages.find(({ id }) => id === focused)?.message;
  clearTimeout(timer);
  if (own?.tone === "bad") timer = setTimeout(() => say(own.text), QUIET_MS);
}

/** Returns a function that puts the caret of a text field where it was. */
function caretOf(before: Element | null): ((after: Element | null) => void) | undefined {
  if (!isText(before)) return undefined;
  const { selectionStart, selectionEnd } = before;
  return (after) => {
    if (isText(after) && after.id === before.id) after.setSelectionRange(selectionStart, selectionEnd);
  };
}

function isText(it: Element | null): it is HTMLInputElement | HTMLTextAreaElement {
  return it instanceof HTMLInputElement || it instanceof HTMLTextAreaElement;
}

/** Elements that change a value: an empty list has no field yet, and only its button adds one. */
const CONTROLS = 'input, textarea, select, [data-key^="add "]';

function focusField(id: string): void {
  const own = document.getElementById(`field-${id}`);
  const field = document.querySelector(`[data-field="${CSS.escape(id)}"]`);
  own?.closest("details")?.setAttribute("open", "");
  const target = own ?? field?.querySelector<HTMLElement>(CONTROLS) ?? field?.querySelector<HTMLElement>("button");
  target?.focus();
}

/** Focuses the first field without a value or the button of the first empty list, else the main button. */
function focusFirst(): void {
  const controls = [...document.querySelectorAll<HTMLElement>(CONTROLS)];
  const target =
    controls.find(isEmpty) ??
    controls.find((it) => it.id.startsWith("field-a.")) ??
    document.querySelector<HTMLElement>(".primary");
  target?.focus();
}

function isEmpty(control: HTMLElement): boolean {
  if (control instanceof HTMLButtonElement)
    return control.closest("[data-field]")?.querySelector("[data-field]") === null;
  return "value" in control && control.value === "" && control.getAttribute("aria-required") === "true";
}

/** Enter submits from a line or a text, Ctrl+Enter from everywhere. Shift+Enter starts a new line. */
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.defaultPrevented || event.isComposing || event.shiftKey) return;
  const isAnywhere = event.ctrlKey || event.metaKey;
  if (!isAnywhere && !isText(document.activeElement)) return;
  event.preventDefault();
  document.querySelector<HTMLElement>(".primary")?.click();
});

// A user who opens the page with a command starts at its first field.
window.addEventListener("focus", () => {
  if (document.activeElement === document.body) focusFirst();
});

function say(message: string): void {
  if (news !== null && news.textContent !== message) news.textContent = message;
}

host.send({ kind: "ready" });
