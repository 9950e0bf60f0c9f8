import type { TrackedTransaction } from "@finality/client/tracking";
import { formatTime } from "@finality/tron/format";
import { defined, parseTxId, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { type NextStep, notifyWithSteps } from "../../host/commands/show-error.ts";
import { maskTexts } from "../../host/log/masking.ts";
import { confirmInStatusBar, notify } from "../../host/prompts/notify.ts";
import type { SharedNotices } from "../../host/windows/shared-notices.ts";
import { transactionLabel } from "../../labels/transactions.ts";
import { chooseTransaction, type NamedTransaction } from "../../sending/dialogs.ts";
import type { Timeline } from "../../webview-messages/timeline.ts";
import { createListCommands } from "./list-commands.ts";
import { describeTimeline, timelineReport } from "./timeline-page.view.ts";
import { TimelinePanels } from "./timeline-panel.ts";
import type { TrackingServices, TransactionList } from "./tracking-services.ts";
import { describeState } from "./transaction.view.ts";

export interface TrackingPart extends vscode.Disposable {
  readonly commands: Commands<"tracking">;
  /** Returns whether the timeline of a transaction is visible. */
  isShown(txId: TxId): boolean;
  /** Restores a timeline that was open in the window. */
  revive(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
}

/**
 * Creates the commands of the list and the timeline panels. Loaded when first used.
 *
 * @param list - The view of transactions.
 */
export function createTracking(services: TrackingServices, sessionStart: number, list: TransactionList): TrackingPart {
  const { transactions, nameOf, now, extensionUri, reasons } = services;
  const changed = new vscode.EventEmitter<readonly TxId[] | undefined>();
  const describe = describer(services, sessionStart);
  const panels = new TimelinePanels({
    extensionUri,
    clicks: services.clicks,
    describe: (txId) => {
      const tracked = transactions.get(txId);
      return tracked && describe(tracked, (ms) => formatTime(ms, now()));
    },
    onDidChange: changed.event,
  });
  const listPart = createListCommands(services, list);
  const choose = (title: string, argument: NamedTransaction) =>
    chooseTransaction(transactions, argument, { title, fits: () => true, nameOf });
  /** States that need a decision have their own notice. */
  const showResult = async (tracked: TrackedTransaction): Promise<void> => {
    if (["unknown", "rejected"].includes(tracked.state.kind)) return;
    const { spoken } = describeState(tracked, { sessionStart, reasonOf: reasons.of });
    const show = t`Show`;
    const message = `${transactionLabel(tracked, nameOf)} · ${spoken}`;
    if ((await notify("information", message, show)) === show) await list.reveal(tracked.txId, true);
  };
  const subscriptions = vscode.Disposable.from(
    panels,
    listPart,
    changed,
    transactions.onDidChange((txIds) => changed.fire(txIds)),
    services.onDidChangeContext(() => changed.fire(undefined)),
  );
  return {
    commands: {
      "finality.showTransaction": async ({ txId: text, focus = true }, raw) => {
        const isLink = text !== undefined || isCallOfProgram(raw);
        const txId = isLink ? parseTxId(text ?? "") : (await choose(t`Show Transaction`, {}))?.txId;
        const tracked = txId === undefined ? undefined : transactions.get(txId);
        if (tracked === undefined || tracked.hidden) {
          if (isLink) void sayUnlisted(txId);
        } else if (focus || list.isShown()) {
          listPart.show(tracked.txId);
          await list.reveal(tracked.txId, focus);
        } else void showResult(tracked);
      },
      "finality.showTimeline": async (argument) => {
        const tracked = await choose(t`Show Timeline`, argument);
        if (tracked === undefined) return undefined;
        panels.show(tracked.txId);
        return { txId: tracked.txId };
      },
      "finality.copyReport": async (argument, raw) => {
        const tracked = await choose(t`Copy Report`, argument);
        if (tracked === undefined) return undefined;
        await reasons.settled(tracked);
        const markdown = timelineReport(describe(tracked, isoTime));
        await vscode.env.clipboard.writeText(markdown);
        if (!isCallOfProgram(raw)) confirmInStatusBar(t`Report copied`);
        return { txId: tracked.txId, markdown };
      },
      ...listPart.commands,
    },
    isShown: (txId) => panels.isShown(txId),
    revive: async (panel, state) => {
      await transactions.ready();
      panels.revive(panel, state);
    },
    dispose: () => subscriptions.dispose(),
  };
}

/** An old link may refer to an unknown transaction, or to no txID at all. */
async function sayUnlisted(txId: TxId | undefined): Promise<void> {
  const steps: readonly NextStep[] = [{ title: t`Track Transaction…`, command: "finality.trackTransaction" }];
  const message = t`This transaction is not in the list.`;
  await notifyWithSteps("information", message, steps, { kind: "unlisted", ...defined({ txId }) });
}

/** Shows hidden notices again. Returns the number of kinds of notices that were hidden. */
export async function showNoticesAgain(
  notices: () => Promise<Pick<SharedNotices, "showAll">>,
): Promise<{ readonly shown: number }> {
  const shown = await (await notices()).showAll();
  confirmInStatusBar(shown === 0 ? t`No notice is hidden` : t`All notices are shown again`);
  return { shown };
}

type Describe = (tracked: TrackedTransaction, timeOf: (ms: number) => string) => Timeline;

/** Describes timelines without secrets. */
function describer(services: TrackingServices, sessionStart: number): Describe {
  const { transactions, nameOf, networkOf, masked, reasons } = services;
  return (tracked, timeOf) => {
    const network = networkOf(transactions.networkOf(tracked));
    const context = {
      nameOf,
      timeOf,
      reasonOf: reasons.of,
      sessionStart,
      production: network?.production ?? false,
      fallbackUrls: network?.fallbackUrls ?? [],
      networkOf: (it: TrackedTransaction) => transactions.networkOf(it),
    };
    return maskTexts(describeTimeline(tracked, context), masked);
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
