import * as vscode from "vscode";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import type { TxId } from "../../core/primitives/hash.ts";
import { isCallOfProgram } from "../../host/commands/call-of-program.ts";
import { sayInStatusBar } from "../../host/prompts/notify.ts";
import { chooseTransaction } from "../../host/sending/choose-transaction.ts";
import type { LifeLine } from "../../webview-messages/life-line.ts";
import { formatTime } from "./format-time.ts";
import { describeLifeLine } from "./life-line-page.view.ts";
import { LifeLinePanels } from "./life-line-panel.ts";
import { lifeLineReport } from "./life-line-report.view.ts";
import { maskTexts } from "./mask-texts.ts";
import type { TrackingServices } from "./services.ts";

/** What Copy Report gives to who called it. */
export interface CopiedReport {
  readonly txId: TxId;
  readonly markdown: string;
}

/** The life line: its panels and its report. A part of its own, loaded when the first one is looked at. */
export function createLifeLineCommands(services: TrackingServices, sessionStart: number) {
  const { transactions, nameOf, now, networkOf, masked, extensionUri } = services;
  const changed = new vscode.EventEmitter<readonly TxId[] | undefined>();
  const describe = (tracked: TrackedTransaction, timeOf: (ms: number) => string): LifeLine => {
    const network = networkOf(transactions.networkOf(tracked));
    const fallbackUrls = network?.fallbackUrls ?? [];
    const watched = { networkOf: (it: TrackedTransaction) => transactions.networkOf(it) };
    const context = {
      nameOf,
      timeOf,
      sessionStart,
      production: network?.production ?? false,
      fallbackUrls,
      ...watched,
    };
    return maskTexts(describeLifeLine(tracked, context), masked);
  };
  const panels = new LifeLinePanels({
    ...{ extensionUri, clicks: services.clicks },
    describe: (txId) => {
      const tracked = transactions.get(txId);
      return tracked && describe(tracked, (ms) => formatTime(ms, now()));
    },
    onDidChange: changed.event,
  });
  const choose = (title: string, argument: unknown) =>
    chooseTransaction(transactions, argument, { title, fits: any, nameOf });
  return {
    async show(argument: unknown): Promise<{ readonly txId: TxId } | undefined> {
      const tracked = await choose("Show Life Line", argument);
      if (tracked === undefined) return undefined;
      panels.show(tracked.txId);
      return { txId: tracked.txId };
    },
    async copyReport(argument: unknown): Promise<CopiedReport | undefined> {
      const tracked = await choose("Copy Report", argument);
      if (tracked === undefined) return undefined;
      const markdown = lifeLineReport(describe(tracked, isoTime));
      await vscode.env.clipboard.writeText(markdown);
      if (!isCallOfProgram(argument)) sayInStatusBar("check", "Report copied", SAID_FOR_MS);
      return { txId: tracked.txId, markdown };
    },
    async revive(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
      await transactions.ready();
      panels.revive(panel, state);
    },
    subscriptions: vscode.Disposable.from(
      ...[panels, changed],
      transactions.onDidChange((txIds) => changed.fire(txIds)),
      services.onDidChangeSurroundings(() => changed.fire(undefined)),
    ),
  };
}

const SAID_FOR_MS = 3_000;

function any(): boolean {
  return true;
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
