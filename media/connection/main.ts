import { t } from "@vscode/l10n";
import "@vscode/codicons/dist/codicon.css";
import type { FromConnectionPage, ToConnectionPage } from "../../src/webview-messages/connection.ts";
import { redraw } from "../shared/dom.ts";
import { joinHost } from "../shared/host.ts";
import { object } from "../shared/read.ts";
import "../shared/page.css";
import "./connection.css";
import { drawChecklist } from "./draw.ts";
import { readMessage } from "./message.ts";

const page = document.getElementById("page");
const news = document.getElementById("news");

const host = joinHost<ToConnectionPage, FromConnectionPage, object>({ message: readMessage, state: object({}) }, show);

const asks = {
  act: (action) => {
    host.send({ kind: "act", action });
    if (action === "copy-report") say(t`Report copied`);
  },
  fix: (id) => host.send({ kind: "fix", id }),
} satisfies Parameters<typeof drawChecklist>[1];

/** Lines come quickly: a screen reader hears of the first failure and of the end, not of each line. */
function show({ checklist }: ToConnectionPage): void {
  if (page === null) return;
  redraw(page, drawChecklist(checklist, asks));
  const { cause, progress, state } = checklist;
  if (progress === null) say(cause === null ? state.text : `${state.text} ${cause.title}: ${cause.sentence ?? ""}`);
}

function say(sentence: string): void {
  if (news !== null && news.textContent !== sentence) news.textContent = sentence;
}

host.send({ kind: "ready" });
