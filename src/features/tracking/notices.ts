import type { TrackedTransaction } from "@finality/client/tracking";
import type { TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { notify } from "../../host/prompts/notify.ts";
import { areNoticesUrgentOnly } from "../../host/settings/feature-settings.ts";
import { describeOutage, type Notice } from "./notifications.view.ts";
import { isShownHere, type NoticeServices, type NoticeSharing, Notifier, Outage } from "./notifier.ts";
import type { TrackingServices } from "./tracking-services.ts";

/** Commands that notices offer. */
const COMMANDS = {
  resend: "finality.sendSameBytesAgain",
  show: "finality.showTransaction",
  "show-list": "finality.transactions.focus",
  timeline: "finality.showTimeline",
  trace: "finality.traceTransaction",
  decode: "finality.decodeTransaction",
} as const;

/** Returns what is visible in this window. */
interface Sight {
  isListShown(): boolean;
  isTimelineShown(txId: TxId): boolean;
  /** Called when the window closes. */
  readonly closing: AbortSignal;
}

/** Creates the notifier. Loaded when the first transaction changes. */
export function createNotifier(services: TrackingServices, sessionStart: number, sight: Sight): Notifier {
  const { nameOf, clicks, reasons, transactions } = services;
  const isLocal = (it: TrackedTransaction) => services.networkOf(transactions.networkOf(it))?.local === true;
  const context = { nameOf, sessionStart, reasonOf: reasons.of, greets: true, isLocal };
  return new Notifier(context, noticeServices(services, sight), (action, txId) => {
    if (action === "hide") void services.notices().then((it) => it.hide("failed"));
    else if (action !== "keep-watching") {
      void vscode.commands.executeCommand(COMMANDS[action], clicks.of({ txId }));
    }
  });
}

/** Maximum time that a notice waits for a refresh, ms. */
const CHECK_INTERVAL_MS = 10_000;
/** Notices within this time are shown as one, ms. */
const TOGETHER_MS = 500;

/** Returns the services of notices. If a refresh does not finish in time, the notice reports the last known state. */
function noticeServices(services: TrackingServices, sight: Sight): NoticeServices {
  const { transactions, sleep, reasons } = services;
  const { closing } = sight;
  const notices = noticeServicesOf(services, sight);
  return {
    isShownHere: (notice, txId) => isShownHere(notice, txId, notices),
    pause: () =>
      sleep(TOGETHER_MS, closing).then(
        () => true,
        () => false,
      ),
    get: (txId) => transactions.get(txId),
    look: async (txId) => {
      const late = new AbortController();
      const query = transactions.lookNow(txId).catch(() => undefined);
      const over = sleep(CHECK_INTERVAL_MS, AbortSignal.any([late.signal, closing])).catch(() => undefined);
      await Promise.race([query, over]);
      late.abort();
    },
    reasonOn: (tracked) => reasons.settled(tracked),
    show: async ({ severity, message, actions }) => {
      const { notify } = await import("../../host/prompts/notify.ts");
      return (await notify(severity, message, ...actions))?.action;
    },
  };
}

function noticeServicesOf({ transactions, notices }: TrackingServices, sight: Sight): NoticeSharing {
  const isInSight = ({ topic }: Notice, txId: TxId): boolean =>
    sight.isTimelineShown(txId) || (topic === "failed" && sight.isListShown());
  return {
    list: () => transactions.list(),
    isHidden: async ({ topic }) => {
      if (topic !== undefined && areNoticesUrgentOnly()) return true;
      return topic === "failed" && (await (await notices()).isHidden(topic));
    },
    isInSight,
    isShownHere: async (what) => (await notices()).isShownHere(what),
  };
}

const SHOW_LOG = t`Show Log`;

/**
 * Creates the notice about gateways that do not answer.
 *
 * @param isInSight - Returns whether the list shows it already.
 */
export function outageOf(
  { transactions, sleep }: Pick<TrackingServices, "transactions" | "sleep">,
  isInSight: () => boolean,
): Outage {
  return new Outage({
    unanswered: () => transactions.unanswered,
    isQuiet: () => isInSight() || !transactions.list().some((it) => !it.hidden && isWaiting(it)),
    sleep,
    say: (networks) => void say(networks),
  });
}

function isWaiting({ state }: TrackedTransaction): boolean {
  return state.kind === "unknown" || state.kind === "pending" || state.kind === "included";
}

async function say(networks: readonly string[]): Promise<void> {
  const chosen = await notify("warning", describeOutage(networks), SHOW_LOG);
  if (chosen !== undefined) await vscode.commands.executeCommand("finality.showLog");
}
