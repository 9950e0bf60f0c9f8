import type {
  ConnectionAction,
  ConnectionButton,
  ConnectionChecklist,
  ConnectionFix,
  ConnectionGroup,
  ConnectionLine,
  ToConnectionPage,
} from "../../src/webview-messages/connection.ts";
import { byKind, count, flag, listOf, object, oneOf, orNull, text } from "../shared/read.ts";

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

/** What the panel sends. @throws {TypeError} it does not fit */
export const readMessage = byKind<ToConnectionPage>({ show: object({ checklist }) });
