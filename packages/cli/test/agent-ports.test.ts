import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { agentTools, callTool } from "../../agent-tools/src/agent-tools.ts";
import { agentPorts } from "../src/agent-ports.ts";
import { Invocation } from "../src/command.ts";
import { testTerminal } from "./support/test-terminal.ts";

const API_KEY = "top-secret";

describe("ports of the tools for agents", () => {
  let server: Server;
  let url: string;
  const requests: { readonly line: string; readonly headers: string }[] = [];

  before(async () => {
    server = createServer((request: IncomingMessage, response) => {
      requests.push({ line: `${request.method} ${request.url}`, headers: JSON.stringify(request.rawHeaders) });
      response.end("{}");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => requests.splice(0));
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  async function call(name: string, input: object, values: object, terminal = testTerminal({ env: envOf() }).terminal) {
    const tool = agentTools.find((it) => it.name === `finality_${name}`) ?? assert.fail(name);
    const ports = agentPorts(new Invocation([], { ...values }), { terminal, warn: () => undefined });
    return await callTool(tool, input, ports, { agent: "Scout" });
  }
  const envOf = () => ({ FINALITY_LOCAL_URL: url, FINALITY_API_KEY: API_KEY });

  it("send no credential to the server at the URL of the embedded chain", async () => {
    await call("read_chain", { network: "Local chain" }, { network: "https://api.example.org" });

    assert.ok(requests.length > 0);
    for (const { headers } of requests) assert.doesNotMatch(headers, new RegExp(API_KEY));
  });

  it("change nothing on a server that is not the embedded chain", async () => {
    const result = await call("local_mine", { blocks: 1 }, { local: true });

    assert.equal(!result.ok && result.error.code, "LOCAL_CHAIN_STOPPED");
    assert.deepEqual(
      requests.map(({ line }) => line),
      ["GET /local/status"],
    );
  });

  it("read a credential of a file descriptor once, for all calls", async () => {
    const { terminal } = testTerminal({ env: { FINALITY_LOCAL_URL: url } });
    const read: string[] = [];
    const counting = {
      ...terminal,
      read: async (path: string) => {
        read.push(path);
        return API_KEY;
      },
    };
    const invocation = new Invocation([], { network: `${url}`, "api-key-fd": "7" });
    const ports = agentPorts(invocation, { terminal: counting, warn: () => undefined });
    for (let at = 0; at < 3; at++) await ports.networks();
    await ports.read(undefined, async ({ gateway }) => gateway.headBlock()).catch(() => undefined);

    assert.deepEqual(read, ["fd:7"]);
    assert.ok(requests.some(({ headers }) => headers.includes(API_KEY)));
  });

  it("know the networks of the configuration also without their credentials", async () => {
    const networks = [{ name: "gated", baseUrl: "https://api.example.org", jwt: true, audience: "a" }];
    const files = { "finality.config.json": JSON.stringify({ networks }) };
    const { terminal } = testTerminal({ files, env: { FINALITY_LOCAL_URL: url } });
    const listed = await call("networks", {}, {}, terminal);
    const read = await call("read_chain", { network: "gated" }, {}, terminal);

    assert.match(JSON.stringify(listed), /gated/);
    assert.equal(!read.ok && read.error.code, "CREDENTIAL_MISSING");
  });
});
