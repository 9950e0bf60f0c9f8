import { byKind, keyOf, object, type Read, tryRead, wholeNumber } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { showError } from "../../host/commands/show-error.ts";
import type { Log } from "../../host/log/log.ts";
import { showPage } from "../../host/webview-page.ts";
import type { FromRunPage, RunPageAction, RunPageView, RunRowView, ToRunPage } from "../../webview-messages/run.ts";

export const RUN_VIEW = "finality.run";

const ACTIONS: { readonly [A in RunPageAction]: true } = {
  ...{ start: true, again: true, copy: true },
  ...{ pause: true, resume: true, stop: true, retry: true, "export-csv": true, "export-json": true },
};

const fromPage: Read<FromRunPage> = byKind({
  ready: object({}),
  open: object({ row: wholeNumber }),
  act: object({ action: keyOf(ACTIONS) }),
} satisfies { readonly [K in FromRunPage["kind"]]: Read<object> });

/** Rows of one message. */
const ROWS_AT_ONCE = 2_000;

/** Handlers of the messages of a page. */
interface RunPageHandlers {
  ready(): void;
  open(row: number): void;
  /** A failure is shown to the user. */
  act(action: RunPageAction): Promise<void>;
  readonly log: Log;
}

/** Panel with the page of a run. */
export class RunWebview {
  readonly panel: vscode.WebviewPanel;
  readonly #handlers: RunPageHandlers;

  constructor(panel: vscode.WebviewPanel, extensionUri: vscode.Uri, handlers: RunPageHandlers) {
    this.panel = panel;
    this.#handlers = handlers;
    panel.iconPath = new vscode.ThemeIcon("checklist");
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received(message));
    showPage(panel.webview, { name: "run", title: t`Run`, extensionUri });
  }

  /** Shows a page with all of its rows. */
  show(page: RunPageView, rows: readonly RunRowView[]): void {
    this.#post({ kind: "show", page });
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE)
      this.#post({ kind: "rows", from, rows: rows.slice(from, from + ROWS_AT_ONCE) });
  }

  /** Shows what changed: everything besides the rows, and some of them. */
  change(page: RunPageView, rows: readonly RunRowView[]): void {
    this.#post({ kind: "change", page, rows });
  }

  #received(message: unknown): void {
    const { log } = this.#handlers;
    const read = tryRead(fromPage, message);
    switch (read?.kind) {
      case undefined:
        return;
      case "ready":
        this.#handlers.ready();
        return;
      case "open":
        this.#handlers.open(read.row);
        return;
      case "act":
        this.#handlers.act(read.action).catch((error: unknown) => {
          if (!(error instanceof vscode.CancellationError)) void showError(error, log);
        });
    }
  }

  #post(message: ToRunPage): void {
    void this.panel.webview.postMessage(message);
  }
}
