import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { SocketProbe } from "../../../../src/host/networks/socket-probe.ts";
import { closedUrl, hang, startServer, startTlsServer } from "../../../support/http/http-server.ts";
import { startProxy } from "../../../support/http/proxy.ts";
import { selfSigned } from "../../../support/http/self-signed.ts";

const signal = new AbortController().signal;
const portOf = (url: string): number => Number(new URL(url).port);
const PROXY = "http://proxy.corp:3128";

describe("the probe of a connection", () => {
  it("asks the same hosts directly as requests do", () => {
    const isProxied = (url: string, noProxy: readonly string[]) =>
      new SocketProbe({ proxy: PROXY, noProxy }).proxyFor(new URL(url)) !== undefined;

    assert.equal(isProxied("https://a.test", []), true);
    for (const url of ["http://127.0.0.1:8090", "http://localhost:8090", "http://[::1]:8090"])
      assert.equal(isProxied(url, []), false, url);
    for (const entry of ["a.test", "*", ".test", "*.test", "a.test:443", "x.test a.test"])
      assert.equal(isProxied("https://a.test", [entry]), false, entry);
    for (const entry of ["b.test", "a.test:8443", ".a.test"])
      assert.equal(isProxied("https://a.test", [entry]), true, entry);
    assert.deepEqual(new SocketProbe({ proxy: PROXY }).proxyFor(new URL("https://a.test")), {
      host: "proxy.corp",
      port: 3128,
    });
    assert.equal(new SocketProbe({ proxy: "no url" }).proxyFor(new URL("https://a.test")), undefined);
  });

  it("knows this machine without a resolver, whatever one says", async () => {
    for (const host of ["localhost", "node.localhost"])
      assert.deepEqual(await new SocketProbe({}).lookUp(host, signal), {
        kind: "found",
        addresses: ["127.0.0.1", "::1"],
        ms: 0,
      });
  });

  it("tries one address after the other, and says why each did not work", async () => {
    await using server = await startServer(hang);
    const probe = new SocketProbe({});

    const reached = await probe.reach(["::1", "127.0.0.1"], portOf(server.url), signal);
    const unreached = await probe.reach(["127.0.0.1"], portOf(await closedUrl()), signal);

    assert.equal(reached.kind === "reached" && reached.address, "127.0.0.1");
    assert.deepEqual(unreached, { kind: "unreached", failed: [{ address: "127.0.0.1", code: "ECONNREFUSED" }] });
  });

  it("reads a certificate through a tunnel, and gives the proxy its own password and nothing else", async () => {
    const identity = selfSigned("gateway.test");
    await using server = await startTlsServer(identity, hang);
    await using proxy = await startProxy(server.url);
    const settings = { proxy: proxy.url.replace("//", "//user:pass%21@"), certificates: [identity.cert] };

    const handshake = await new SocketProbe(settings).secure(new URL("https://gateway.test"), signal);

    assert.ok(handshake.kind === "secured" && handshake.fault === undefined);
    assert.equal(handshake.certificate.names, "gateway.test");
    assert.equal(handshake.certificate.until, Date.UTC(2049, 11, 31, 23, 59, 59));
    const basic = Buffer.from("user:pass!").toString("base64");
    assert.deepEqual(proxy.heard, [
      `CONNECT gateway.test:443 Host,gateway.test:443,Proxy-Authorization,Basic ${basic}`,
    ]);
    assert.deepEqual(server.requests, []);
  });

  it("ends when it is cancelled", async () => {
    const silent = createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 50);
    const { port } = silent.address() as AddressInfo;

    await assert.rejects(new SocketProbe({}).secure(new URL(`https://127.0.0.1:${port}`), controller.signal), /enough/);
    silent.close();
  });
});
