import * as vscode from "vscode";
import type { Explanation } from "../../core/explain/explanation.ts";
import type { CommandArguments } from "../../host/command-shapes.ts";
import type { KeptInputs } from "./kept-inputs.ts";
import type { Knowledge } from "./knowledge.ts";
import { describeReport } from "./report.view.ts";

const SCHEME = "finality-explanation";
const MAX_DOCUMENTS = 50;

/** Opens explanations as documents that can be read and copied, and not be changed. */
export class Decoding implements vscode.Disposable {
  readonly #knowledge: Knowledge;
  readonly #kept: KeptInputs;
  readonly #reports = new Map<string, string>();
  readonly #provider: vscode.Disposable;
  #count = 0;

  constructor(knowledge: Knowledge, kept: KeptInputs) {
    this.#knowledge = knowledge;
    this.#kept = kept;
    this.#provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      provideTextDocumentContent: ({ query }) =>
        this.#reports.get(query) ?? "This explanation is gone: decode it again.",
    });
  }

  /** Explains what it is given, else the selection, else what a person pastes. */
  async run(argument: CommandArguments["finality.decode"]): Promise<Explanation | undefined> {
    const { origin = "", kept = "" } = argument;
    const input = argument.input ?? this.#kept.get(kept) ?? selection() ?? (await askForText());
    if (input === undefined || input === "") return undefined;
    await this.#knowledge.ready();
    const explanation = this.#knowledge.explain(input);
    await this.#open(describeReport(explanation, origin));
    return explanation;
  }

  dispose(): void {
    this.#provider.dispose();
    this.#reports.clear();
  }

  async #open(report: string): Promise<void> {
    const id = String(++this.#count);
    this.#reports.set(id, report);
    const [oldest] = this.#reports.keys();
    if (this.#reports.size > MAX_DOCUMENTS && oldest !== undefined) this.#reports.delete(oldest);
    const uri = vscode.Uri.from({ scheme: SCHEME, path: "/Explanation", query: id });
    await vscode.window.showTextDocument(uri, { preview: true, viewColumn: vscode.ViewColumn.Beside });
  }
}

function selection(): string | undefined {
  const editor = vscode.window.activeTextEditor;
  const text = editor?.document.getText(editor.selection);
  return text?.trim() === "" ? undefined : text;
}

function askForText(): Thenable<string | undefined> {
  return vscode.window.showInputBox({
    title: "Decode",
    prompt: "An answer of the node, a message or revert data in hex, a txID, an address, a code, or a line of a log",
    ignoreFocusOut: true,
  });
}
