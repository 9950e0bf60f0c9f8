import type {
  EnergyRow,
  FlameBox,
  FromTracePage,
  ToTracePage,
  TraceDetails,
  TraceFailure,
  TraceHead,
  TraceRow,
} from "../../src/webview-messages/trace.ts";
import { element, redraw, whenFocused } from "../shared/dom.ts";
import { joinHost } from "../shared/host.ts";
import "../shared/page.css";
import { byKind, count, flag, listOf, object, oneOf, orNull, type Read, text } from "../shared/read.ts";
import { drawDetails, drawFlameTools, drawGone, drawHead, drawTools } from "./draw.ts";
import { FlameChart } from "./flame.ts";
import "./trace.css";
import { TraceTree } from "./tree.ts";
import "@vscode/codicons/dist/codicon.css";
import { t } from "@vscode/l10n";

const tone = oneOf("good", "bad", "warning", "moving", "neutral");
const detail = object<TraceHead["rows"][number]>({ name: text, value: text, exact: flag });

const failure = object<TraceFailure>({
  reason: text,
  sites: listOf(object<TraceFailure["sites"][number]>({ text, canOpen: flag })),
  lines: listOf(object<TraceFailure["lines"][number]>({ number: count, text, isSite: flag })),
  note: orNull(text),
});

const head = object<TraceHead>({
  txId: orNull(text),
  title: text,
  network: text,
  state: object<TraceHead["state"]>({ text, icon: text, tone }),
  rows: listOf(detail),
  notes: listOf(text),
  failure: orNull(failure),
});

const row = object<TraceRow>({
  id: count,
  level: count,
  position: count,
  siblings: count,
  isOpen: orNull(flag),
  icon: text,
  tone,
  label: text,
  description: text,
  energy: text,
  share: count,
  source: orNull(text),
});

const table = object<TraceDetails["tables"][number]>({
  title: text,
  note: orNull(text),
  columns: listOf(text),
  rows: listOf(listOf(object({ text, copy: orNull(text) }))),
});

const box = object<FlameBox>({
  id: count,
  parent: orNull(count),
  depth: count,
  left: count,
  width: count,
  label: text,
  energy: text,
  own: text,
  percent: text,
  source: orNull(text),
});

const energyRow = object<EnergyRow>({
  id: count,
  label: text,
  source: orNull(text),
  own: text,
  percent: text,
  count: text,
});

const readMessage = byKind<ToTracePage>({
  show: object({ head, pinned: flag, request: count }),
  rows: object({ total: count, from: count, rows: listOf(row), selected: count, found: orNull(count) }),
  details: object({ details: object<TraceDetails>({ title: text, rows: listOf(detail), tables: listOf(table) }) }),
  flame: object({
    by: oneOf("function", "line"),
    boxes: listOf(box),
    rows: listOf(energyRow),
    note: orNull(text),
  }),
  gone: object({ sentence: text }),
});

/** Page state that survives a reload. */
interface Remembered {
  readonly txId: string | null;
  readonly pinned: boolean;
}

const readState: Read<Remembered> = object<Remembered>({ txId: orNull(text), pinned: flag });

const page = document.getElementById("page");
const news = document.getElementById("news");
const host = joinHost<ToTracePage, FromTracePage, Remembered>({ message: readMessage, state: readState }, receive);
const send = (message: FromTracePage): void => host.send(message);

const headPart = element("div", { class: "head-part" });
const detailsPart = element("section", { class: "details", "aria-labelledby": "details-title" });
const tree = new TraceTree(send);
const treePart = element("section", { "aria-labelledby": "tree-title", class: "calls" });
const flame = new FlameChart(send);
const flamePart = element("section", { "aria-labelledby": "flame-title", class: "energy" });
/** Request that took the focus. */
let focused: number | undefined;

function receive(message: ToTracePage): void {
  switch (message.kind) {
    case "show":
      show(message);
      return;
    case "rows":
      tree.show(message);
      if (message.found !== null) say(t`${message.found} found`);
      return;
    case "details":
      redraw(detailsPart, drawDetails(message.details, handlers));
      return;
    case "flame":
      flame.show(message);
      return;
    case "gone":
      page?.replaceChildren(...drawGone(message.sentence));
      return;
  }
}

const handlers = {
  send,
  copy: (value: string): void => {
    send({ kind: "copy", text: value });
    say(t`Copied`);
  },
};

function show({ head: shown, pinned, request }: Extract<ToTracePage, { kind: "show" }>): void {
  if (page === null) return;
  host.remember({ txId: shown.txId, pinned });
  if (!headPart.isConnected) build(page);
  redraw(headPart, drawHead(shown, pinned, handlers));
  if (request === focused) return;
  focused = request;
  say(shown.state.text);
  tree.reset();
  send({ kind: "flame", by: flame.by, root: null });
  // A failed run opens at its source line, so that Enter opens the file.
  const first = headPart.querySelector<HTMLElement>("[data-key='site 0']") ?? tree.list;
  whenFocused(() => first.focus());
}

/** Builds the parts that keep their elements, so that focus and scroll position stay. */
function build(into: HTMLElement): void {
  const reload = (by: "function" | "line"): void => {
    flame.by = by;
    send({ kind: "flame", by, root: null });
  };
  treePart.replaceChildren(...drawTools(send), tree.list);
  flamePart.replaceChildren(...drawFlameTools(reload), flame.element);
  into.replaceChildren(headPart, element("div", { class: "split" }, treePart, detailsPart), flamePart);
}

/** Says what is new to a screen reader, once. */
function say(message: string): void {
  if (news !== null && news.textContent !== message) news.textContent = message;
}

send({ kind: "ready" });
