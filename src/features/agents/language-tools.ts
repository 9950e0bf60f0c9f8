import { type AgentPorts, type AgentTool, agentTools, callTool, resultText } from "@finality/agent-tools";
import { t } from "@vscode/l10n";
import * as vscode from "vscode";

/** Registers the tools for the language models of the editor. */
export function registerLanguageTools(ports: AgentPorts): vscode.Disposable {
  return vscode.Disposable.from(
    ...agentTools.map((tool) => vscode.lm.registerTool(tool.name, languageTool(tool, ports))),
  );
}

function languageTool(tool: AgentTool, ports: AgentPorts): vscode.LanguageModelTool<object> {
  const agent = t`the chat of the editor`;
  return {
    prepareInvocation: () => ({
      invocationMessage: tool.title,
      ...(tool.effect !== "reads" && { confirmationMessages: confirmationOf(tool) }),
    }),
    invoke: async ({ input }) => {
      const text = resultText(await callTool(tool, input, ports, { agent }));
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(text)]);
    },
  };
}

function confirmationOf({ title, effect }: AgentTool): vscode.LanguageModelToolConfirmationMessages {
  const message =
    effect === "proposes"
      ? t`The proposal waits in the Transactions view. Nothing is signed or sent before you review it.`
      : t`This changes the local chain only.`;
  return { title, message };
}
