import type { TxId } from "@finality/tron/primitives";
import { byKind, keyOf, object, type Read, txId as readTxId, text, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { OwnClicks } from "../../host/commands/commands.ts";
import type { CommandId } from "../../host/contributions.ts";
import { showPage } from "../../host/webview-page.ts";
import type { FromTimelinePage, Timeline, TimelineAction, ToTimelinePage } from "../../webview-messages/timeline.ts";

const TIMELINE_VIEW = "finality.timeline";

interface TimelinePanelServices {
  readonly extensionUri: vscode.Uri;
  readonly clicks: OwnClicks;
  /** Returns the timeline of a transaction, or undefined if it is unknown. */
  readonly describe: (txId: TxId) => Timeline | undefined;
  /** Fires when some or all timelines may have changed. */
  readonly onDidChange: vscode.Event<readonly TxId[] | undefined>;
}

/** Commands of the buttons. The page can run nothing else. */
const COMMANDS: { readonly [A in TimelineAction]: CommandId } = {
  resend: "finality.sendSameBytesAgain",
  "another-node": "finality.sendToAnotherNode",
  "look-now": "finality.lookNow",
  replace: "finality.createReplacement",
  again: "finality.doItAgain",
  sign: "finality.signAgain",
  "export-proof": "finality.exportProof",
  "stop-proof": "finality.stopProof",
  "resume-proof": "finality.resumeProof",
  "copy-report": "finality.copyReport",
  "show-in-list": "finality.showTransaction",
};

const fromPage: Read<FromTimelinePage> = byKind({
  ready: object({}),
  act: object({ action: keyOf(COMMANDS) }),
  copy: object({ text }),
  open: object({ txId: readTxId }),
} satisfies { readonly [K in FromTimelinePage["kind"]]: Read<object> });

/** State that VS Code stores for a closed panel. */
const remembered = object({ txId: readTxId });

/** Timeline panels, one for each transaction. They hold no state: the content is described again each time. */
export class TimelinePanels implements vscode.Disposable {
  readonly #services: TimelinePanelServices;
  readonly #panels = new Map<TxId, vscode.WebviewPanel>();
  readonly #subscription: vscode.Disposable;

  constructor(services: TimelinePanelServices) {
    this.#services = services;
    this.#subscription = services.onDidChange((txIds) => {
      for (const txId of txIds ?? this.#panels.keys()) this.#update(txId);
    });
  }

  /** Opens the panel of a transaction, or brings it to the front. */
  show(txId: TxId): void {
    const open = this.#panels.get(txId);
    if (open !== undefined) {
      open.reveal();
      return;
    }
    const { ViewColumn } = vscode;
    this.#take(txId, vscode.window.createWebviewPanel(TIMELINE_VIEW, t`Timeline`, ViewColumn.Active));
  }

  isShown(txId: TxId): boolean {
    return this.#panels.get(txId)?.visible === true;
  }

  /** Restores a panel of the previous session. */
  revive(panel: vscode.WebviewPanel, state: unknown): void {
    const shown = tryRead(remembered, state);
    if (shown === undefined || this.#panels.has(shown.txId)) panel.dispose();
    else this.#take(shown.txId, panel);
  }

  dispose(): void {
    this.#subscription.dispose();
    for (const panel of this.#panels.values()) panel.dispose();
  }

  #take(txId: TxId, panel: vscode.WebviewPanel): void {
    const { extensionUri } = this.#services;
    this.#panels.set(txId, panel);
    panel.iconPath = new vscode.ThemeIcon("pulse");
    panel.onDidDispose(() => this.#panels.delete(txId));
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received(txId, message));
    showPage(panel.webview, { name: "timeline", title: t`Timeline`, extensionUri });
    this.#update(txId);
  }

  #update(txId: TxId): void {
    const panel = this.#panels.get(txId);
    if (panel === undefined) return;
    const timeline = this.#services.describe(txId);
    panel.title = timeline === undefined ? t`Timeline` : t`Timeline: ${timeline.title}`;
    const message: ToTimelinePage = timeline === undefined ? GONE : { kind: "show", life: timeline };
    void panel.webview.postMessage(message);
  }

  #click(txId: TxId): object {
    return this.#services.clicks.of({ kind: "timeline", txId });
  }

  #received(txId: TxId, message: unknown): void {
    const read = tryRead(fromPage, message);
    switch (read?.kind) {
      case undefined:
        return;
      case "ready":
        this.#update(txId);
        return;
      case "act":
        // Passes a `kind`, as rows of the tree do, so that errors are shown to the user.
        void vscode.commands.executeCommand(COMMANDS[read.action], this.#click(txId));
        return;
      case "copy":
        void vscode.env.clipboard.writeText(read.text);
        return;
      case "open":
        void vscode.commands.executeCommand("finality.showTimeline", { kind: "timeline", txId: read.txId });
        return;
    }
  }
}

const GONE: ToTimelinePage = {
  kind: "gone",
  sentence: t`This transaction is not in the journal of this computer. Use Track Transaction to track it by its txID.`,
};
