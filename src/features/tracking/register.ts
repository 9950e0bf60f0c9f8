import * as vscode from "vscode";
import type { NetworkProfile } from "../../core/gateway/network-profile.ts";
import { parseTxId, type TxId } from "../../core/primitives/hash.ts";
import type { NameOf } from "../../core/transaction/describe-intent.ts";
import { type RegisterCommand, setContext } from "../../host/commands.ts";
import type { TransactionDesk } from "../../host/transaction-desk.ts";
import type { NoticeAction } from "./notifications.view.ts";
import { StatusBar } from "./status-bar.ts";
import { TransactionsTree, type TreeNode } from "./transactions-tree.ts";

/** What the tree, the status bar item and the notifications tell about. */
export interface TrackingServices {
  readonly registerCommand: RegisterCommand;
  readonly transactions: TransactionDesk;
  readonly activeNetwork: () => NetworkProfile | undefined;
  readonly nameOf: NameOf;
  /** Something other than transactions changed that rows and the status bar show: the network, a name. */
  readonly onDidChangeSurroundings: vscode.Event<void>;
  readonly now: () => number;
}

/** Commands of others that rows, notices and the status bar item lead to. */
const COMMANDS = {
  switchNetwork: "finality.switchNetwork",
  resend: "finality.sendSameBytesAgain",
  show: "finality.showTransaction",
} as const;

/** Shows transactions: the tree with its badge, the status bar item, and what must not stay unseen. */
export function registerTracking(services: TrackingServices): vscode.Disposable {
  const { transactions, nameOf, now } = services;
  const sessionStart = now();
  const tree = new TransactionsTree(transactions, { nameOf, now, sessionStart });
  const view = vscode.window.createTreeView<TreeNode>("finality.transactions", {
    treeDataProvider: tree,
    showCollapseAll: true,
  });
  const statusBar = new StatusBar(COMMANDS.switchNetwork);
  let notifier: Promise<import("./notifier.ts").Notifier> | undefined;
  const loadNotifier = async () => {
    const { Notifier } = await import("./notifier.ts");
    return new Notifier({ nameOf, sessionStart }, (action, txId) => void actOn(action, txId));
  };
  const announce = async (txIds: readonly TxId[]): Promise<void> => {
    const changed = txIds.flatMap((txId) => transactions.get(txId) ?? []);
    notifier ??= loadNotifier();
    (await notifier).announce(changed);
  };

  const draw = (changed?: readonly TxId[]): void => {
    tree.refresh(changed);
    drawBadge(view, tree.needingYou);
    const look = statusBar.draw({ network: services.activeNetwork(), transactions: transactions.list(), sessionStart });
    setContext("finality.hasUnknown", look.background !== undefined);
  };
  const start = (): void => {
    transactions.ready().then(
      () => draw(),
      (error: unknown) => {
        view.message = error instanceof Error ? error.message : String(error);
      },
    );
  };
  draw();
  if (view.visible) start();
  return vscode.Disposable.from(
    ...[tree, view, statusBar],
    transactions.onDidChange((txIds) => {
      draw(txIds);
      void announce(txIds);
    }),
    transactions.onDidChangeTrouble(() => {
      view.message = transactions.trouble ?? "";
    }),
    services.onDidChangeSurroundings(() => draw()),
    view.onDidChangeVisibility(({ visible }) => {
      if (visible) start();
    }),
    services.registerCommand("finality.showTransaction", ({ txId: text = "", focus = true }) => {
      const txId = parseTxId(text);
      return txId === undefined || transactions.get(txId) === undefined
        ? undefined
        : view.reveal(tree.nodeOf(txId), { select: true, focus, expand: true });
    }),
  );
}

function actOn(action: NoticeAction, txId: TxId): Thenable<unknown> | undefined {
  switch (action) {
    case "resend":
      return vscode.commands.executeCommand(COMMANDS.resend, { txId });
    case "show":
      return vscode.commands.executeCommand(COMMANDS.show, { txId });
    case "keep-watching":
      return undefined;
  }
}

function drawBadge(view: vscode.TreeView<TreeNode>, value: number): void {
  const tooltip = value === 1 ? "1 transaction needs you" : `${value} transactions need you`;
  view.badge = value === 0 ? undefined : { value, tooltip };
}
