import type { AgentPorts } from "@finality/agent-tools";
import * as vscode from "vscode";
import { AgentSocket } from "../../host/agents/agent-socket.ts";
import { lazy } from "../../host/async.ts";

interface McpProviderOptions {
  readonly ports: AgentPorts;
  /** dist/agent-pipe.js */
  readonly program: string;
  readonly version: string;
  readonly failed: (error: unknown) => void;
}

/**
 * Registers the MCP server of this window. The editor starts a program that connects its standard input and output to
 * this window, when an agent needs the tools.
 */
export function registerMcpServer({ ports, program, version, failed }: McpProviderOptions): vscode.Disposable {
  const listening = lazy(() =>
    AgentSocket.listen((socket) => {
      import("@finality/agent-tools/mcp")
        .then(({ serveOnStreams }) => serveOnStreams(ports, version, socket, socket))
        .catch((error: unknown) => {
          socket.destroy();
          failed(error);
        });
    }),
  );
  const provider = vscode.lm.registerMcpServerDefinitionProvider("finality.agents", {
    provideMcpServerDefinitions: () => [
      new vscode.McpStdioServerDefinition("Finality", process.execPath, [program], {}, version),
    ],
    resolveMcpServerDefinition: async (server) => {
      const { path, key } = await listening();
      const env = { ELECTRON_RUN_AS_NODE: "1", FINALITY_AGENT_SOCKET: path, FINALITY_AGENT_KEY: key };
      return new vscode.McpStdioServerDefinition(server.label, process.execPath, [program], env, version);
    },
  });
  return vscode.Disposable.from(provider, { dispose: () => listening.ifLoaded((it) => it.dispose()) });
}
