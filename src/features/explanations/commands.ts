import { type Explanation, forPrograms, hasTrace } from "@finality/client/explain";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";
import { type Commands, setContext } from "../../host/commands/commands.ts";
import { cellItems } from "./cell-items.ts";
import type { DebugOutput } from "./debug-output.ts";
import { ExplainContext, type ExplanationServices, StoredInputs } from "./explain-context.ts";
import { messageHover } from "./message-hover.ts";
import {
  diagnosticActions,
  documentLinks,
  type ExplainedTerminalLink,
  hoverAt,
  Problems,
  terminalLinks,
} from "./providers.ts";
import { decodeDebugOutput, decodeTerminal, LastCommands, TerminalWatch } from "./recent-output.ts";

/**
 * Creates the hovers, links, problems and the command. A separate module, because it is not needed before the first
 * use.
 */
export function createExplanations(services: ExplanationServices, debugOutput: DebugOutput) {
  const context = new ExplainContext(services);
  const inputs = new StoredInputs();
  const hoverInputs = { context, kept: inputs };
  const lastCommands = new LastCommands();
  const subscriptions = vscode.Disposable.from(new Problems(context), new TerminalWatch(context), lastCommands);
  const commands: Commands<"explanations"> = {
    "finality.decodeTerminal": () => decodeTerminal(context),
    "finality.decodeDebugOutput": () => decodeDebugOutput(debugOutput, context),
  };
  return {
    commands,
    hover: async (document: vscode.TextDocument, position: vscode.Position) => {
      const message = await messageHover(document, position);
      if (message !== undefined) return message;
      const hover = await hoverAt(document, position, hoverInputs);
      if (hover !== undefined) setContext("finality.hasExplained", true);
      return hover;
    },
    documentLinks: async (document: vscode.TextDocument, token: vscode.CancellationToken) => [
      ...(await documentLinks(document, hoverInputs, token)),
    ],
    cellItems: (cell: vscode.NotebookCell) => cellItems(cell, hoverInputs),
    diagnosticActions: (document: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]) =>
      diagnosticActions(document, diagnostics, context),
    terminalLinks: async ({ line, terminal }: vscode.TerminalLinkContext) => [
      ...(await terminalLinks(line, { context, isOfChain: () => hasTrace(lastCommands.of(terminal)) })),
    ],
    open: async ({ input }: ExplainedTerminalLink): Promise<void> => {
      await vscode.commands.executeCommand("finality.decode", { kind: "link", input, origin: t`terminal` });
    },
    storedText: (id: string) => inputs.get(id),
    explain: async (input: string): Promise<Explanation> => {
      await context.ready();
      return forPrograms(context.explain(input));
    },
    dispose: () => subscriptions.dispose(),
  };
}
