import type { TxId } from "@finality/tron/primitives";
import { byKind, flag, keyOf, object, type Read, txId as readTxId, text, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { OwnClicks } from "../../host/commands/commands.ts";
import type { CommandId } from "../../host/contributions.ts";
import { showPage } from "../../host/webview-page.ts";
import type {
  FromTimelinePage,
  SectionId,
  Timeline,
  TimelineAction,
  ToTimelinePage,
} from "../../webview-messages/timeline.ts";

const TIMELINE_VIEW = "finality.timeline";

interface TimelinePanelServices {
  readonly extensionUri: vscode.Uri;
  readonly clicks: OwnClicks;
  readonly now: () => number;
  /** Returns the page of a transaction, or undefined if it is unknown. */
  readonly describe: (txId: TxId) => Timeline | undefined;
  /** Starts reading what the journal does not have. @param again - also after a failure */
  readonly read: (txId: TxId, again?: boolean) => void;
  /** Fires when some or all pages may have changed. */
  readonly onDidChange: vscode.Event<readonly TxId[] | undefined>;
}

/** Command of a button, with fields besides the txID. The page can run nothing else. */
interface ButtonCommand {
  readonly command: CommandId;
  readonly fields?: object;
}

const COMMANDS: { readonly [A in Exclude<TimelineAction, "read-again">]: ButtonCommand } = {
  resend: { command: "finality.sendSameBytesAgain" },
  "another-node": { command: "finality.sendToAnotherNode" },
  "look-now": { command: "finality.lookNow" },
  replace: { command: "finality.createReplacement" },
  again: { command: "finality.doItAgain" },
  sign: { command: "finality.signAgain" },
  "export-proof": { command: "finality.exportProof" },
  "stop-proof": { command: "finality.stopProof" },
  "resume-proof": { command: "finality.resumeProof" },
  "copy-report": { command: "finality.copyReport" },
  "copy-text": { command: "finality.copyReport", fields: { format: "text" } },
  "copy-json": { command: "finality.copyReport", fields: { format: "json" } },
  "show-in-list": { command: "finality.showTransaction" },
  "open-explorer": { command: "finality.openInExplorer" },
  "call-contract": { command: "finality.callContract" },
  "read-contract": { command: "finality.readContract" },
  trace: { command: "finality.traceTransaction" },
  debug: { command: "finality.debugTransaction" },
  "trace-failure": { command: "finality.traceFailure" },
};

const fromPage: Read<FromTimelinePage> = byKind({
  ready: object({}),
  pin: object({}),
  act: object({ action: keyOf({ ...COMMANDS, "read-again": true }) }),
  copy: object({ text }),
  open: object({ txId: readTxId }),
} satisfies { readonly [K in FromTimelinePage["kind"]]: Read<object> });

/** State that VS Code stores for a closed panel. */
const remembered = object({ txId: readTxId }, { pinned: flag });

/** A second click within this time pins the page; ms. */
const DOUBLE_CLICK_MS = 500;

/** Page in an editor tab. */
interface OpenPage {
  readonly panel: vscode.WebviewPanel;
  txId: TxId;
  pinned: boolean;
  /** True once the user asked for it in this session, so that requests are allowed. */
  isRead: boolean;
  /** Section that the page was last opened at, and when; Unix ms. */
  reveal: { readonly section: SectionId; readonly request: number } | null;
}

/**
 * Transaction pages: one preview, which shows the last transaction, and pinned pages, which keep theirs. They hold no
 * content: it is described again each time.
 */
export class TimelinePanels implements vscode.Disposable {
  readonly #services: TimelinePanelServices;
  readonly #pages = new Set<OpenPage>();
  readonly #subscription: vscode.Disposable;
  #lastShown: { readonly txId: TxId; readonly at: number } | undefined;

  constructor(services: TimelinePanelServices) {
    this.#services = services;
    this.#subscription = services.onDidChange((txIds) => {
      for (const page of this.#pages) if (txIds?.includes(page.txId) ?? true) this.#update(page);
    });
  }

  /**
   * Shows a transaction in its own page, else in the preview. Showing it twice within the time of a double click pins it.
   *
   * @param focus - Whether the page takes the focus.
   * @param section - Section to scroll to.
   */
  show(txId: TxId, focus: boolean, section?: SectionId): void {
    const now = this.#services.now();
    const isDouble = this.#lastShown?.txId === txId && now - this.#lastShown.at <= DOUBLE_CLICK_MS;
    this.#lastShown = { txId, at: now };
    const reveal = section === undefined ? null : { section, request: now };
    const open = this.#pageOf(txId) ?? this.#preview();
    if (open === undefined) {
      const column = { viewColumn: vscode.ViewColumn.Active, preserveFocus: !focus };
      const panel = vscode.window.createWebviewPanel(TIMELINE_VIEW, t`Transaction`, column);
      this.#take({ txId, panel, pinned: false, isRead: true, reveal });
    } else {
      open.pinned ||= isDouble;
      open.isRead = true;
      open.txId = txId;
      open.reveal = reveal;
      this.#update(open);
      open.panel.reveal(undefined, !focus);
    }
    this.#services.read(txId);
  }

  /** Reads what has changed of transactions that were read before and are visible. */
  readAgain(txIds: readonly TxId[]): void {
    for (const { txId, isRead, panel } of this.#pages)
      if (isRead && panel.visible && txIds.includes(txId)) this.#services.read(txId);
  }

  isShown(txId: TxId): boolean {
    return this.#pageOf(txId)?.panel.visible === true;
  }

  /** Restores a page of the previous session. Nothing is requested before the user asks for it. */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const stored = tryRead(remembered, state);
    if (stored === undefined || this.#pageOf(stored.txId) !== undefined) {
      panel.dispose();
      return;
    }
    const { txId, pinned = false } = stored;
    this.#take({ txId, panel, pinned: pinned || this.#preview() !== undefined, isRead: false, reveal: null });
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const { panel } of this.#pages) panel.dispose();
  }

  #pageOf(txId: TxId): OpenPage | undefined {
    return [...this.#pages].find((it) => it.txId === txId);
  }

  #preview(): OpenPage | undefined {
    return [...this.#pages].find(({ pinned }) => !pinned);
  }

  #take(page: OpenPage): void {
    const { extensionUri } = this.#services;
    const { panel } = page;
    this.#pages.add(page);
    panel.iconPath = new vscode.ThemeIcon("pulse");
    panel.onDidDispose(() => this.#pages.delete(page));
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received(page, message));
    showPage(panel.webview, { name: "timeline", title: t`Transaction`, extensionUri });
    this.#update(page);
  }

  #update({ panel, txId, pinned, reveal }: OpenPage): void {
    const timeline = this.#services.describe(txId);
    panel.title = timeline === undefined ? t`Transaction` : timeline.title;
    const message: ToTimelinePage = timeline === undefined ? GONE : { kind: "show", life: timeline, pinned, reveal };
    void panel.webview.postMessage(message);
  }

  #received(page: OpenPage, message: unknown): void {
    const { txId } = page;
    const read = tryRead(fromPage, message);
    switch (read?.kind) {
      case undefined:
        return;
      case "ready":
        this.#update(page);
        return;
      case "pin":
        page.pinned = true;
        this.#update(page);
        return;
      case "act":
        this.#act(txId, read.action);
        return;
      case "copy":
        void vscode.env.clipboard.writeText(read.text);
        return;
      case "open":
        this.show(readTxId(read.txId), true);
        return;
    }
  }

  #act(txId: TxId, action: TimelineAction): void {
    if (action === "read-again") {
      this.#services.read(txId, true);
      return;
    }
    const { command, fields } = COMMANDS[action];
    // Passes a `kind`, as rows of the tree do, so that errors are shown to the user.
    void vscode.commands.executeCommand(command, this.#services.clicks.of({ kind: "timeline", txId, ...fields }));
  }
}

const GONE: ToTimelinePage = {
  kind: "gone",
  sentence: t`This transaction is not in the journal of this computer. Use Track Transaction to track it by its txID.`,
};
