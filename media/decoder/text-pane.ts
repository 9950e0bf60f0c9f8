import { t } from "@vscode/l10n";
import type { DecoderSpan } from "../../src/webview-messages/decoder.ts";
import { element, icon } from "../shared/dom.ts";

/** Actions of the user on the text. */
export interface TextHandlers {
  changed(text: string): void;
  paste(): void;
}

/** The side with the text: a box to write in, and behind it the same text with what was recognised in it. */
export interface TextPane {
  readonly root: HTMLElement;
  text(): string;
  /** Puts a text there as if it was pasted, without telling. */
  set(text: string): void;
  /** Marks what was recognised, and stronger the one that is looked at. */
  mark(spans: readonly DecoderSpan[], highlighted?: DecoderSpan | null): void;
  tell(text: string): void;
  focus(): void;
}

/** The panel takes no more. */
const LONGEST = 1_000_000;

export function createTextPane(handlers: TextHandlers): TextPane {
  const behind = element("div", { class: "behind", "aria-hidden": "true" });
  const box = element("textarea", {
    id: "text",
    spellcheck: "false",
    autocomplete: "off",
    dir: "ltr",
    "data-key": "text",
    "aria-label": t`Text to decode`,
    "aria-describedby": "about-text",
    placeholder: t`Paste an answer, an error, revert data, a txID, a line of a log …`,
  });
  const about = element("p", { id: "about-text", class: "quiet about-text" });
  const changed = (): void => {
    behind.replaceChildren();
    handlers.changed(box.value);
  };
  box.addEventListener("input", changed);
  box.addEventListener("scroll", () => {
    behind.scrollTop = box.scrollTop;
  });
  const clear = (): void => {
    box.value = "";
    changed();
    box.focus();
  };
  const root = element(
    "section",
    { class: "text-pane", "aria-labelledby": "text-title" },
    element(
      "div",
      { class: "pane-head" },
      element("h2", { id: "text-title" }, t`Text`),
      toolButton("clippy", t`Paste`, () => handlers.paste()),
      toolButton("clear-all", t`Clear`, clear),
    ),
    element("div", { class: "box" }, behind, box),
    about,
  );
  return {
    root,
    text: () => box.value.slice(0, LONGEST),
    set: (text) => {
      behind.replaceChildren();
      box.value = text;
      box.setSelectionRange(0, 0);
      box.scrollTop = 0;
    },
    mark: (spans, queried = null) => {
      const isPlain = spans.length === 0 && queried === null;
      behind.replaceChildren(...(isPlain ? [] : marked(box.value, spans, queried)));
      if (queried !== null) reveal(box, behind);
      behind.scrollTop = box.scrollTop;
    },
    tell: (text) => {
      about.textContent = text;
    },
    focus: () => box.focus({ preventScroll: true }),
  };
}

function toolButton(symbol: string, label: string, pressed: () => void): HTMLElement {
  const made = element("button", { type: "button", class: "bare", "data-key": `tool ${label}` }, icon(symbol), label);
  made.addEventListener("click", pressed);
  return made;
}

function marked(text: string, spans: readonly DecoderSpan[], highlighted: DecoderSpan | null): readonly Node[] {
  const nodes: Node[] = [];
  let at = 0;
  for (const { start, end, strong } of cut(spans, highlighted)) {
    if (start < at) continue;
    nodes.push(document.createTextNode(text.slice(at, start)));
    nodes.push(element("mark", { class: strong ? "looked-at" : undefined }, text.slice(start, end)));
    at = end;
  }
  // A last line without letters has no height otherwise.
  return [...nodes, document.createTextNode(`${text.slice(at)}\n`)];
}

interface Piece extends DecoderSpan {
  readonly strong: boolean;
}

/** The spans, with the one that is looked at cut out of them. */
function cut(spans: readonly DecoderSpan[], highlighted: DecoderSpan | null): readonly Piece[] {
  if (highlighted === null) return spans.map((span) => ({ ...span, strong: false }));
  const outside = spans.flatMap(({ start, end }) => [
    { start, end: Math.min(end, Math.max(start, highlighted.start)), strong: false },
    { start: Math.max(start, Math.min(end, highlighted.end)), end, strong: false },
  ]);
  return [...outside.filter(({ start, end }) => start < end), { ...highlighted, strong: true }].sort(
    (a, b) => a.start - b.start,
  );
}

/** Scrolls the box so that the mark that is looked at can be seen. */
function reveal(box: HTMLTextAreaElement, behind: HTMLElement): void {
  const mark = behind.querySelector<HTMLElement>("mark.looked-at");
  if (mark === null) return;
  const isAbove = mark.offsetTop < box.scrollTop;
  const isBelow = mark.offsetTop + mark.offsetHeight > box.scrollTop + box.clientHeight;
  if (isAbove || isBelow) box.scrollTop = mark.offsetTop - box.clientHeight / 3;
}
