import { coinSymbolOf } from "@finality/client/gateway";
import { transactionLabel } from "@finality/client/labels";
import type { TrackedTransaction } from "@finality/client/tracking";
import { formatTime } from "@finality/tron/format";
import { defined, parseTxId, type TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { isCallOfProgram } from "../../host/caller.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { type NextStep, notifyWithSteps } from "../../host/commands/show-error.ts";
import { maskTexts } from "../../host/log/masking.ts";
import { confirmInStatusBar, notify, whileWorking } from "../../host/prompts/notify.ts";
import type { SharedNotices } from "../../host/windows/shared-notices.ts";
import { chooseTransaction, type NamedTransaction } from "../../sending/dialogs.ts";
import type { Timeline } from "../../webview-messages/timeline.ts";
import { createListCommands } from "./list-commands.ts";
import { FactReader } from "./timeline-facts.ts";
import { describeTimeline } from "./timeline-page.view.ts";
import { TimelinePanels } from "./timeline-panel.ts";
import { timelineJson, timelineReport, timelineText } from "./timeline-report.ts";
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
  const { transactions, nameOf } = services;
  const changed = new vscode.EventEmitter<readonly TxId[] | undefined>();
  const facts = new FactReader(services);
  const describe = describer(services, facts, sessionStart);
  const panels = createPanels(services, facts, describe, changed.event);
  const listPart = createListCommands(services, list);
  const reports = reporter(services, facts, describe);
  const choose = (title: string, argument: NamedTransaction) =>
    chooseTransaction(transactions, argument, { title, fits: () => true, nameOf });
  const subscriptions = vscode.Disposable.from(
    panels,
    listPart,
    changed,
    facts,
    facts.onDidChange((txIds) => changed.fire(txIds)),
    transactions.onDidChange((txIds) => {
      changed.fire(txIds);
      panels.readAgain(txIds);
    }),
    services.onDidChangeContext(() => changed.fire(undefined)),
  );
  return {
    commands: {
      "finality.showTransaction": async ({ txId: text, focus = true }, raw) => {
        const isLink = text !== undefined || isCallOfProgram(raw);
        const txId = isLink ? parseTxId(text ?? "") : (await choose(t`Show in List`, {}))?.txId;
        const tracked = txId === undefined ? undefined : transactions.get(txId);
        if (tracked === undefined || tracked.hidden) {
          if (isLink) void sayUnlisted(txId);
        } else if (focus || list.isShown()) {
          listPart.show(tracked.txId);
          await list.reveal(tracked.txId, focus);
        } else void notifyOf(tracked, services, list, sessionStart);
      },
      "finality.showTimeline": async (argument) => {
        const tracked = await choose(t`Show Transaction`, argument);
        if (tracked === undefined) return undefined;
        panels.show(tracked.txId, argument.focus ?? true, argument.section);
        return { txId: tracked.txId };
      },
      "finality.copyReport": async (argument, raw) => {
        const tracked = await choose(t`Copy Report`, argument);
        if (tracked === undefined) return undefined;
        const { format = "markdown" } = argument;
        const report = await whileWorking(t`Reading the transaction`, (cancelled) =>
          reports[format](tracked, cancelled),
        );
        await vscode.env.clipboard.writeText(report);
        if (!isCallOfProgram(raw)) confirmInStatusBar(t`Report copied`);
        return { txId: tracked.txId, [format]: report };
      },
      ...listPart.commands,
      "finality.editNote": async (argument, raw) => {
        const edited = await listPart.commands["finality.editNote"](argument, raw);
        changed.fire(undefined);
        return edited;
      },
    },
    isShown: (txId) => panels.isShown(txId),
    revive: async (panel, state) => {
      await transactions.ready();
      panels.revive(panel, state);
    },
    dispose: () => subscriptions.dispose(),
  };
}

function createPanels(
  { transactions, now, clicks, extensionUri }: TrackingServices,
  facts: FactReader,
  describe: Describe,
  onDidChange: vscode.Event<readonly TxId[] | undefined>,
): TimelinePanels {
  return new TimelinePanels({
    extensionUri,
    now,
    clicks,
    onDidChange,
    read: (txId, again = false) => {
      const tracked = transactions.get(txId);
      if (tracked !== undefined) void facts.read(tracked, { again });
    },
    describe: (txId) => {
      const tracked = transactions.get(txId);
      return tracked && describe(tracked, (ms) => formatTime(ms, now()));
    },
  });
}

/** Reports the state of a transaction whose list is hidden. States that need a decision have their own notice. */
async function notifyOf(
  tracked: TrackedTransaction,
  { nameOf, reasons }: TrackingServices,
  list: TransactionList,
  sessionStart: number,
): Promise<void> {
  if (["unknown", "rejected"].includes(tracked.state.kind)) return;
  const { spoken } = describeState(tracked, { sessionStart, reasonOf: reasons.of });
  const show = t`Show`;
  const message = `${transactionLabel(tracked, nameOf)} · ${spoken}`;
  if ((await notify("information", message, show)) === show) await list.reveal(tracked.txId, true);
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
function describer(services: TrackingServices, facts: FactReader, sessionStart: number): Describe {
  const { transactions, nameOf, networkOf, masked, reasons, callNames, notes } = services;
  return (tracked, timeOf) => {
    const network = networkOf(transactions.networkOf(tracked));
    const context = {
      nameOf,
      timeOf,
      reasonOf: reasons.of,
      functionOf: callNames.of,
      sessionStart,
      facts: facts.of(tracked),
      symbol: coinSymbolOf(network?.baseUrl),
      production: network?.production ?? false,
      hasExplorer: network?.explorerUrl !== undefined,
      fallbackUrls: network?.fallbackUrls ?? [],
      networkOf: (it: TrackedTransaction) => transactions.networkOf(it),
      isLocal: () => network?.local === true,
      noteOf: (txId: TxId) => notes.of(txId),
    };
    return maskTexts(describeTimeline(tracked, context), masked);
  };
}

type Report = (tracked: TrackedTransaction, cancelled: AbortSignal) => Promise<string>;

/** Formats transactions with all that the network serves. */
function reporter(services: TrackingServices, facts: FactReader, describe: Describe) {
  const readNotes = (): Promise<void> =>
    services.notes.read().catch((error: unknown) => services.log.error("Notes on transactions cannot be read.", error));
  const complete =
    (format: (it: TrackedTransaction) => string): Report =>
    async (tracked, cancelled) => {
      await Promise.all([services.reasons.settled(tracked), facts.read(tracked, { cancelled }), readNotes()]);
      return format(tracked);
    };
  return {
    markdown: complete((it) => timelineReport(describe(it, isoTime))),
    text: complete((it) => timelineText(describe(it, isoTime))),
    json: complete((it) => services.masked(timelineJson(it, facts.of(it), services.notes.of(it.txId)))),
  };
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
