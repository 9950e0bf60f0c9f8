import assert from "node:assert/strict";
import { createServer } from "node:https";
import { type AddressInfo, Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { inspect } from "node:util";
import { failureOf } from "../../../../../test/support/failures/failure-of.ts";
import { gatewayAt, recordedBlock } from "../../../../../test/support/fakes/gateway-fixtures.ts";
import {
  closedUrl,
  echo,
  json,
  startProxy,
  startServer,
  startTlsServer,
} from "../../../../../test/support/http/http-server.ts";
import { type SelfSigned, selfSigned } from "../../../../../test/support/http/self-signed.ts";
import { createDispatcher, onlyNear } from "../../../src/gateway/http/http-dispatcher.ts";

const API_KEY = "api-key-of-a-test-1f0c";
const PROXY_KEY = "Basic cHJveHktb2YtYS10ZXN0";

/** Returns a log that collects its lines. */
function listener(): { readonly lines: string[]; readonly log: { debug(line: string): void } } {
  const lines: string[] = [];
  return { lines, log: { debug: (line) => void lines.push(line) } };
}

/** Starts a server that requests client certificates, accepts every client and stores the certificate names. */
async function startAskingServer({ key, cert }: SelfSigned, ca: string) {
  const names: string[] = [];
  const answer = JSON.stringify(recordedBlock());
  const server = createServer({ key, cert, ca, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const { subject } = (request.socket as TLSSocket).getPeerCertificate();
    if (subject !== undefined) names.push(String(subject.CN));
    response.setHeader("content-type", "application/json").end(answer);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    names,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

describe("createDispatcher", () => {
  it("sends requests to other hosts through the proxy, with the proxy's authorization and without the gateway's", async () => {
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
    const printed = inspect([error, lines], { depth: 9 });
    assert.deepEqual(
      [API_KEY, PROXY_KEY].filter((secret) => printed.includes(secret)),
      [],
      "what a proxy repeats is not told on",
    );
  });

  it("sends nothing unencrypted to a local name that resolves outside", () => {
    const reached = (remoteAddress: string | undefined) => {
      const socket = Object.assign(new Socket(), {});
      Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
      const messages: string[] = [];
      const connect = onlyNear((_options, done) => done(null, socket));
      connect({ hostname: "node.local", protocol: "http:", port: "8090" }, (...[error]) => {
        messages.push(error?.message ?? "ok");
      });
      return [messages.join(), socket.destroyed];
    };

    for (const own of ["192.168.1.20", "10.0.0.1", "172.20.0.2", "fd12::7", "127.0.1.1", "::1", "fe80::1"])
      assert.deepEqual(reached(own), ["ok", false], own);
    for (const stranger of ["203.0.113.7", "2001:db8::7", "169.254.169.254", "::ffff:8.8.8.8"])
      assert.deepEqual(reached(stranger), [`node.local is ${stranger}, outside of a private network`, true], stranger);
    assert.equal(reached(undefined)[1], true);
  });

  it("sends requests to the local network directly with any proxy", async () => {
    await using proxy = await startProxy(undefined);
    const dispatcher = createDispatcher({ proxy: proxy.url });
    const url = "http://10.255.255.1:8090";
    const near = gatewayAt(url, { plainHttp: [url] }, { dispatcher });
    const probing = near.gateway.probe(AbortSignal.timeout(50)).catch((error: unknown) => error);
    await using far = gatewayAt("https://api.chain.test", {}, { dispatcher });

    await failureOf(far.gateway.probe());

    await Promise.all([probing, dispatcher.destroy()]);
    assert.deepEqual(
      proxy.heard.filter((it) => it.includes("10.255.255.1")),
      [],
    );
    assert.ok(proxy.heard.length > 0);
  });

  it("H7: sends a client certificate to its origin only, also through a proxy, which does not see it", async () => {
    const [server, me] = [selfSigned("api.chain.test"), selfSigned("me.test")];
    await using asking = await startAskingServer(server, me.cert);
    await using proxy = await startProxy(asking.url);
    const clientCertificates = [{ origin: "https://api.chain.test", ...me }];
    const options = { proxy: proxy.url, certificates: [server.cert], clientCertificates };
    for (const [host, shown] of [
      ["https://api.chain.test", ["me.test"]],
      ["https://api.chain.test:8443", []],
    ] as const) {
      asking.names.length = 0;
      const dispatcher = createDispatcher(options);
      await using it = gatewayAt(host, {}, { dispatcher });

      await it.gateway.probe();

      await dispatcher.destroy();
      assert.deepEqual([...new Set(asking.names)], shown, host);
    }
    assert.equal(proxy.heard.join().includes("me.test"), false);
  });

  it("A6: sends requests to this computer directly when an origin has a client certificate", async () => {
    const me = selfSigned("me.test");
    for (const host of ["localhost", "node.localhost"]) {
      const server = selfSigned(host);
      await using asking = await startAskingServer(server, me.cert);
      await using proxy = await startProxy(asking.url);
      const origin = `https://${host}:${new URL(asking.url).port}`;
      const clientCertificates = [{ origin, ...me }];
      const dispatcher = createDispatcher({ proxy: proxy.url, certificates: [server.cert], clientCertificates });
      await using it = gatewayAt(origin, {}, { dispatcher });

      await it.gateway.probe();

      await dispatcher.destroy();
      assert.deepEqual([[...new Set(asking.names)], proxy.heard], [["me.test"], []], host);
    }
  });

  it("M2: reaches a gateway through a tunnel, and removes repeated credentials", async () => {
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
    const printed = inspect([error, lines], { depth: 9 });
    assert.match(printed, /\*\*\*/);
    for (const form of [API_KEY, Buffer.from(API_KEY).toString("hex")]) assert.equal(printed.includes(form), false);
  });

  it("sends nothing to a proxy that presents its own certificate", async () => {
    await using server = await startTlsServer(selfSigned("api.chain.test"), echo);
    await using proxy = await startProxy(server.url);
    const dispatcher = createDispatcher({ proxy: proxy.url });
    await using it = gatewayAt("https://api.chain.test", {}, { dispatcher, apiKey: API_KEY });

    await assert.rejects(it.gateway.probe(), /certificate/);

    await dispatcher.destroy();
    assert.deepEqual(server.requests, []);
    assert.ok(proxy.carried().length > 0, "there was a greeting");
  });

  it("L3: sends requests to every URL of this computer directly", async () => {
    await using proxy = await startProxy(undefined);
    await using server = await startServer(json(recordedBlock()));
    const { port } = new URL(server.url);
    const hosts = ["localhost", "node.localhost", "a.b.localhost", "127.0.0.1", "127.1", "127.0.0.2", "[::1]"];
    // The server listens on 127.0.0.1 only.
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

  it("sends requests to this computer without a proxy", async () => {
    await using server = await startServer(json(recordedBlock()));
    const dispatcher = createDispatcher({ proxy: await closedUrl() });
    await using it = gatewayAt(server.url, {}, { dispatcher });
    await it.gateway.probe();
    await dispatcher.destroy();
    assert.equal(server.requests.length, 2);
  });
});
