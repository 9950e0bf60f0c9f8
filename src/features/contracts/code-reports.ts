import * as vscode from "vscode";

const PREVIEW_EXTENSION = "vscode.markdown-language-features";
const SCHEME = "finality-code";

/** Read-only documents with reports, which are never written to disk. */
export class CodeReports implements vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly #registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: this.#changed.event,
    provideTextDocumentContent: (uri) => this.#texts.get(uri.path) ?? "",
  });

  /** Shows a report as a page; as text if the preview of Markdown is disabled. */
  async show(name: string, text: string): Promise<void> {
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${name.replaceAll(/[^\w-]/g, "-")}.md` });
    this.#texts.set(uri.path, text);
    this.#changed.fire(uri);
    const canPreview = vscode.extensions.getExtension(PREVIEW_EXTENSION) !== undefined;
    await vscode.commands.executeCommand(canPreview ? "markdown.showPreview" : "vscode.open", uri);
  }

  dispose(): void {
    vscode.Disposable.from(this.#registration, this.#changed).dispose();
  }
}
