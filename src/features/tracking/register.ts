import type { TrackedTransaction } from "@finality/client/tracking";
import { grouped } from "@finality/tron/format";
import type { TxId } from "@finality/tron/primitives";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Lazy, lazy } from "../../host/async.ts";
import { type OwnClicks, registerAll, StoredContextKey, setContext } from "../../host/commands/commands.ts";
import type { ContributedRow } from "../../host/contributed-rows.ts";
import type { TrackingPart } from "./commands.ts";
import { describeStatusBar, type NoNetwork, type ShownNetwork, type StatusBarContent } from "./status-bar.view.ts";
import type { TrackingServices, TransactionList } from "./tracking-services.ts";
import { GROUPING, isTransaction, TransactionsTree, type TreeNode } from "./transactions-tree.ts";

/** The transactions view, for other features. */
interface Tracking extends vscode.Disposable {
  /** Returns the focused transaction of the list, or the selected ones if it is one of them. */
  focused(): Promise<readonly TxId[]>;
}

/** Registers the transactions view: the tree with its badge, the status bar item, and the notices. */
export function registerTracking(services: TrackingServices): Tracking {
  const { transactions } = services;
  const sessionStart = services.now();
  const tree = createTree(services, sessionStart);
  const view = vscode.window.createTreeView<ListRow>("finality.transactions", {
    treeDataProvider: tree,
    dragAndDropController: new DroppedTransactions(services.clicks),
    showCollapseAll: true,
    canSelectMany: true,
  });
  const statusBar = new StatusBar("finality.showMenu");
  const closing = new AbortController();
  const contexts = contextsOf(services, closing.signal);
  const draw = (changed?: readonly TxId[]): void => {
    tree.refresh(changed);
    drawBadge(view, tree.needingYou);
    const all = transactions.list();
    contexts.draw(all, statusBar.draw({ network: shownNetwork(services), transactions: all, sessionStart }));
  };
  const start = (): void => {
    services.contributed.show(true);
    Promise.all([transactions.ready(), restoreGrouping(services, tree), readNotes(services)]).then(
      () => draw(contexts.read()),
      (error: unknown) => {
        view.message = error instanceof Error ? error.message : String(error);
      },
    );
  };
  const list = listOf(view, tree);
  const { part, notifier, outage } = partsOf(services, sessionStart, { list, closing });
  draw();
  // Transactions that were not final when the editor closed are tracked further, regardless of the visible views.
  if (view.visible) start();
  else if (contexts.wasMoving) setImmediate(() => closing.signal.aborted || start());
  const subscriptions = vscode.Disposable.from(
    tree,
    view,
    statusBar,
    transactions.onDidChange((txIds) => {
      contexts.read();
      draw(txIds);
      void notifier().then((it) => it.announce(txIds.flatMap((txId) => transactions.get(txId) ?? [])));
    }),
    closed(closing, part, outage),
    transactions.onDidChangeIssues(() => {
      view.message = transactions.trouble ?? "";
      void outage().then((it) => it.look());
    }),
    services.onDidChangeContext(() => draw()),
    services.contributed.onDidChange((row) => tree.refreshContributed(row)),
    view.onDidChangeVisibility(({ visible }) => visible && start()),
    registerAll(services.registerCommand, "tracking", part),
    noticesCommand(services),
    restoreTimelines(part),
  );
  return { focused: () => list.focused(), dispose: () => subscriptions.dispose() };
}

type ListRow = TreeNode | ContributedRow;
type View = vscode.TreeView<ListRow>;

/** Returns the view as the commands of the list use it. */
function listOf(view: View, tree: TransactionsTree): TransactionList {
  return {
    reveal: (txId, focus) => {
      tree.showUpTo(txId);
      return view.reveal(tree.nodeOf(txId), { select: true, focus, expand: true });
    },
    isShown: () => view.visible,
    selected: () => (view.visible ? txIdsOf(view.selection) : []),
    focused: async () => txIdsOf(await focusedRows(view)),
    tree,
    showMore: async (group) => {
      const first = tree.showMore(group);
      if (first !== undefined && view.visible) await view.reveal(first, { select: false, focus: true });
      return first !== undefined;
    },
    describe: (text) => {
      // VS Code keeps the text of a deleted property.
      view.description = text ?? "";
    },
  };
}

