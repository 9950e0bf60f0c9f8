import type {
  FromTimelinePage,
  SectionTable,
  SectionText,
  TableCell,
  Timeline,
  TimelineButton,
  TimelineRow,
  ToTimelinePage,
  TransactionSection,
} from "../../src/webview-messages/timeline.ts";
import { redraw } from "../shared/dom.ts";
import { joinHost } from "../shared/host.ts";
import "../shared/page.css";
import { byKind, count, flag, listOf, object, oneOf, orNull, type Read, text } from "../shared/read.ts";
import { drawGone, drawLife } from "./draw.ts";
import "./timeline.css";
import "@vscode/codicons/dist/codicon.css";
import { t } from "@vscode/l10n";

const tone = oneOf("good", "bad", "warning", "moving", "neutral");
const rows = listOf(object<TimelineRow>({ name: text, value: text, exact: flag }));

const stage = object<Timeline["stages"][number]>({
  label: text,
  tone,
  icon: text,
  spoken: text,
  mark: oneOf("done", "now", "open", "failed", "ahead", "never"),
});

const step = object<Timeline["steps"][number]>({
  id: text,
  icon: text,
  tone,
  label: text,
  description: text,
  rows,
  txId: orNull(text),
});

const proof = object<NonNullable<Timeline["proof"]>>({
  title: text,
  icon: text,
  tone,
  sentence: text,
  rows,
  progress: orNull(object<{ read: number; total: number }>({ read: count, total: count })),
});

const button = object<TimelineButton>({
  action: oneOf(
    ...([
      "resend",
      "another-node",
      "look-now",
      "replace",
      "again",
      "sign",
      "export-proof",
      "stop-proof",
      "resume-proof",
    ] as const),
    ...(["copy-report", "copy-text", "copy-json", "show-in-list", "open-explorer"] as const),
    ...(["call-contract", "read-contract", "trace", "debug", "read-again"] as const),
  ),
  label: text,
  icon: text,
  primary: flag,
  whyNot: orNull(text),
});

const cell = object<TableCell>({ text, copy: orNull(text) });
const table = object<SectionTable>({
  title: text,
  note: orNull(text),
  columns: listOf(text),
  rows: listOf(listOf(cell)),
});
const sectionId = oneOf("call", "cost", "result", "events", "internal", "raw");
const section = object<TransactionSection>({
  id: sectionId,
  title: text,
  note: orNull(text),
  rows,
  tables: listOf(table),
  texts: listOf(object<SectionText>({ title: text, text })),
  buttons: listOf(button),
});

const timeline = object<Timeline>({
  txId: text,
  title: text,
  network: text,
  production: flag,
  advice: orNull(text),
  rows,
  state: object<Timeline["state"]>({ text, icon: text, tone }),
  stages: listOf(stage),
  steps: listOf(step),
  proof: orNull(proof),
  buttons: listOf(button),
  sections: listOf(section),
  raw: section,
});

/**
 * Parses a message from the panel.
 *
 * @throws {TypeError} it does not fit
 */
const readMessage = byKind<ToTimelinePage>({
  show: object({
    life: timeline,
    pinned: flag,
    reveal: orNull(object<NonNullable<Reveal>>({ section: sectionId, request: count })),
  }),
  gone: object({ sentence: text }),
});

/** Page state that survives a reload. */
interface Remembered {
  readonly txId: string;
  readonly pinned: boolean;
}

const readState: Read<Remembered> = object<Remembered>({ txId: text, pinned: flag });

const page = document.getElementById("page");
const news = document.getElementById("news");

const host = joinHost<ToTimelinePage, FromTimelinePage, Remembered>({ message: readMessage, state: readState }, show);

const handlers = {
  act: (action) => host.send({ kind: "act", action }),
  copy: (text) => {
    host.send({ kind: "copy", text });
    say(t`Copied`);
  },
  open: (txId) => host.send({ kind: "open", txId }),
  pin: () => host.send({ kind: "pin" }),
} satisfies Parameters<typeof drawLife>[2];

type Reveal = Extract<ToTimelinePage, { kind: "show" }>["reveal"];

/** Transaction of the last message. */
let shown: string | undefined;
/** Section that stays at the top while data arrive, until the user moves the page. */
let revealed: Reveal = null;
let isMoved = false;
for (const event of ["wheel", "keydown", "pointerdown"]) {
  addEventListener(event, () => {
    isMoved = true;
  });
}

function show(message: ToTimelinePage): void {
  if (page === null) return;
  if (message.kind === "gone") {
    redraw(page, drawGone(message.sentence));
    return;
  }
  const { life, pinned, reveal } = message;
  host.remember({ txId: life.txId, pinned });
  if (shown !== undefined && shown !== life.txId) {
    page.replaceChildren();
    scrollTo(0, 0);
  }
  shown = life.txId;
  redraw(page, drawLife(life, pinned, handlers));
  showSection(reveal);
  say(life.state.text);
}

function showSection(reveal: Reveal): void {
  if (reveal?.request !== revealed?.request) isMoved = false;
  revealed = reveal;
  if (reveal !== null && !isMoved) document.getElementById(`${reveal.section}-title`)?.scrollIntoView();
}

/** Says what is new to a screen reader, once. */
function say(message: string): void {
  if (news !== null && news.textContent !== message) news.textContent = message;
}

host.send({ kind: "ready" });
