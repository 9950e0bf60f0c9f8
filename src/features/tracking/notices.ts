import * as vscode from "vscode";
import type { TrackingServices } from "./commands.ts";
import { type NoticeServices, Notifier } from "./notifier.ts";

/** Commands that notices lead to. */
const COMMANDS = {
  resend: "finality.sendSameBytesAgain",
  show: "finality.showTransaction",
  "show-list": "finality.transactions.focus",
  "life-line": "finality.showLifeLine",
  decode: "finality.decodeTransaction",
} as const;

/** What speaks up about transactions. A part of its own: nobody needs it before the first of them changes. */
export function createNotifier(services: TrackingServices, sessionStart: number): Notifier {
  const { nameOf, clicks, reasons } = services;
  const context = { nameOf, sessionStart, reasonOf: reasons.of, greets: true };
  return new Notifier(context, noticeServices(services), (action, txId, { topic }) => {
    if (action === "hide" && topic !== undefined) services.hiddenNotices.hide(topic);
    else if (action !== "hide" && action !== "keep-watching") {
      void vscode.commands.executeCommand(COMMANDS[action], clicks.of({ txId }));
    }
  });
}

/** How long a notice waits for a look. */
const LOOK_MS = 10_000;
/** What comes within this time is said in one notice. */
const TOGETHER_MS = 500;

/** What cannot be looked for in time is told as it is known. */
function noticeServices({ transactions, sleep, reasons, hiddenNotices }: TrackingServices): NoticeServices {
  return {
    isHidden: ({ topic }) => topic !== undefined && hiddenNotices.has(topic),
    pause: () => sleep(TOGETHER_MS),
    get: (txId) => transactions.get(txId),
    look: async (txId) => {
      const late = new AbortController();
      const looked = transactions.lookNow(txId).catch(() => undefined);
      await Promise.race([looked, sleep(LOOK_MS, late.signal).catch(() => undefined)]);
      late.abort();
    },
    reasonOn: (tracked) => reasons.settled(tracked),
    show: async ({ severity, message, actions, topic }) => {
      if (topic === "first-final" && !hiddenNotices.isFirst(topic)) return undefined;
      const { notify } = await import("../../host/prompts/notify.ts");
      return (await notify(severity, message, ...actions))?.action;
    },
  };
}
