import assert from "node:assert/strict";
import { inspect } from "node:util";
import { type ConnectionSettings, createDispatcher } from "../../../../../src/core/gateway/http/http-dispatcher.ts";
import { failureOf } from "../../../../support/failures/failure-of.ts";
import { gatewayAt, recordedBlock } from "../../../../support/fakes/gateway-fixtures.ts";
import { closedUrl, echo, json, startServer, startTlsServer } from "../../../../support/http/http-server.ts";
import { startProxy } from "../../../../support/http/proxy.ts";
import { selfSigned } from "../../../../support/http/self-signed.ts";

const API_KEY = "api-key-of-a-test-1f0c";
const PROXY_KEY = "Basic cHJveHktb2YtYS10ZXN0";

/** What is written down of the requests of a test. */
function listener(): { readonly lines: string[]; readonly log: { debug(line: string): void } } {
  const lines: string[] = [];
  return { lines, log: { debug: (line) => void lines.push(line) } };
}

describe("createDispatcher", () => {
  it("asks other hosts through the proxy, with its own authorization and without ours", async () => {
    await using proxy = await startProxy(undefined);
    const { lines, log } = listener();
    const dispatcher = createDispatcher({ proxy: proxy.url, proxyAuthorization: PROXY_KEY });
    await using it = gatewayAt("https://api.chain.test", {}, { dispatcher, apiKey: API_KEY, log });

    const error = await failureOf(it.gateway.probe());

    await dispatcher.destroy();
    assert.equal(error.code, "GATEWAY_UNREACHABLE");
    assert.match(String(proxy.heard), /^CONNECT api\.chain\.test:443 /);
    assert.ok(String(proxy.heard).includes(PROXY_KEY));
    assert.equal(String(proxy.heard).includes(API_KEY), false);
    const said = inspect([error, lines], { depth: 9 });
    assert.deepEqual(
      [API_KEY, PROXY_KEY].filter((secret) => said.includes(secret)),
      [],
      "what a proxy repeats is not told on",
    );
  });

  it("asks the own network directly, whatever the proxy, when its name leads there", async () => {
    await using proxy = await startProxy(undefined);
    await using server = await startServer(json(recordedBlock()));
    const asked: string[] = [];
    const resolve: ConnectionSettings["resolve"] = (host, _options, found) => {
      asked.push(host);
      found(null, [{ address: "127.0.0.1", family: 4 }]);
    };
    const url = `http://node.local:${new URL(server.url).port}`;
    const dispatcher = createDispatcher({ proxy: proxy.url, resolve });
    await using it = gatewayAt(url, { plainHttp: [url] }, { dispatcher, apiKey: API_KEY });

    await it.gateway.probe();

    await dispatcher.destroy();
    assert.deepEqual([[...new Set(asked)], proxy.heard], [["node.local"], []]);
    assert.equal(server.requests[0]?.headers["chain-pro-api-key"], undefined, "a key never travels unencrypted");
  });

  it("sends nothing unencrypted to a name of the own network that leads out of it", async () => {
    const url = "http://node.local:8090";
    for (const stranger of ["203.0.113.7", "2001:db8::7", "169.254.169.254"]) {
      const found = [
        { address: "192.168.1.20", family: 4 },
        { address: stranger, family: stranger.includes(":") ? 6 : 4 },
      ];
      const dispatcher = createDispatcher({ resolve: (_host, _options, done) => done(null, found) });
      await using it = gatewayAt(url, { plainHttp: [url] }, { dispatcher });

      const error = await failureOf(it.gateway.probe());

      await dispatcher.destroy();
      assert.match(inspect(error, { depth: 9 }), /outside of the own network/);
    }
  });

  it("M2: reaches a gateway through a proxy that reads nothing, and what the gateway repeats is taken out", async () => {
    const identity = selfSigned("api.chain.test");
    await using server = await startTlsServer(identity, echo);
    await using proxy = await startProxy(server.url);
    const { lines, log } = listener();
    const dispatcher = createDispatcher({
      proxy: proxy.url,
      proxyAuthorization: PROXY_KEY,
      certificates: [identity.cert],
    });
    await using it = gatewayAt("https://api.chain.test", {}, { dispatcher, apiKey: API_KEY, log });

    const error = await failureOf(it.gateway.probe());

    await dispatcher.destroy();
    assert.equal(server.requests[0]?.headers["chain-pro-api-key"], API_KEY);
    assert.equal(JSON.stringify(server.requests).includes(PROXY_KEY), false, "that of the proxy ends at the proxy");
    for (const way of [String(proxy.heard), proxy.carried().toString("latin1")])
      assert.equal(way.includes(API_KEY), false);
    const said = inspect([error, lines], { depth: 9 });
    assert.match(said, /\*\*\*/);
    for (const form of [API_KEY, Buffer.from(API_KEY).toString("hex")]) assert.equal(said.includes(form), false);
  });

  it("sends nothing to a proxy that answers in the place of the gateway with a certificate of its own", async () => {
    await using server = await startTlsServer(selfSigned("api.chain.test"), echo);
    await using proxy = await startProxy(server.url);
    const dispatcher = createDispatcher({ proxy: proxy.url });
    await using it = gatewayAt("https://api.chain.test", {}, { dispatcher, apiKey: API_KEY });

    await assert.rejects(it.gateway.probe(), /certificate/);

    await dispatcher.destroy();
    assert.deepEqual(server.requests, []);
    assert.ok(proxy.carried().length > 0, "there was a greeting");
  });

  it("L3: asks every URL of this machine directly, and the proxy hears nothing of it", async () => {
    await using proxy = await startProxy(undefined);
    await using server = await startServer(json(recordedBlock()));
    const { port } = new URL(server.url);
    const hosts = ["localhost", "node.localhost", "a.b.localhost", "127.0.0.1", "127.1", "127.0.0.2", "[::1]"];
    // The server listens at 127.0.0.1 alone.
    const unheard = new Set(["127.0.0.2", "[::1]"]);
    for (const noProxy of [undefined, ["example.org"]]) {
      const dispatcher = createDispatcher({ proxy: proxy.url, noProxy });
      for (const host of hosts) {
        await using it = gatewayAt(`http://${host}:${port}`, {}, { dispatcher });
        await it.gateway.probe().catch((error: unknown) => assert.ok(unheard.has(host), `${host}: ${error}`));
      }
      await dispatcher.destroy();
    }

    assert.deepEqual(proxy.heard, []);
    const requests = 2;
    assert.equal(server.requests.length, 2 * requests * (hosts.length - unheard.size));
  });

  it("asks this machine without a proxy", async () => {
    await using server = await startServer(json(recordedBlock()));
    const dispatcher = createDispatcher({ proxy: await closedUrl() });
    await using it = gatewayAt(server.url, {}, { dispatcher });
    await it.gateway.probe();
    await dispatcher.destroy();
    assert.equal(server.requests.length, 2);
  });
});
