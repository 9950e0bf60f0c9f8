import assert from "node:assert/strict";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { connect as connectTls, createServer as createTlsServer, type TlsOptions } from "node:tls";
import { closedUrl, hang, startProxy, startServer, startTlsServer } from "../../../../test/support/http/http-server.ts";
import { selfSigned } from "../../../../test/support/http/self-signed.ts";
import { SocketProbe } from "../../src/networks/socket-probe.ts";

const signal = new AbortController().signal;
const portOf = (url: string): number => Number(new URL(url).port);
const PROXY = "http://proxy.corp:3128";

describe("SocketProbe", () => {
  it("bypasses the proxy for the same hosts as requests", () => {
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

  it("resolves localhost without a resolver", async () => {
    for (const host of ["localhost", "node.localhost"])
      assert.deepEqual(await new SocketProbe({}).resolveName(host, signal), {
        kind: "found",
        addresses: ["127.0.0.1", "::1"],
        ms: 0,
      });
  });

  it("tries each address, and reports why each failed", async () => {
    await using server = await startServer(hang);
    const probe = new SocketProbe({});

    const reached = await probe.connect(["::1", "127.0.0.1"], portOf(server.url), signal);
    const unreached = await probe.connect(["127.0.0.1"], portOf(await closedUrl()), signal);

    assert.equal(reached.kind === "reached" && reached.address, "127.0.0.1");
    assert.deepEqual(unreached, { kind: "unreached", failed: [{ address: "127.0.0.1", code: "ECONNREFUSED" }] });
  });

  it("reads a certificate through a proxy, which gets only its own password", async () => {
    const identity = selfSigned("gateway.test");
    await using server = await startTlsServer(identity, hang);
    await using proxy = await startProxy(server.url);
    const settings = { proxy: proxy.url.replace("//", "//user:pass%21@"), certificates: [identity.cert] };

    const handshake = await new SocketProbe(settings).handshake(new URL("https://gateway.test"), signal);

    assert.ok(handshake.kind === "secured" && handshake.fault === undefined);
    assert.equal(handshake.certificate.names, "gateway.test");
    assert.equal(handshake.certificate.until, Date.UTC(2049, 11, 31, 23, 59, 59));
    const basic = Buffer.from("user:pass!").toString("base64");
    assert.deepEqual(proxy.heard, [
      `CONNECT gateway.test:443 Host,gateway.test:443,Proxy-Authorization,Basic ${basic}`,
    ]);
    assert.deepEqual(server.requests, []);
  });

  describe("with a client certificate", () => {
    const server = selfSigned("localhost");
    const identity = selfSigned("me.test");

    /** Starts a TLS server that requests a client certificate and counts connections. */
    async function startAsking(options: TlsOptions) {
      const shown: string[] = [];
      let connections = 0;
      const asking = createTlsServer({ ...server, ca: identity.cert, requestCert: true, ...options }, (socket) => {
        shown.push(String(socket.getPeerCertificate().subject?.CN));
        socket
          .on("error", () => undefined)
          .resume()
          .end();
      });
      asking.on("connection", () => {
        connections += 1;
      });
      asking.on("tlsClientError", (_error, socket) => socket.destroy());
      await once(asking.listen(0, "127.0.0.1"), "listening");
      const { port } = asking.address() as AddressInfo;
      return {
        url: new URL(`https://localhost:${port}`),
        connections: () => connections,
        /** Returns the names of the client certificates of completed handshakes. */
        async shown() {
          // The answer to another handshake proves that the earlier ones were processed.
          const last = connectTls({ port, ...identity, rejectUnauthorized: false }).resume();
          await once(last, "close");
          return shown.slice(0, -1);
        },
        async [Symbol.asyncDispose]() {
          await new Promise((done) => asking.close(done));
        },
      };
    }

    const probeOf = ({ origin }: URL, trusted: boolean): SocketProbe =>
      new SocketProbe({
        ...(trusted ? { certificates: [server.cert] } : {}),
        clientCertificates: [{ origin, ...identity }],
      });

    it("A5: sends it only after a handshake without it verified the server", async () => {
      await using asking = await startAsking({ rejectUnauthorized: false, maxVersion: "TLSv1.2" });

      const handshake = await probeOf(asking.url, true).handshake(asking.url, signal);

      assert.ok(handshake.kind === "secured" && handshake.fault === undefined);
      assert.deepEqual(await asking.shown(), ["undefined", "me.test"]);
    });

    it("A5: uses two handshakes over TLS 1.3", async () => {
      await using asking = await startAsking({ rejectUnauthorized: true, maxVersion: "TLSv1.3" });

      const handshake = await probeOf(asking.url, true).handshake(asking.url, signal);

      assert.ok(handshake.kind === "secured" && handshake.fault === undefined);
      assert.equal(asking.connections(), 2);
    });

    for (const maxVersion of ["TLSv1.2", "TLSv1.3"] as const) {
      it(`A5: never sends it over ${maxVersion} to a server with an invalid certificate`, async () => {
        await using asking = await startAsking({ rejectUnauthorized: false, maxVersion });

        const probe = probeOf(asking.url, false);
        const handshake = await probe.handshake(asking.url, signal);
        await probe.detectProtocol(asking.url, signal);

        assert.equal(handshake.kind === "secured" && handshake.fault, "DEPTH_ZERO_SELF_SIGNED_CERT");
        assert.ok(!(await asking.shown()).includes("me.test"));
      });
    }

    it("A5: stops when a TLS 1.2 server requires it before its own certificate is verified", async () => {
      for (const trusted of [false, true]) {
        await using asking = await startAsking({ rejectUnauthorized: true, maxVersion: "TLSv1.2" });

        const handshake = await probeOf(asking.url, trusted).handshake(asking.url, signal);

        assert.deepEqual([handshake.kind, asking.connections()], ["wants-identity", 1]);
        assert.deepEqual(await asking.shown(), []);
      }
    });

    it("A5: sends it to no other origin", async () => {
      await using asking = await startAsking({ rejectUnauthorized: false, maxVersion: "TLSv1.2" });

      const handshake = await probeOf(new URL("https://localhost:1"), true).handshake(asking.url, signal);

      assert.equal(handshake.kind, "secured");
      assert.deepEqual([await asking.shown(), asking.connections()], [["undefined"], 2]);
    });
  });

  it("ends when cancelled", async () => {
    const silent = createServer((socket) => socket.on("error", () => undefined)).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error("enough")), 50);
    const { port } = silent.address() as AddressInfo;

    await assert.rejects(
      new SocketProbe({}).handshake(new URL(`https://127.0.0.1:${port}`), controller.signal),
      /enough/,
    );
    silent.close();
  });
});
