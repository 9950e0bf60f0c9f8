import { type CheckResult, checkId, type NetworkProfile } from "@finality/client/gateway";
import { isChainError } from "@finality/tron/errors";
import { byKind, keyOf, object, type Read, text, tryRead } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { ownClick } from "../../host/caller.ts";
import { maskTexts } from "../../host/log/masking.ts";
import type { GatewayTest } from "../../host/networks/lazy-gateway.ts";
import { confirmInStatusBar } from "../../host/prompts/notify.ts";
import { showPage } from "../../host/webview-page.ts";
import type { ConnectionAction, FromConnectionPage, ToConnectionPage } from "../../webview-messages/connection.ts";
import { type ConnectionProgress, connectionReport, describeChecklist, fixFor } from "./connection-page.view.ts";

const CONNECTION_VIEW = "finality.connectionTest";
/** Time within which changes are drawn together, ms. */
const DRAW_MS = 40;

export interface ConnectionPanelServices {
  readonly extensionUri: vscode.Uri;
  readonly now: () => number;
  /** Masks the secrets in a text. */
  readonly masked: (text: string) => string;
  readonly test: (network: NetworkProfile, how: GatewayTest) => Promise<readonly CheckResult[]>;
  readonly acceptChain: (network: NetworkProfile) => Promise<void>;
}

const ACTIONS: { readonly [A in ConnectionAction]: true } = {
  cancel: true,
  again: true,
  "copy-report": true,
  "show-log": true,
  "accept-chain": true,
};

const fromPage: Read<FromConnectionPage> = byKind({
  ready: object({}),
  act: object({ action: keyOf(ACTIONS) }),
  fix: object({ id: text }),
} satisfies { readonly [K in FromConnectionPage["kind"]]: Read<object> });

/** Panels that test connections, one for each network. */
export class ConnectionPanels implements vscode.Disposable {
  readonly #services: ConnectionPanelServices;
  readonly #panels = new Map<string, ConnectionPanel>();

  constructor(services: ConnectionPanelServices) {
    this.#services = services;
  }

  /** Tests a network in its panel. Ends a test that runs there. */
  test(network: NetworkProfile): Promise<readonly CheckResult[]> {
    const { name } = network;
    const panel = this.#panels.get(name) ?? new ConnectionPanel(this.#services, () => this.#panels.delete(name));
    this.#panels.set(name, panel);
    return panel.test(network);
  }

  dispose(): void {
    for (const panel of this.#panels.values()) panel.dispose();
  }
}

/** Checklist with the test that fills it. */
class ConnectionPanel implements vscode.Disposable {
  readonly #services: ConnectionPanelServices;
  readonly #panel: vscode.WebviewPanel;
  #run = new AbortController();
  #progress: ConnectionProgress | undefined;
  #drawing: NodeJS.Timeout | undefined;

  constructor(services: ConnectionPanelServices, closed: () => void) {
    const { createWebviewPanel } = vscode.window;
    this.#services = services;
    this.#panel = createWebviewPanel(CONNECTION_VIEW, t`Test Connection`, vscode.ViewColumn.Active);
    this.#panel.iconPath = new vscode.ThemeIcon("pulse");
    this.#panel.onDidDispose(() => {
      this.#run.abort();
      clearTimeout(this.#drawing);
      closed();
    });
    this.#panel.webview.onDidReceiveMessage((message: unknown) => this.#received(message));
    showPage(this.#panel.webview, {
      name: "connection",
      title: t`Test Connection`,
      extensionUri: services.extensionUri,
    });
  }

  async test(network: NetworkProfile): Promise<readonly CheckResult[]> {
    this.#run.abort();
    const run = new AbortController();
    const [findings, begun] = [new Map<string, CheckResult>(), new Set<string>()];
    const show = (phase: ConnectionProgress["phase"]): void => {
      if (this.#run !== run) return;
      this.#progress = { network, findings, begun, phase };
      this.#drawSoon();
    };
    this.#run = run;
    this.#panel.title = t`Test Connection: ${network.name}`;
    // If the panel is already in front, revealing it would take the focus from its button.
    if (!this.#panel.active) this.#panel.reveal();
    show("running");
    const watch = {
      begun: (id: string) => {
        begun.add(id);
        show("running");
      },
      found: (result: CheckResult) => {
        findings.set(checkId(result), result);
        show("running");
      },
    };
    try {
      return await this.#services.test(network, { signal: run.signal, watch });
    } catch (error) {
      // For example, the settings cannot be read and no request was sent.
      if (!isChainError(error)) throw error;
      watch.found({ check: "gateway", status: "failed", sentence: error.message });
      return [...findings.values()];
    } finally {
      show(run.signal.aborted ? "cancelled" : "done");
    }
  }

  dispose(): void {
    this.#panel.dispose();
  }

  #drawSoon(): void {
    this.#drawing ??= setTimeout(() => {
      this.#drawing = undefined;
      this.#draw();
    }, DRAW_MS);
  }

  #draw(): void {
    if (this.#progress === undefined) return;
    const checklist = maskTexts(describeChecklist(this.#progress), this.#services.masked);
    const message: ToConnectionPage = { kind: "show", checklist };
    void this.#panel.webview.postMessage(message);
  }

  #received(message: unknown): void {
    const read = tryRead(fromPage, message);
    switch (read?.kind) {
      case undefined:
        return;
      case "ready":
        this.#draw();
        return;
      case "act":
        void this.#act(read.action);
        return;
      case "fix":
        void this.#fix(read.id);
        return;
    }
  }

  async #act(action: ConnectionAction): Promise<void> {
    const { network } = this.#progress ?? {};
    if (network === undefined) return;
    switch (action) {
      case "cancel":
        this.#run.abort();
        return;
      case "again":
        // Looks the network up by name, because its settings may have changed.
        await vscode.commands.executeCommand(
          "finality.testConnection",
          ownClick({ kind: "network", network: network.name }),
        );
        return;
      case "copy-report":
        await this.#copyReport();
        return;
      case "show-log":
        await vscode.commands.executeCommand("finality.showLog");
        return;
      case "accept-chain":
        await this.#services.acceptChain(network);
        return;
    }
  }

  async #copyReport(): Promise<void> {
    if (this.#progress === undefined) return;
    const { masked, now } = this.#services;
    await vscode.env.clipboard.writeText(masked(connectionReport(this.#progress, now())));
    confirmInStatusBar(t`Report copied`);
  }

  /** Runs the fix of a check, looked up by its ID. */
  async #fix(id: string): Promise<void> {
    const result = this.#progress?.findings.get(id);
    const fix = result && fixFor(result);
    if (fix === undefined || this.#progress === undefined) return;
    const argument =
      fix.command === "workbench.action.openSettings"
        ? "http.proxy"
        : ownClick({ kind: "network", network: this.#progress.network.name });
    await vscode.commands.executeCommand(fix.command, argument);
  }
}