/**
 * Returns the focused row, or the selected rows if it is one of them. VS Code does not report the focused row, so its
 * selection is toggled to see which row that is.
 */
async function focusedRows(view: View): Promise<readonly ListRow[]> {
  if (!view.visible) return [];
  await vscode.commands.executeCommand("list.toggleSelection");
  const toggled = view.selection;
  await vscode.commands.executeCommand("list.toggleSelection");
  // Read after the commands: the selection of the last key press may still be on its way before them.
  const selected = view.selection;
  const focused = toggled.filter((it) => !selected.includes(it));
  return focused.length > 0 ? focused : selected;
}

function txIdsOf(rows: readonly ListRow[]): readonly TxId[] {
  return rows.flatMap((it) => (isTransaction(it) ? [it.txId] : []));
}

/** Groups by the property that this workspace chose before. */
async function restoreGrouping(
  { workspaceState, nameOf, transactions }: TrackingServices,
  tree: TransactionsTree,
): Promise<void> {
  const stored = workspaceState.get<unknown>(GROUPING);
  if (stored === undefined) return;
  const { groupingBy, groupingOf } = await import("./groupings.view.ts");
  const group = groupingBy(groupingOf(stored), { nameOf, networkOf: (it) => transactions.networkOf(it) });
  tree.arrange({ group });
}

/** A file that cannot be read costs the notes, and nothing else. */
async function readNotes({ notes, log }: TrackingServices): Promise<void> {
  await notes.read().catch((error: unknown) => log.error("Notes on transactions cannot be read.", error));
}

function shownNetwork({ networks }: TrackingServices): ShownNetwork | NoNetwork {
  if (networks.isLocalStopped) return networks.isLocalDisconnected ? "disconnected" : "stopped";
  return networks.active ?? (networks.list().length === 0 ? "none" : "not chosen");
}

function restoreTimelines(part: Lazy<TrackingPart>): vscode.Disposable {
  return vscode.window.registerWebviewPanelSerializer("finality.timeline", {
    deserializeWebviewPanel: async (panel, state) => (await part()).revive(panel, state),
  });
}

function noticesCommand({ registerCommand, notices }: TrackingServices): vscode.Disposable {
  return registerCommand("finality.showNoticesAgain", async () =>
    (await import("./commands.ts")).showNoticesAgain(notices),
  );
}

interface InThisWindow {
  readonly list: TransactionList;
  readonly closing: AbortController;
}

/** Creates the parts that are loaded on first use: commands with the timeline, and notices. */
function partsOf(services: TrackingServices, sessionStart: number, { list, closing }: InThisWindow) {
  let isTimelineShown = (_txId: TxId): boolean => false;
  const part = lazy(async () => {
    const tracking = (await import("./commands.ts")).createTracking(services, sessionStart, list);
    isTimelineShown = tracking.isShown;
    return tracking;
  });
  const sight = {
    isListShown: () => list.isShown(),
    isTimelineShown: (txId: TxId) => isTimelineShown(txId),
    closing: closing.signal,
  };
  const notifier = lazy(async () => (await import("./notices.ts")).createNotifier(services, sessionStart, sight));
  const outage = lazy(async () => (await import("./notices.ts")).outageOf(services, sight.isListShown));
  return { part, notifier, outage };
}

/** Disposes the loaded parts with the window. */
function closed(closing: AbortController, ...parts: readonly Lazy<vscode.Disposable>[]): vscode.Disposable {
  return new vscode.Disposable(() => {
    closing.abort();
    for (const part of parts) part.ifLoaded((it) => it.dispose());
  });
}

const isFinal = ({ state }: TrackedTransaction): boolean => state.kind === "solidified";

function createTree(services: TrackingServices, sessionStart: number): TransactionsTree {
  const { transactions, nameOf, now, reasons, callNames, contributed } = services;
  const networkOf = (it: TrackedTransaction) => transactions.networkOf(it);
  const otherUrlsOf = (it: TrackedTransaction) => services.networkOf(networkOf(it))?.fallbackUrls ?? [];
  const isLocal = (it: TrackedTransaction) => services.networkOf(networkOf(it))?.local === true;
  return new TransactionsTree(transactions, {
    nameOf,
    now,
    sessionStart,
    networkOf,
    otherUrlsOf,
    isLocal,
    reasonOf: reasons.of,
    functionOf: callNames.of,
    contributed,
    noteOf: (txId) => services.notes.of(txId),
  });
}

