import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { agentTools } from "../../../../packages/agent-tools/src/agent-tools.ts";
import { serveOnStreams } from "../../../../packages/agent-tools/src/mcp-server.ts";
import type { AgentPorts } from "../../../../packages/agent-tools/src/ports.ts";
import { AgentSocket } from "../../../../src/host/agents/agent-socket.ts";

const PIPE = new URL("../../../../src/host/agents/agent-pipe.ts", import.meta.url).pathname;
const ports = { networks: async () => [] } as unknown as AgentPorts;

describe("AgentSocket", () => {
  let socket: AgentSocket;
  let connected: Socket[];
  let first: PromiseWithResolvers<Socket>;

  beforeEach(async () => {
    connected = [];
    first = Promise.withResolvers();
    socket = await AgentSocket.listen((it) => {
      connected.push(it);
      first.resolve(it);
      void serveOnStreams(ports, "1.0.0", it, it);
    });
  });
  afterEach(() => socket.dispose());

  it("serves a client that starts the program with the key of the window", async () => {
    const client = new Client({ name: "Scout", version: "1.0.0" });
    const env = { FINALITY_AGENT_SOCKET: socket.path, FINALITY_AGENT_KEY: socket.key };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [PIPE], env }));

    const { tools } = await client.listTools();
    const answer = await client.callTool({ name: "finality_networks", arguments: {} });

    assert.equal(tools.length, agentTools.length);
    assert.match(JSON.stringify(answer.content), /networks/);
    await client.close();
    const peer = await first.promise;
    if (!peer.closed) await once(peer, "close");
  });

  for (const [name, line] of [
    ["another key", `${"0".repeat(64)}\n`],
    ["no key", "\n"],
    ["a request in place of the key", `${"x".repeat(400)}`],
  ] as const) {
    it(`closes a connection with ${name}`, async () => {
      const peer = connect(socket.path, () => peer.write(line));
      peer.on("error", () => undefined);

      await once(peer, "close");
      assert.deepEqual(connected, []);
    });
  }

  it("ends its connections when it is disposed", async () => {
    const peer = connect(socket.path, () => peer.write(`${socket.key}\n`));
    await first.promise;
    const closed = once(peer, "close");
    socket.dispose();

    await closed;
  });
});
