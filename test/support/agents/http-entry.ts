import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { createMcpServer } from "../../../packages/agent-tools/src/mcp-server.ts";
import type { AgentPorts } from "../../../packages/agent-tools/src/ports.ts";

/** HTTP server in front of the MCP server, for the conformance suite alone: the product uses standard input and output. */
export interface HttpEntry {
  readonly url: string;
  close(): Promise<void>;
}

/** Serves each request with a server of its own, because the suite opens many sessions. */
export async function serveOnHttp(ports: AgentPorts): Promise<HttpEntry> {
  const http: Server = createServer(async (request, response) => {
    const server = createMcpServer(ports, "1.0.0");
    const transport = new StreamableHTTPServerTransport();
    response.on("close", () => void server.close());
    // The class has optional callbacks that its interface declares without undefined.
    await server.connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        http.closeAllConnections();
        http.close(() => resolve());
      }),
  };
}
