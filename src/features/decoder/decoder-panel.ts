import { documentedSources } from "@finality/client/explain";
import { byKind, keyOf, object, oneOf, type Read, text, tryRead, txId, wholeNumber } from "@finality/tron/read";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import type { OwnClicks } from "../../host/commands/commands.ts";
import type { CommandId } from "../../host/contributions.ts";
import { showPage } from "../../host/webview-page.ts";
import type {
  DecoderAction,
  DecoderCopy,
  DecoderStatus,
  FromDecoderPage,
  ToDecoderPage,
} from "../../webview-messages/decoder.ts";
import { EXAMPLES } from "./decoder-page.view.ts";

const DECODER_VIEW = "finality.decoder";
const TICK_MS = 1_000;

/** Message to the page about a text. */
export type Answer = Omit<Extract<ToDecoderPage, { kind: "explained" }>, "kind" | "revision">;

export interface DecoderPanelServices {
  readonly extensionUri: vscode.Uri;
  readonly clicks: OwnClicks;
  /** Reads the text that the page shows now. */
  readonly read: (text: string, choice: string) => Promise<Answer>;
  /** Refreshes the same text, because its transaction may have changed. */
  readonly readAgain: () => Promise<Answer | undefined>;
  /** Returns the current retry advice, or undefined if no countdown is shown. */
  readonly verdict: () => DecoderStatus | undefined;
  /** Returns the text that the user wants to copy; `id` is the location of a field. */
  readonly copied: (what: DecoderCopy, id: string) => string | undefined;
}

/** Commands of the buttons. The page can run nothing else. */
const COMMANDS: { readonly [A in DecoderAction]: CommandId } = {
  resend: "finality.sendSameBytesAgain",
  "another-node": "finality.sendToAnotherNode",
  replace: "finality.createReplacement",
  again: "finality.doItAgain",
  sign: "finality.signAgain",
  "export-proof": "finality.exportProof",
  "look-now": "finality.lookNow",
  timeline: "finality.showTimeline",
  trace: "finality.traceTransaction",
  "show-in-list": "finality.showTransaction",
  track: "finality.trackTransaction",
  "decode-transaction": "finality.decodeTransaction",
};

const fromPage: Read<FromDecoderPage> = byKind({
  ready: object({}),
  explain: object({ request: wholeNumber, revision: wholeNumber, text, choice: text }),
  act: object({ action: keyOf(COMMANDS), txId }),
  copy: object({ what: oneOf("field", "raw", "report", "plain"), id: text }),
  "read-on": object({ place: text }),
  paste: object({}),
} satisfies { readonly [K in FromDecoderPage["kind"]]: Read<object> });

/**
 * Panel of the decoder. VS Code drops messages to a page that is hidden, loading or moving to another window. The panel
 * therefore stores the text to open until the page confirms it, and sends it again after each load of the page.
 */
export class DecoderPanel implements vscode.Disposable {
  readonly #services: DecoderPanelServices;
  #panel: vscode.WebviewPanel | undefined;
  #unconfirmed: Extract<ToDecoderPage, { kind: "open" }> | undefined;
  #requests = 0;
  #revision = 0;
  #ticking: NodeJS.Timeout | undefined;

  constructor(services: DecoderPanelServices) {
    this.#services = services;
  }

  /** Opens the page or brings it to the front, and shows the given text. */
  show(opened: { readonly text: string; readonly origin: string | null } | undefined): void {
    if (this.#panel === undefined) {
      const { Beside, Active } = vscode.ViewColumn;
      const column = vscode.window.activeTextEditor === undefined ? Active : Beside;
      this.#take(vscode.window.createWebviewPanel(DECODER_VIEW, t`Decoder`, column));
    } else this.#panel.reveal();
    if (opened !== undefined) this.#open(opened);
  }

  /** Restores the panel of the previous session. Its page stored the text. */
  revive(panel: vscode.WebviewPanel): void {
    if (this.#panel === undefined) this.#take(panel);
    else panel.dispose();
  }

  /** Notifies the page of changes. */
  async refresh(): Promise<void> {
    const revision = this.#revision;
    const answer = this.#panel === undefined ? undefined : await this.#services.readAgain();
    if (answer !== undefined && revision === this.#revision) this.#post({ kind: "explained", revision, ...answer });
  }

  /** Updates the countdown every second while the page is visible. */
  #tick(): void {
    const retry = this.#panel?.visible === true ? this.#services.verdict() : undefined;
    if (retry !== undefined) this.#post({ kind: "verdict", revision: this.#revision, retry });
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #take(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    this.#ticking = setInterval(() => this.#tick(), TICK_MS);
    panel.iconPath = new vscode.ThemeIcon("symbol-ruler");
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#unconfirmed = undefined;
      clearInterval(this.#ticking);
    });
    panel.webview.onDidReceiveMessage((message: unknown) => this.#received(message));
    showPage(panel.webview, { name: "decoder", title: t`Decoder`, extensionUri: this.#services.extensionUri });
  }

  #open(opened: { readonly text: string; readonly origin: string | null }): void {
    this.#requests += 1;
    this.#unconfirmed = { kind: "open", request: this.#requests, ...opened };
    this.#post(this.#unconfirmed);
  }

  #post(message: ToDecoderPage): void {
    void this.#panel?.webview.postMessage(message);
  }

  #click(txId: string): object {
    return this.#services.clicks.of({ kind: "decoder", txId });
  }

  #received(message: unknown): void {
    const read = tryRead(fromPage, message);
    switch (read?.kind) {
      case undefined:
        return;
      case "ready":
        this.#start();
        return;
      case "explain":
        void this.#explain(read);
        return;
      case "act":
        // Passes a `kind`, as rows of the tree do, so that errors are shown to the user.
        void vscode.commands.executeCommand(COMMANDS[read.action], this.#click(read.txId));
        return;
      case "copy":
        this.#copy(this.#services.copied(read.what, read.id));
        return;
      case "read-on":
        this.#readOn(read.place);
        return;
      case "paste":
        void this.#paste();
        return;
    }
  }

  #start(): void {
    this.#post({ kind: "examples", examples: EXAMPLES });
    if (this.#unconfirmed !== undefined) this.#post(this.#unconfirmed);
  }

  async #explain(message: Extract<FromDecoderPage, { kind: "explain" }>): Promise<void> {
    const { request, revision, text: input, choice } = message;
    if (request === this.#unconfirmed?.request) this.#unconfirmed = undefined;
    this.#revision = revision;
    const answer = await this.#services.read(input, choice);
    if (revision === this.#revision) this.#post({ kind: "explained", revision, ...answer });
  }

  #copy(value: string | undefined): void {
    if (value !== undefined) void vscode.env.clipboard.writeText(value);
  }

  #readOn(named: string): void {
    const place = tryRead(keyOf(documentedSources), named);
    if (place === undefined) return;
    const { page, anchor: heading } = documentedSources[place];
    void vscode.commands.executeCommand("finality.openDocumentation", { kind: "decoder", page, heading });
  }

  async #paste(): Promise<void> {
    this.#open({ text: await vscode.env.clipboard.readText(), origin: t`clipboard` });
  }
}
