import { t } from "@vscode/l10n";
import "@vscode/codicons/dist/codicon.css";
import type { FromLifeLinePage, ToLifeLinePage } from "../../src/webview-messages/life-line.ts";
import { redraw } from "../shared/dom.ts";
import { joinHost } from "../shared/host.ts";
import "../shared/page.css";
import { drawGone, drawLife } from "./draw.ts";
import "./life-line.css";
import { type Remembered, readMessage, readState } from "./message.ts";

const page = document.getElementById("page");
const news = document.getElementById("news");

const host = joinHost<ToLifeLinePage, FromLifeLinePage, Remembered>({ message: readMessage, state: readState }, show);

const asks = {
  act: (action) => host.send({ kind: "act", action }),
  copy: (text) => {
    host.send({ kind: "copy", text });
    say(t`Copied`);
  },
  open: (txId) => host.send({ kind: "open", txId }),
} satisfies Parameters<typeof drawLife>[1];

function show(message: ToLifeLinePage): void {
  if (page === null) return;
  if (message.kind === "gone") {
    redraw(page, drawGone(message.sentence));
    return;
  }
  const { life } = message;
  host.remember({ txId: life.txId });
  redraw(page, drawLife(life, asks));
  say(life.state.text);
}

/** Says what is new to a screen reader, once. */
function say(sentence: string): void {
  if (news !== null && news.textContent !== sentence) news.textContent = sentence;
}

host.send({ kind: "ready" });