/** Context keys of the manifest. They keep their last values until the journal is loaded. */
function contextsOf(services: TrackingServices, closing: AbortSignal) {
  const listed = new StoredContextKey<boolean>(services.state, "finality.hasTransaction", false);
  const palette = paletteTeller(services, closing);
  let isRead = false;
  return {
    wasMoving: palette.wasMoving,
    read: (): undefined => {
      isRead = true;
    },
    draw: (list: readonly TrackedTransaction[], { background }: StatusBarContent) => {
      setContext("finality.hasUnknown", background !== undefined);
      setContext("finality.hasFinal", list.some(isFinal));
      if (!isRead) return;
      listed.set(list.some(({ hidden }) => !hidden));
      palette.tell();
    },
  };
}

/** Delay before the context keys of the palette are updated, ms. */
const PALETTE_MS = 300;

/**
 * Updates the context keys of the palette shortly after the last change. `wasMoving`: whether a transaction was pending
 * at the previous update.
 */
function paletteTeller(services: TrackingServices, closing: AbortSignal) {
  const { state, sleep, transactions } = services;
  const networkOf = (it: TrackedTransaction) => services.networkOf(transactions.networkOf(it));
  const listed = new StoredContextKey<string>(state, "finality.listed", "");
  let isWaiting = false;
  const updateNow = async (): Promise<void> => {
    isWaiting = false;
    const { whatMayBeDone } = await import("./transaction.view.ts");
    listed.set(whatMayBeDone(transactions.list(), networkOf));
  };
  const notify = (): void => {
    if (isWaiting) return;
    isWaiting = true;
    sleep(PALETTE_MS, closing).then(updateNow, () => undefined);
  };
  return { tell: notify, wasMoving: listed.value.includes("+moving") };
}

function drawBadge(view: View, value: number): void {
  const tooltip =
    value === 1 ? t`${grouped(value)} transaction needs attention` : t`${grouped(value)} transactions need attention`;
  view.badge = value === 0 ? undefined : { value, tooltip };
}

/** Imports files and texts that are dropped on the list. Shows each transaction before anything happens. */
class DroppedTransactions implements vscode.TreeDragAndDropController<TreeNode> {
  readonly dropMimeTypes = ["text/uri-list", "text/plain"];
  readonly dragMimeTypes: readonly string[] = [];
  readonly #clicks: OwnClicks;

  constructor(clicks: OwnClicks) {
    this.#clicks = clicks;
  }

  async handleDrop(_target: TreeNode | undefined, data: vscode.DataTransfer): Promise<void> {
    const uris = await data.get("text/uri-list")?.asString();
    const [uri] = (uris ?? "").split(/\r?\n/).filter((it) => it !== "" && !it.startsWith("#"));
    const text = uri === undefined ? await data.get("text/plain")?.asString() : undefined;
    if (uri === undefined && text === undefined) return;
    const dropped = this.#clicks.of({ kind: "drop", ...(uri === undefined ? { text } : { uri }) });
    await vscode.commands.executeCommand("finality.importSignedTransaction", dropped);
  }
}

/** Data of the status bar item. */
interface StatusBarFacts {
  readonly network: ShownNetwork | NoNetwork;
  readonly transactions: readonly TrackedTransaction[];
  readonly sessionStart: number;
}

/** The status bar item of Finality. */
class StatusBar implements vscode.Disposable {
  readonly #item: vscode.StatusBarItem;

  constructor(command: string) {
    this.#item = vscode.window.createStatusBarItem("finality.status", vscode.StatusBarAlignment.Left, 10);
    this.#item.name = "Finality";
    this.#item.command = command;
    this.#item.show();
  }

  draw({ network, transactions, sessionStart }: StatusBarFacts): StatusBarContent {
    const content = describeStatusBar(network, transactions, sessionStart);
    const { text, tooltip, spoken, background } = content;
    this.#item.text = text;
    this.#item.tooltip = tooltip;
    this.#item.accessibilityInformation = { label: spoken, role: "button" };
    this.#item.backgroundColor = background === undefined ? undefined : new vscode.ThemeColor(background);
    return content;
  }

  dispose(): void {
    this.#item.dispose();
  }
}
