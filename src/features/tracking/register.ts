import * as vscode from "vscode";
import type { TrackedTransaction } from "../../core/life/tracked-transaction.ts";
import type { TxId } from "../../core/primitives/bytes.ts";
import { registerAll, setContext } from "../../host/commands/commands.ts";
import type { GuestRow } from "../../host/guest-rows.ts";
import { lazily } from "../../host/lazily.ts";
import { counted } from "../../words/forms/numbers.ts";
import type { TrackingServices } from "./commands.ts";
import { DroppedTransactions } from "./dropped-transactions.ts";
import type { NoticeAction } from "./notifications.view.ts";
import { type NoticeServices, Notifier } from "./notifier.ts";
import { StatusBar } from "./status-bar.ts";
import { TransactionsTree, type TreeNode } from "./transactions-tree.ts";

/** Commands of others that rows, notices and the status bar item lead to. */
const COMMANDS = {
  switchNetwork: "finality.switchNetwork",
  resend: "finality.sendSameBytesAgain",
  show: "finality.showTransaction",
} as const;

/** Shows transactions: the tree with its badge, the status bar item, and what must not stay unseen. */
export function registerTracking(services: TrackingServices): vscode.Disposable {
  const { transactions } = services;
  const sessionStart = services.now();
  const tree = createTree(services, sessionStart);
  const view = vscode.window.createTreeView<TreeNode | GuestRow>("finality.transactions", {
    treeDataProvider: tree,
    dragAndDropController: new DroppedTransactions(services.clicks),
    showCollapseAll: true,
  });
  const statusBar = new StatusBar(COMMANDS.switchNetwork);
  const notifier = createNotifier(services, sessionStart);
  const draw = (changed?: readonly TxId[]): void => {
    tree.refresh(changed);
    drawBadge(view, tree.needingYou);
    const list = transactions.list();
    const look = statusBar.draw({ network: services.networks.active, transactions: list, sessionStart });
    setContext("finality.hasUnknown", look.background !== undefined);
    setContext("finality.hasTransaction", list.length > 0);
    setContext("finality.hasFinal", list.some(isFinal));
  };
  const start = (): void => {
    services.guests.show(true);
    transactions.ready().then(
      () => draw(),
      (error: unknown) => {
        view.message = error instanceof Error ? error.message : String(error);
      },
    );
  };
  const reveal = (txId: TxId, focus: boolean) => view.reveal(tree.nodeOf(txId), { select: true, focus, expand: true });
  const part = lazily(async () => (await import("./commands.ts")).createTracking(services, sessionStart, reveal));
  draw();
  if (view.visible) start();
  return vscode.Disposable.from(
    tree,
    view,
    statusBar,
    { dispose: () => part.ifLoaded((it) => it.dispose()) },
    transactions.onDidChange((txIds) => {
      draw(txIds);
      void notifier.announce(txIds.flatMap((txId) => transactions.get(txId) ?? []));
    }),
    transactions.onDidChangeTrouble(() => {
      view.message = transactions.trouble ?? "";
    }),
    services.onDidChangeSurroundings(() => draw()),
    services.guests.onDidChange((row) => tree.refreshGuests(row)),
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) start();
    }),
    registerAll(services.registerCommand, "tracking", part),
    vscode.window.registerWebviewPanelSerializer("finality.lifeLine", {
      deserializeWebviewPanel: async (panel, state) => (await part()).revive(panel, state),
    }),
  );
}

const isFinal = ({ state }: TrackedTransaction): boolean => state.kind === "solidified";

function createTree(services: TrackingServices, sessionStart: number): TransactionsTree {
  const { transactions, nameOf, now, clicks, reasons, guests } = services;
  const networkOf = (it: TrackedTransaction) => transactions.networkOf(it);
  return new TransactionsTree(transactions, {
    nameOf,
    now,
    sessionStart,
    clicks,
    networkOf,
    reasonOf: reasons.of,
    guests,
  });
}

function createNotifier(services: TrackingServices, sessionStart: number): Notifier {
  const { nameOf, clicks, reasons } = services;
  const context = { nameOf, sessionStart, reasonOf: reasons.of };
  return new Notifier(context, noticeServices(services), (action, txId) => void actOn(action, clicks.of({ txId })));
}

/** How long a notice waits for a look. */
const LOOK_MS = 10_000;

/** What cannot be looked for in time is told as it is known. */
function noticeServices({ transactions, sleep, reasons }: TrackingServices): NoticeServices {
  return {
    get: (txId) => transactions.get(txId),
    look: async (txId) => {
      const late = new AbortController();
      const looked = transactions.lookNow(txId).catch(() => undefined);
      await Promise.race([looked, sleep(LOOK_MS, late.signal).catch(() => undefined)]);
      late.abort();
    },
    reasonOn: (tracked) => reasons.settled(tracked),
    show: async ({ severity, message, actions }) => {
      const { notify } = await import("../../host/prompts/notify.ts");
      return (await notify(severity, message, ...actions))?.action;
    },
  };
}

function actOn(action: NoticeAction, argument: { readonly txId: TxId }): Thenable<unknown> | undefined {
  switch (action) {
    case "resend":
      return vscode.commands.executeCommand(COMMANDS.resend, argument);
    case "show":
      return vscode.commands.executeCommand(COMMANDS.show, argument);
    case "keep-watching":
      return undefined;
  }
}

function drawBadge(view: vscode.TreeView<TreeNode | GuestRow>, value: number): void {
  const tooltip = `${counted(value, "transaction")} ${value === 1 ? "needs" : "need"} you`;
  view.badge = value === 0 ? undefined : { value, tooltip };
}
