import * as vscode from "vscode";
import type { SharedFileServices } from "./services.ts";

export const FILE_PATTERN = "**/*.tron.json";

const TICK_MS = 10_000;

/** Above the text of a transaction: what it is, how long it is valid, and what can be done. No network is asked. */
export class TransactionLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #services: Pick<SharedFileServices, "clock" | "clicks" | "nameOf">;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChangeCodeLenses = this.#changed.event;
  #timer: NodeJS.Timeout | undefined;

  constructor(services: Pick<SharedFileServices, "clock" | "clicks" | "nameOf">) {
    this.#services = services;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    const { aboutFile } = await import("./about-file.ts");
    const about = aboutFile(document.getText(), this.#services.clock.now());
    this.#countDown(about.counts);
    const top = new vscode.Range(0, 0, 0, 0);
    const says = { title: about.text, command: "" };
    if (!about.readable) return [new vscode.CodeLens(top, says)];
    const uri = document.uri.toString();
    const does = (title: string, command: string) =>
      new vscode.CodeLens(top, { title, command, arguments: [this.#services.clicks.of({ kind: "lens", uri })] });
    return [
      new vscode.CodeLens(top, says),
      does("$(shield) Review…", "finality.importSignedTransaction"),
      does("$(edit) Add Signature…", "finality.addSignature"),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#changed.dispose();
  }

  /** Drawn again after a while, as long as somebody draws it. */
  #countDown(counts: boolean): void {
    clearTimeout(this.#timer);
    if (counts) this.#timer = setTimeout(() => this.#changed.fire(), TICK_MS);
  }
}
