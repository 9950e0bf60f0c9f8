import * as vscode from "vscode";
import type { Explanation } from "../../core/explain/result/explanation.ts";
import type { Commands } from "../../host/commands/commands.ts";
import { hoverAt } from "./hover.ts";
import { KeptInputs } from "./kept-inputs.ts";
import { type ExplanationServices, Knowledge } from "./knowledge.ts";
import { decodeTerminal } from "./last-terminal-output.ts";
import { documentLinks, type TerminalReading, terminalLinks } from "./links.ts";
import { Problems } from "./problems.ts";
import { TerminalWatch } from "./terminal-watch.ts";

/** What hovers, links, problems and the command do. A part of its own: nobody needs it before the first of them. */
export function createExplanations(services: ExplanationServices) {
  const knowledge = new Knowledge(services);
  const kept = new KeptInputs();
  const around = { knowledge, kept };
  const subscriptions = vscode.Disposable.from(new Problems(knowledge), new TerminalWatch(knowledge));
  const commands: Commands<"explanations"> = { "finality.decodeTerminal": () => decodeTerminal(knowledge) };
  return {
    commands,
    hover: (document: vscode.TextDocument, position: vscode.Position) => hoverAt(document, position, around),
    documentLinks: async (document: vscode.TextDocument, token: vscode.CancellationToken) => [
      ...(await documentLinks(document, around, token)),
    ],
    terminalLinks: async (line: string) => [...(await terminalLinks(line, knowledge))],
    open: async ({ input }: TerminalReading): Promise<void> => {
      await vscode.commands.executeCommand("finality.decode", { kind: "link", input, origin: "terminal" });
    },
    keptText: (id: string) => kept.get(id),
    explain: async (input: string): Promise<Explanation> => {
      await knowledge.ready();
      return knowledge.explain(input);
    },
    dispose: () => subscriptions.dispose(),
  };
}
