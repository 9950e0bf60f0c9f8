import assert from "node:assert/strict";
import { request } from "node:http";
import {
  type LoopbackRoutes,
  type LoopbackServer,
  type Reply,
  serveLoopback,
} from "../../../../src/host/external-signer/loopback-server.ts";

interface RawRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends a request with any headers, also those that a browser does not let a page set. */
function send(origin: string, { method = "GET", path = "/", headers = {}, body }: RawRequest): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const asking = request(origin, { method, path, headers, agent: false }, (response) => {
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    response.once("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
  });
  asking.once("error", reject);
  asking.end(body);
  return promise;
}

describe("serveLoopback", () => {
  let server: LoopbackServer;
  let bodies: unknown[] = [];
  let left = Promise.withResolvers<void>();

  const routes: LoopbackRoutes = {
    files: new Map([["/", { type: "text/html", text: "<p>page</p>" }]]),
    posts: new Map<string, (body: unknown, gone: AbortSignal) => Promise<Reply>>([
      [
        "/do",
        async (body: unknown) => {
          bodies.push(body);
          return { status: 200, body: { done: true } };
        },
      ],
      [
        "/wait",
        (_: unknown, gone: AbortSignal) => {
          gone.addEventListener("abort", () => left.resolve());
          return new Promise<never>(() => undefined);
        },
      ],
    ]),
  };

  beforeEach(async () => {
    bodies = [];
    left = Promise.withResolvers();
    server = await serveLoopback(routes);
  });

  afterEach(() => server.close());

  const own = () => ({ origin: server.origin, "content-type": "application/json" });
  const post = (headers: Readonly<Record<string, string>>, body = '{"a":1}', path = "/do") =>
    send(server.origin, { method: "POST", path, headers, body });

  it("listens on the loopback interface at a free port", async () => {
    const other = await serveLoopback(routes);
    other.close();

    assert.match(server.origin, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.notEqual(server.origin, other.origin);
  });

  it("serves its page with a policy against external content and frames", async () => {
    const { status, text, headers } = await send(server.origin, {});

    assert.deepEqual([status, text], [200, "<p>page</p>"]);
    assert.equal(
      headers["content-security-policy"],
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    );
    assert.deepEqual(
      ["x-frame-options", "referrer-policy", "cache-control", "x-content-type-options"].map((it) => headers[it]),
      ["DENY", "no-referrer", "no-store", "nosniff"],
    );
    assert.equal(headers["access-control-allow-origin"], undefined);
  });

  it("answers requests of its own page", async () => {
    const { status, text } = await post(own());

    assert.deepEqual([status, text, bodies], [200, '{"done":true}', [{ a: 1 }]]);
  });

  it("refuses other host names", async () => {
    const { port } = new URL(server.origin);
    const hosts = [`evil.test:${port}`, "evil.test", `localhost:${port}`, `127.0.0.1:${Number(port) - 1}`, "127.0.0.1"];
    for (const host of hosts) {
      const page = await send(server.origin, { headers: { host } });
      const doing = await post({ ...own(), host });
      assert.deepEqual([host, page.status, doing.status, page.text.includes("page")], [host, 421, 421, false]);
    }
    assert.deepEqual(bodies, []);
  });

  it("refuses requests of other origins and without origin", async () => {
    const foreignOrigins = [
      "https://evil.test",
      "null",
      server.origin.replace("127.0.0.1", "localhost"),
      `${server.origin}.evil.test`,
    ];
    for (const origin of foreignOrigins) assert.equal((await post({ ...own(), origin })).status, 403);
    assert.equal((await post({ "content-type": "application/json" })).status, 403);
    for (const site of ["cross-site", "same-site", "none"]) {
      assert.equal((await post({ ...own(), "sec-fetch-site": site })).status, 403);
    }
    assert.deepEqual(bodies, []);
  });

  it("answers no CORS preflight", async () => {
    const headers = { origin: "https://evil.test", "access-control-request-method": "POST" };
    const { status, headers: reply } = await send(server.origin, { method: "OPTIONS", path: "/do", headers });

    assert.deepEqual(
      [status, reply["access-control-allow-origin"], reply["access-control-allow-methods"]],
      [405, undefined, undefined],
    );
  });

  it("refuses form content types", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=utf-8"]) {
      assert.equal((await post({ ...own(), "content-type": type })).status, 415);
    }
    assert.deepEqual(bodies, []);
  });

  it("serves no other path, method or frame", async () => {
    for (const path of ["/index.html", "/..", "/?a", "//", "/%2e%2e/etc/passwd", "/do?x", "/favicon.ico"]) {
      assert.equal((await send(server.origin, { path })).status, 404, path);
    }
    assert.equal((await send(server.origin, { path: "/do" })).status, 405);
    assert.equal((await send(server.origin, { method: "DELETE", headers: own() })).status, 405);
    assert.equal((await send(server.origin, { headers: { "sec-fetch-dest": "iframe" } })).status, 403);
  });

  it("refuses long bodies and malformed JSON", async () => {
    assert.equal((await post(own(), JSON.stringify({ a: "x".repeat(20_000) }))).status, 413);
    assert.equal((await post(own(), "{")).status, 400);
    assert.deepEqual(bodies, []);
  });

  it("accepts the origin of a tunnel", async () => {
    server.allow("https://tunnel.test");
    const { port } = new URL(server.origin);

    assert.equal((await post({ ...own(), host: "tunnel.test", origin: "https://tunnel.test" })).status, 200);
    assert.equal((await post({ ...own(), host: `localhost:${port}`, origin: "https://tunnel.test" })).status, 200);
    assert.equal((await post({ ...own(), host: "tunnel.test", origin: "https://other.test" })).status, 403);
  });

  it("signals when a waiting client disconnects", async () => {
    const asking = request(server.origin, { method: "POST", path: "/wait", headers: own(), agent: false });
    asking.on("error", () => undefined);
    asking.end("{}", () => setImmediate(() => asking.destroy()));

    await left.promise;
  });

  it("refuses connections after it was closed", async () => {
    server.close();

    await assert.rejects(send(server.origin, {}), { code: "ECONNREFUSED" });
  });
});
