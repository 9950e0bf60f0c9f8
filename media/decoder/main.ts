import { t } from "@vscode/l10n";
import "@vscode/codicons/dist/codicon.css";
import type {
  DecoderContent,
  DecoderExample,
  FromDecoderPage,
  ToDecoderPage,
} from "../../src/webview-messages/decoder.ts";
import { element, redraw } from "../shared/dom.ts";
import { joinHost } from "../shared/host.ts";
import "../shared/page.css";
import "./decoder.css";
import { drawContent, drawNothing, type Handlers, verdict } from "./draw.ts";
import { type Remembered, readMessage, readState, type TabName } from "./message.ts";
import { createTextPane } from "./text-pane.ts";

/** So long after the last key a text is read; a long one later. */
const QUIET_MS = 120;
const QUIET_LONG_MS = 400;
const LONG = 100_000;

const news = document.getElementById("news");
const result = element("section", { class: "result", "aria-label": t`Explanation` });

let examples: readonly DecoderExample[] = [];
let content: DecoderContent | null = null;
let revision = 0;
/** Number of the last `open` message, which the panel sends again until the page repeats it. */
let request = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
let origin: string | null = null;
let tab: TabName = "cause";
let choice = "";
let opened = new Map<string, boolean>();

const host = joinHost<ToDecoderPage, FromDecoderPage, Remembered>({ message: readMessage, state: readState }, received);

const pane = createTextPane({
  changed: (text) => {
    begin(null);
    clearTimeout(timer);
    timer = setTimeout(ask, text.length > LONG ? QUIET_LONG_MS : QUIET_MS);
  },
  paste: () => host.send({ kind: "paste" }),
});

const handlers: Handlers = {
  readOn: (place) => host.send({ kind: "read-on", place }),
  act: ({ action, txId }) => host.send({ kind: "act", action, txId }),
  copy: ({ id, name }) => copy("field", id, name),
  copyAll: (what) => copy(what, "", what === "report" ? t`The report` : t`The text`),
  look: (at) => pane.mark(content?.marks ?? [], at),
  choose: (code) => {
    choice = code;
    opened = new Map();
    ask();
  },
  show: (name) => {
    tab = name;
    remember(pane.text());
    draw();
  },
  attempt: ({ text }) => {
    open(text, null);
    pane.focus();
  },
};

function copy(what: "field" | "raw" | "report" | "plain", id: string, name: string): void {
  host.send({ kind: "copy", what, id });
  say(t`${name} copied`);
}

function received(message: ToDecoderPage): void {
  switch (message.kind) {
    case "examples":
      ({ examples } = message);
      draw();
      return;
    case "open":
      ({ request } = message);
      open(message.text, message.origin);
      return;
    case "explained":
      if (message.revision === revision) explained(message);
      return;
    case "verdict":
      if (message.revision === revision) count(message.retry);
  }
}

/** A text of its own begins: nothing that was chosen for another one holds. */
function begin(from: string | null): void {
  origin = from;
  choice = "";
  opened = new Map();
}

function open(text: string, from: string | null): void {
  clearTimeout(timer);
  begin(from);
  tab = "cause";
  pane.set(text);
  ask();
}

function ask(): void {
  revision += 1;
  host.send({ kind: "explain", request, revision, text: pane.text(), choice });
}

function explained({ reading: next, masked }: Extract<ToDecoderPage, { kind: "explained" }>): void {
  const before = content?.title;
  content = next;
  remember(masked ?? pane.text());
  draw();
  pane.mark(masked === null ? (content?.marks ?? []) : []);
  if (content !== null && content.title !== before) say(`${content.badge.text}: ${content.title}`);
}

/** The seconds go on: nothing else changes, and nothing is read out. */
function count(retry: DecoderContent["retry"]): void {
  if (content === null || retry.detail === content.retry.detail) return;
  content = { ...content, retry };
  result.querySelector(".verdict")?.replaceWith(verdict(retry));
}

function remember(text: string): void {
  host.remember({ text, origin, tab, choice });
}

function draw(): void {
  redraw(
    result,
    content === null ? drawNothing(examples, handlers) : drawContent(content, { origin, tab, opened }, handlers),
  );
  pane.tell(content === null ? "" : spokenText(content));
}

function spokenText({ raw, marks }: DecoderContent): string {
  const size = raw.facts.join(" · ");
  return marks.length === 0 ? size : t`${size} · highlighted: the decoded part`;
}

/** Says what is new to a screen reader, once. */
function say(message: string): void {
  if (news !== null && news.textContent !== message) news.textContent = message;
}

document.getElementById("page")?.replaceChildren(pane.root, result);
// A user who opens the page with a command starts at its text, one step from the available actions.
window.addEventListener("focus", () => {
  if (document.activeElement === document.body) pane.focus();
});
const state = host.remembered();
host.send({ kind: "ready" });
if (state !== undefined && state.text !== "") {
  ({ origin, tab, choice } = state);
  pane.set(state.text);
  ask();
} else pane.focus();
