import type { StoredRun } from "@finality/client/runs";
import { object, text, tryRead } from "@finality/tron/read";
import * as vscode from "vscode";
import { showError } from "../../host/commands/show-error.ts";
import { RUN_VIEW } from "./run-webview.ts";
import type { RunParts } from "./services.ts";
import { StoredRunPage } from "./stored-run-page.ts";

/** State that VS Code stores for a page of a stored run. */
const remembered = object({ run: text });

/** Pages of stored runs, one for each run. */
export class StoredRunPages implements vscode.Disposable {
  readonly #services: RunParts;
  readonly #pages = new Map<string, Promise<StoredRunPage>>();

  constructor(services: RunParts) {
    this.#services = services;
  }

  /** Opens the page of a run or brings it to the front. */
  async show(run: StoredRun): Promise<StoredRunPage> {
    const open = this.#pages.get(run.id);
    if (open !== undefined) {
      const page = await open;
      page.webview.panel.reveal();
      return page;
    }
    const panel = vscode.window.createWebviewPanel(RUN_VIEW, run.title, vscode.ViewColumn.Active);
    return await this.#take(run, panel, true);
  }

  /** Restores a page of the previous session. Nothing is signed before the user asks for it. */
  async revive(panel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const id = tryRead(remembered, state)?.run;
    const run = id === undefined ? undefined : await (await this.#services.runs.open()).store.run(id);
    if (run === undefined || this.#pages.has(run.id)) panel.dispose();
    else await this.#take(run, panel, false);
  }

  dispose(): void {
    for (const page of this.#pages.values())
      void page.then(
        ({ webview }) => webview.panel.dispose(),
        () => undefined,
      );
  }

  async #take(run: StoredRun, panel: vscode.WebviewPanel, mayRequest: boolean): Promise<StoredRunPage> {
    const page = StoredRunPage.open(this.#services, run, panel, mayRequest);
    this.#pages.set(run.id, page);
    panel.onDidDispose(() => this.#pages.delete(run.id));
    try {
      return await page;
    } catch (error) {
      panel.dispose();
      if (!mayRequest) void showError(error, this.#services.log);
      throw error;
    }
  }
}
