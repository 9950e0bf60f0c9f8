import { coinSymbolOf } from "@finality/client/gateway";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { Log } from "../../host/log/log.ts";
import type { SigningKeys } from "../../host/secrets/signing-keys.ts";
import type { RunPageAction } from "../../webview-messages/run.ts";
import type { ReviewedRun, RunChoice } from "./review-run-file.ts";
import { runPage, runRows } from "./run-page.view.ts";
import { RUN_VIEW, RunWebview } from "./run-webview.ts";

interface RunPanelServices {
  readonly extensionUri: vscode.Uri;
  readonly keys: Pick<SigningKeys, "nameOf">;
  readonly log: Log;
  readonly review: (choice: RunChoice) => Promise<ReviewedRun>;
  /** Runs the file after its review. */
  readonly start: (choice: RunChoice) => Promise<unknown>;
}

/** Page with the review of a run file and all of its rows. It is told everything again after each load. */
export class RunPanel implements vscode.Disposable {
  readonly #services: RunPanelServices;
  #page: RunWebview | undefined;
  #shown: { readonly choice: RunChoice; readonly reviewed: ReviewedRun } | undefined;

  constructor(services: RunPanelServices) {
    this.#services = services;
  }

  /** Opens the page or brings it to the front. */
  show(choice: RunChoice, reviewed: ReviewedRun): void {
    this.#shown = { choice, reviewed };
    if (this.#page === undefined) this.#create();
    else this.#page.panel.reveal();
    this.#send();
  }

  dispose(): void {
    this.#page?.panel.dispose();
  }

  #create(): void {
    const panel = vscode.window.createWebviewPanel(RUN_VIEW, t`Run`, vscode.ViewColumn.Active);
    panel.onDidDispose(() => {
      this.#page = undefined;
      this.#shown = undefined;
    });
    this.#page = new RunWebview(panel, this.#services.extensionUri, {
      ready: () => this.#send(),
      open: (row) => void this.#open(row),
      act: (action) => this.#act(action),
      log: this.#services.log,
    });
  }

  async #act(action: RunPageAction): Promise<void> {
    if (this.#shown === undefined) return;
    const { choice, reviewed } = this.#shown;
    if (action === "again") this.show(choice, await this.#services.review(choice));
    if (action === "copy") await vscode.env.clipboard.writeText(reviewText(reviewed));
    if (action === "start") await this.#services.start(choice);
  }

  #send(): void {
    if (this.#shown === undefined) return;
    const { choice, reviewed } = this.#shown;
    const nameOf = this.#services.keys.nameOf.bind(this.#services.keys);
    const rows = runRows(reviewed.run, nameOf, coinSymbolOf(choice.network.baseUrl));
    this.#page?.show(runPage(reviewed, rows), rows);
  }

  /** Shows a row in its file. */
  async #open(row: number): Promise<void> {
    if (this.#shown === undefined) return;
    const position = new vscode.Position(Math.max(0, row - 1), 0);
    const selection = new vscode.Range(position, position);
    await vscode.window.showTextDocument(this.#shown.choice.uri, { selection, viewColumn: vscode.ViewColumn.Beside });
  }
}

function reviewText({ review }: ReviewedRun): string {
  return `${[review.title, "", ...review.lines].join("\n")}\n`;
}
