import { listOf, object, text, tryRead } from "@finality/tron/read";
import * as vscode from "vscode";
import type { StoredState } from "../../host/commands/commands.ts";

const PREVIEW_EXTENSION = "vscode.markdown-language-features";
const SCHEME = "finality-code";
const STORED = "finality.codeReports";
const MOST_STORED = 20;

const storedReports = listOf(object({ path: text, text }));

/** Read-only documents with reports. They are stored in the state of the workspace, so pages have them after a reload. */
export class CodeReports implements vscode.Disposable {
  readonly #state: StoredState;
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration: vscode.Disposable;

  constructor(state: StoredState) {
    this.#state = state;
    this.#registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
      onDidChange: this.#changed.event,
      provideTextDocumentContent: ({ path }) => this.#stored().find((it) => it.path === path)?.text ?? "",
    });
  }

  /** Shows a report as a page; as text if the preview of Markdown is disabled. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name.replaceAll(/[^\w-]/g, "-")}.md` });
    const others = this.#stored().filter(({ path }) => path !== uri.path);
    await this.#state.update(STORED, [{ path: uri.path, text }, ...others].slice(0, MOST_STORED));
    this.#changed.fire(uri);
    const canPreview = vscode.extensions.getExtension(PREVIEW_EXTENSION) !== undefined;
    await vscode.commands.executeCommand(canPreview ? "markdown.showPreview" : "vscode.open", uri);
  }

  #stored() {
    return tryRead(storedReports, this.#state.get(STORED)) ?? [];
  }

  dispose(): void {
    vscode.Disposable.from(this.#registration, this.#changed).dispose();
  }
}
