import * as vscode from "vscode";
import { lazy } from "../../host/async.ts";
import { type RegisterCommand, registerAll } from "../../host/commands/commands.ts";
import type { Explanation } from "../../public/api.ts";
import { DebugOutput } from "./debug-output.ts";
import type { ExplanationServices } from "./explain-context.ts";
import type { ExplainedTerminalLink } from "./providers.ts";

/** Registers hovers, links and diagnostics that explain error messages. */
export interface Explanations extends vscode.Disposable {
  explain(input: string): Promise<Explanation>;
  /** Text that a link refers to by its number. */
  readonly storedText: (id: string) => Promise<string | undefined>;
}

/**
 * Loads the feature with the first hover or link, and the problems and the terminal watcher if a setting enables them.
 */
export function registerExplanations(
  services: ExplanationServices & { readonly registerCommand: RegisterCommand },
): Explanations {
  const debugOutput = new DebugOutput();
  const part = lazy(async () => (await import("./commands.ts")).createExplanations(services, debugOutput));
  const loadIfEnabled = (): void => {
    const settings: DecodeSettings = vscode.workspace.getConfiguration("finality.decode");
    if (settings.diagnosticsIn?.length || settings.watchTerminal) void part();
  };
  const { languages } = vscode;
  const terminal: vscode.TerminalLinkProvider<ExplainedTerminalLink> = {
    provideTerminalLinks: async (shown) => (await part()).terminalLinks(shown),
    handleTerminalLink: async (link) => (await part()).open(link),
  };
  const subscriptions = vscode.Disposable.from(
    languages.registerHoverProvider("*", {
      provideHover: async (document, position) => (await part()).hover(document, position),
    }),
    languages.registerDocumentLinkProvider([{ scheme: "output" }, { language: "log" }], {
      provideDocumentLinks: async (...args) => (await part()).documentLinks(...args),
    }),
    vscode.window.registerTerminalLinkProvider(terminal),
    debugOutput,
    vscode.notebooks.registerNotebookCellStatusBarItemProvider("*", {
      provideCellStatusBarItems: async (cell) => (cell.outputs.length > 0 ? (await part()).cellItems(cell) : []),
    }),
    languages.registerCodeActionsProvider("*", {
      provideCodeActions: async (document, _range, { diagnostics }) => {
        const others = diagnostics.filter(({ source }) => source !== "Finality");
        return others.length > 0 ? (await part()).diagnosticActions(document, others) : [];
      },
    }),
    vscode.workspace.onDidChangeConfiguration(loadIfEnabled),
    registerAll(services.registerCommand, "explanations", part),
  );
  setImmediate(loadIfEnabled);
  return {
    explain: async (input) => (await part()).explain(input),
    storedText: async (stored) => (await part()).storedText(stored),
    dispose: () => {
      subscriptions.dispose();
      part.ifLoaded((it) => it.dispose());
    },
  };
}

interface DecodeSettings extends vscode.WorkspaceConfiguration {
  readonly diagnosticsIn?: readonly string[];
  readonly watchTerminal?: boolean;
}
