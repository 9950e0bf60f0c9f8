import { agentPorts } from "../agent-ports.ts";
import type { RunCommand } from "../command.ts";

/** Serves the tools for agents on standard input and output until the client ends. */
export const runMcp: RunCommand = async (invocation, context) => {
  const { serveOnStreams } = await import("@finality/agent-tools/mcp");
  const warn = (message: string): void => context.terminal.report(`${message}\n`);
  const ports = agentPorts(invocation, { terminal: context.terminal, warn });
  await serveOnStreams(ports, context.version, process.stdin, process.stdout);
  return { result: { ended: true }, text: "" };
};
