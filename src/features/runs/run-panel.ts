import { coinSymbolOf } from "@finality/client/gateway";
import { isChainError } from "@finality/tron/errors";

import { byKind, object, type Read, tryRead, wholeNumber } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Networks } from "../../host/networks/networks.ts";
import { notify } from "../../host/prompts/notify.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import { showPage } from "../../host/webview-page.ts";
import type { FromRunPage, RunRowView, ToRunPage } from "../../webview-messages/run.ts";
import type { ReviewedRun, RunChoice } from "./review-run-file.ts";
import { runPage, runRows } from "./run-page.view.ts";

interface RunPanelServices {
  readonly extensionUri: vscode.Uri;
  readonly networks: Pick<Networks, "find">;
  readonly keys: Pick<SigningKeys, "find" | "nameOf">;
  readonly review: (choice: RunChoice) => Promise<ReviewedRun>;
}

const RUN_VIEW = "finality.run";

const fromPage: Read<FromRunPage> = byKind({
  ready: object({}),
  open: object({ row: wholeNumber }),
  again: object({}),
  copy: object({}),
} satisfies { readonly [K in FromRunPage["kind"]]: Read<object> });

/** Rows of one message. */
const ROWS_AT_ONCE = 2_000;

/** Page of a run: the review and all rows. It is told everything again after each load. */
export class RunPanel {
  readonly #services: RunPanelServices;
  #panel: vscode.WebviewPanel | undefined;
  #shown: { readonly choice: RunChoice; readonly reviewed: ReviewedRun } | undefined;

  constructor(services: RunPanelServices) {
    this.#services = services;
  }

  /** Opens the page or brings it to the front. */
  show(choice: RunChoice, reviewed: ReviewedRun): void {
    this.#shown = { choice, reviewed };
    if (this.#panel === undefined)
      this.#take(vscode.window.createWebviewPanel(RUN_VIEW, t`Run`, vscode.ViewColumn.Active));
    else this.#panel.reveal();
    this.#send();
  }

  #take(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    panel.iconPath = new vscode.ThemeIcon("checklist");
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#shown = undefined;
    });
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received(message));
    showPage(panel.webview, { name: "run", title: t`Run`, extensionUri: this.#services.extensionUri });
  }

  #received(message: unknown): void {
    const read = tryRead(fromPage, message);
    switch (read?.kind) {
      case undefined:
        return;
      case "ready":
        this.#send();
        return;
      case "open":
        void this.#open(read.row);
        return;
      case "again":
        void this.#again();
        return;
      case "copy":
        void vscode.env.clipboard.writeText(this.#shown === undefined ? "" : reviewText(this.#shown.reviewed));
        return;
    }
  }

  #post(message: ToRunPage): void {
    void this.#panel?.webview.postMessage(message);
  }

  #send(): void {
    if (this.#shown === undefined) return;
    const { choice, reviewed } = this.#shown;
    const nameOf = this.#services.keys.nameOf.bind(this.#services.keys);
    const rows = runRows(reviewed.run, nameOf, coinSymbolOf(choice.network.baseUrl));
    const page = runPage(reviewed, rows);
    this.#post({ kind: "show", page });
    for (const [from, part] of chunks(rows)) this.#post({ kind: "rows", from, rows: part });
  }

  /** Shows a row in its file. */
  async #open(row: number): Promise<void> {
    if (this.#shown === undefined) return;
    const position = new vscode.Position(Math.max(0, row - 1), 0);
    const selection = new vscode.Range(position, position);
    await vscode.window.showTextDocument(this.#shown.choice.uri, { selection, viewColumn: vscode.ViewColumn.Beside });
  }

  async #again(): Promise<void> {
    const choice = this.#shown?.choice;
    if (choice === undefined) return;
    try {
      this.show(choice, await this.#services.review(choice));
    } catch (error) {
      if (error instanceof vscode.CancellationError) return;
      if (!isChainError(error)) throw error;
      void notify("error", error.message);
    }
  }
}

function chunks(rows: readonly RunRowView[]): readonly (readonly [number, readonly RunRowView[]])[] {
  return Array.from({ length: Math.ceil(rows.length / ROWS_AT_ONCE) }, (_, at) => {
    const from = at * ROWS_AT_ONCE;
    return [from, rows.slice(from, from + ROWS_AT_ONCE)] as const;
  });
}

function reviewText({ review }: ReviewedRun): string {
  return `${[review.title, "", ...review.lines].join("\n")}\n`;
}
