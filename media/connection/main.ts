import type {
  ConnectionAction,
  ConnectionButton,
  ConnectionChecklist,
  ConnectionFix,
  ConnectionGroup,
  ConnectionLine,
  FromConnectionPage,
  ToConnectionPage,
} from "../../src/webview-messages/connection.ts";
import { redraw } from "../shared/dom.ts";
import { joinHost } from "../shared/host.ts";
import "../shared/page.css";
import { byKind, count, flag, listOf, object, oneOf, orNull, text } from "../shared/read.ts";
import "./connection.css";
import { drawChecklist } from "./draw.ts";
import "@vscode/codicons/dist/codicon.css";
import { t } from "@vscode/l10n";

const tone = oneOf("good", "bad", "warning", "moving", "neutral");

const line = object<ConnectionLine>({
  id: text,
  title: text,
  state: oneOf("waiting", "running", "ok", "warning", "failed", "skipped"),
  tone,
  icon: text,
  spoken: text,
  sentence: orNull(text),
  nextStep: orNull(text),
  took: orNull(text),
  fix: orNull(object<ConnectionFix>({ id: text, label: text })),
});

const group = object<ConnectionGroup>({ id: text, title: text, summary: text, folded: flag, lines: listOf(line) });

const actions = ["cancel", "again", "copy-report", "show-log", "accept-chain"] as const satisfies ConnectionAction[];
const button = object<ConnectionButton>({ action: oneOf(...actions), label: text, icon: text, primary: flag });

const checklist = object<ConnectionChecklist>({
  network: text,
  production: flag,
  title: text,
  state: object<ConnectionChecklist["state"]>({ text, icon: text, tone }),
  cause: orNull(line),
  progress: orNull(object<{ done: number; total: number }>({ done: count, total: count })),
  groups: listOf(group),
  buttons: listOf(button),
});

/**
 * Parses a message from the panel.
 *
 * @throws {TypeError} it does not fit
 */
const readMessage = byKind<ToConnectionPage>({ show: object({ checklist }) });

const page = document.getElementById("page");
const news = document.getElementById("news");

const host = joinHost<ToConnectionPage, FromConnectionPage, object>({ message: readMessage, state: object({}) }, show);

const handlers = {
  act: (action) => {
    host.send({ kind: "act", action });
    if (action === "copy-report") say(t`Report copied`);
  },
  fix: (id) => host.send({ kind: "fix", id }),
} satisfies Parameters<typeof drawChecklist>[1];

/** Lines come quickly: a screen reader hears of the first failure and of the end, not of each line. */
function show({ checklist }: ToConnectionPage): void {
  if (page === null) return;
  redraw(page, drawChecklist(checklist, handlers));
  const { cause, progress, state } = checklist;
  if (progress === null) say(cause === null ? state.text : `${state.text} ${cause.title}: ${cause.sentence ?? ""}`);
}

function say(message: string): void {
  if (news !== null && news.textContent !== message) news.textContent = message;
}

host.send({ kind: "ready" });
