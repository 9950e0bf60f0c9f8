import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createDispatcher } from "../../../../src/core/gateway/http-dispatcher.ts";
import { gatewayAt, recordedBlock } from "../../../support/gateway-fixtures.ts";
import { closedUrl, json, startServer } from "../../../support/http-server.ts";

/** A proxy that refuses every tunnel and remembers what it was asked for. */
async function startProxy(): Promise<{ url: string; asked: string[] } & AsyncDisposable> {
  const asked: string[] = [];
  const server = createServer();
  server.on("connect", (request, socket) => {
    asked.push(`${request.url} ${request.headers["proxy-authorization"]}`);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, asked },
    [Symbol.asyncDispose]: () => new Promise<void>((done) => server.close(() => done())),
  };
}

describe("createDispatcher", () => {
  it("asks other hosts through the proxy, with its own authorization and without ours", async () => {
    await using proxy = await startProxy();
    const dispatcher = createDispatcher({ proxy: proxy.url, proxyAuthorization: "Basic cHJveHk=" });
    await using it = gatewayAt("https://api.chain.test", {}, { dispatcher, apiKey: "secret" });
    await assert.rejects(it.gateway.probe(), { code: "GATEWAY_UNREACHABLE" });
    await dispatcher.destroy();
    assert.deepEqual(proxy.asked, ["api.chain.test:443 Basic cHJveHk="]);
  });

  it("asks this machine without a proxy", async () => {
    await using server = await startServer(json(recordedBlock()));
    const dispatcher = createDispatcher({ proxy: await closedUrl() });
    await using it = gatewayAt(server.url, {}, { dispatcher });
    await it.gateway.probe();
    await dispatcher.destroy();
    assert.equal(server.requests.length, 1);
  });
});
