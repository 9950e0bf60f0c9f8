import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttp2, createSecureServer } from "node:http2";
import { type AddressInfo, createServer, type Server } from "node:net";
import {
  closedUrl,
  cut,
  drop,
  guardedBy,
  type Handler,
  hang,
  type JwtRule,
  startProxy,
  startServer,
  startTlsServer,
  type TestServer,
  text,
} from "../../../../test/support/http/http-server.ts";
import { type PlainGateway, plainGateway } from "../../../../test/support/http/plain-gateway.ts";
import { type CertificateChange, type SelfSigned, selfSigned } from "../../../../test/support/http/self-signed.ts";
import { firstFailure, type TestedNetwork, testedConnection } from "../../../../test/support/http/tested-connection.ts";
import type { CheckResult } from "../../src/gateway/access/connection-checks.ts";
import { parseJwtKey } from "../../src/gateway/access/jwt.ts";

const HOUR_MS = 3_600_000;
const pem = (type: "rsa" | "ec"): string => {
  const { privateKey } =
    type === "rsa"
      ? generateKeyPairSync("rsa", { modulusLength: 2048 })
      : generateKeyPairSync("ec", { namedCurve: "P-256" });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
};
const KEY = parseJwtKey(pem("rsa"));
const RULE: JwtRule = { publicKeyPem: KEY.publicKeyPem, keyId: "key-1", audience: "chain.test", now: Date.now };
const JWT = { jwt: true, keyId: "key-1", audience: "chain.test", jwtKeyPem: KEY.privateKeyPem };

const gateway = (change: Partial<PlainGateway> = {}): Handler => plainGateway({ now: Date.now(), ...change });
const behindJwt = (refuse: Handler = drop): Handler => guardedBy(RULE, gateway(), refuse);
/** Answers after the timeout of the client. */
const late: Handler = (response) => void setTimeout(() => response.end("{}"), 20_000).unref();

/** Fault of a gateway, and the cause that the first failed check has to name. */
interface BrokenGateway {
  readonly name: string;
  readonly cause: RegExp;
  readonly test: (resources: AsyncDisposableStack) => Promise<readonly CheckResult[]>;
}

async function at(
  resources: AsyncDisposableStack,
  handler: Handler,
  network: Omit<TestedNetwork, "url"> = {},
): Promise<readonly CheckResult[]> {
  const server = resources.use(await startServer(handler));
  return await testedConnection({ url: server.url, ...network });
}

/** Tests a TLS gateway under the name `localhost`. */
async function encrypted(
  resources: AsyncDisposableStack,
  identity: SelfSigned,
  settings: TestedNetwork["settings"] = {},
): Promise<readonly CheckResult[]> {
  const server = resources.use(await startTlsServer(identity, gateway()));
  return await testedConnection({ url: named(server.url), settings });
}

const named = (url: string): string => url.replace("127.0.0.1", "localhost");

async function certificate(resources: AsyncDisposableStack, host: string, change: CertificateChange, trusted: boolean) {
  const identity = selfSigned(host, change);
  return await encrypted(resources, identity, trusted ? { certificates: [identity.cert] } : {});
}

/** Starts a server without HTTP/1.1 on a free port, and returns the port. */
async function listening(resources: AsyncDisposableStack, server: Server, host = "127.0.0.1"): Promise<number> {
  server.listen(0, host);
  await once(server, "listening");
  resources.defer(() => void server.close());
  return (server.address() as AddressInfo).port;
}

/** Tests a gateway whose solidified data have another URL. */
async function withSolid(resources: AsyncDisposableStack, solid: Handler | undefined): Promise<readonly CheckResult[]> {
  const solidityBaseUrl = solid === undefined ? await closedUrl() : resources.use(await startServer(solid)).url;
  return await at(resources, gateway(), { solidityBaseUrl });
}

/** Tests through a proxy that connects every host to this gateway. */
async function proxied(
  resources: AsyncDisposableStack,
  handler: Handler,
  network: Omit<TestedNetwork, "url">,
): Promise<readonly CheckResult[]> {
  const identity = selfSigned("api.chain.test");
  const server: TestServer = resources.use(await startTlsServer(identity, handler));
  const proxy = resources.use(await startProxy(server.url));
  const settings = { proxy: proxy.url, certificates: [identity.cert] };
  return await testedConnection({ url: "https://api.chain.test", settings, ...network });
}

async function passwordProxy(resources: AsyncDisposableStack): Promise<readonly CheckResult[]> {
  const port = await listening(
    resources,
    createServer((socket) => {
      socket.on("error", () => undefined);
      socket.once("data", () => socket.end('HTTP/1.1 407 No\r\nproxy-authenticate: Basic realm="x"\r\n\r\n'));
    }),
  );
  return await testedConnection({ url: "https://gateway.test", settings: { proxy: `http://127.0.0.1:${port}` } });
}

const portal = text("<!DOCTYPE html><html><head><title>Hotel WiFi: sign in</title></head></html>", 200);
const redirect = text("", 302, { location: "https://portal.hotel.test/login?from=1" });

const BROKEN: readonly BrokenGateway[] = [
  {
    name: "wrong port",
    cause: /^connection: Nothing listens on port \d+ of 127/,
    test: async () => testedConnection({ url: await closedUrl() }),
  },
  {
    name: "unknown name",
    cause: /^name: No address was found for gateway\.invalid/,
    test: () => testedConnection({ url: "https://gateway.invalid" }),
  },
  {
    name: "IPv6 only",
    cause: /^connection: .* but a server does at ::1: the node listens on IPv6 only/,
    test: async (it) => testedConnection({ url: `http://127.0.0.1:${await listening(it, createServer(), "::1")}` }),
  },
  {
    name: "self-signed certificate",
    cause: /^tls: The certificate is self-signed/,
    test: (it) => certificate(it, "localhost", {}, false),
  },
  {
    name: "certificate of an unknown authority",
    cause: /^tls: “Corporate CA” issued.* does not trust/,
    test: (it) => certificate(it, "localhost", { issuer: "Corporate CA" }, false),
  },
  {
    name: "expired certificate",
    cause: /^tls: .* expired on 2021-01-01/,
    test: (it) => certificate(it, "localhost", { until: "210101000000Z" }, true),
  },
  {
    name: "certificate of tomorrow",
    cause: /^tls: .* is not valid before 2048-01-01/,
    test: (it) => certificate(it, "localhost", { from: "480101000000Z" }, true),
  },
  {
    name: "certificate of another host",
    cause: /^tls: .* not for localhost but for “other\.test”/,
    test: (it) => certificate(it, "other.test", {}, true),
  },
  {
    name: "https on an http port",
    cause: /^tls: Port \d+ uses http without encryption/,
    test: async (it) => testedConnection({ url: it.use(await startServer(gateway())).url.replace("http:", "https:") }),
  },
  {
    name: "http on an https port",
    cause: /^gateway: Port \d+ requires encryption/,
    test: async (it) =>
      testedConnection({
        url: it.use(await startTlsServer(selfSigned("localhost"), gateway())).url.replace("https:", "http:"),
      }),
  },
  {
    name: "HTTP/2 only",
    cause: /^gateway: Port \d+ accepts HTTP\/2 only/,
    test: async (it) => testedConnection({ url: `http://127.0.0.1:${await listening(it, createHttp2())}` }),
  },
  {
    name: "HTTP/2 only, encrypted",
    cause: /^tls: Port \d+ accepts HTTP\/2 only/,
    test: async (it) => {
      const identity = selfSigned("localhost");
      const port = await listening(it, createSecureServer({ ...identity, allowHTTP1: false }));
      return testedConnection({ url: `https://localhost:${port}`, settings: { certificates: [identity.cert] } });
    },
  },
  { name: "proxy with a password", cause: /^proxy: The proxy 127\.0\.0\.1:\d+ answered 407/, test: passwordProxy },
  {
    name: "proxy that refuses the host",
    cause: /^proxy: .* answered 403 and did not open a tunnel to gateway\.test/,
    test: async (it) =>
      testedConnection({ url: "https://gateway.test", settings: { proxy: it.use(await startProxy(undefined)).url } }),
  },
  {
    name: "captive portal, a page",
    cause: /^gateway: The URL returned a web page, “Hotel WiFi: sign in”/,
    test: (it) => at(it, portal),
  },
  {
    name: "captive portal, elsewhere",
    cause: /^gateway: The answer \(302\) redirects to “portal\.hotel\.test”/,
    test: (it) => at(it, redirect),
  },
  {
    name: "clock an hour behind",
    cause: /^clock: The clock of this computer is (?:3600|3599|3601) s behind/,
    test: (it) => at(it, gateway(), { ahead: -HOUR_MS }),
  },
  {
    name: "clock an hour ahead",
    cause: /^clock: The clock of this computer is (?:3600|3599|3601) s ahead/,
    test: (it) => at(it, gateway(), { ahead: HOUR_MS }),
  },
  {
    name: "head ten minutes old",
    cause: /^head: The newest block, 5,000, is 10 min old/,
    test: (it) => at(it, gateway({ headAgeMs: 600_000 })),
  },
  {
    name: "head 40 blocks old",
    cause: /^head: The newest block, 5,000, is (?:2 min|12\d s|11\d s) old/,
    test: (it) => at(it, gateway({ headAgeMs: 120_000 })),
  },
  {
    name: "solidified data 200 blocks behind",
    cause: /^solidified: .* 200 blocks behind/,
    test: (it) => at(it, gateway({ behind: 200 })),
  },
  {
    name: "fork",
    cause: /^fork: The two URLs have different blocks 4,981/,
    test: (it) => at(it, gateway({ fork: "bb" })),
  },
  {
    name: "other chain on the solidity side",
    cause: /^same-chain: The two URLs belong to different chains/,
    test: (it) => withSolid(it, gateway({ chain: "cc" })),
  },
  { name: "closed solidity port", cause: /^solidity-url: .* Nothing listens/, test: (it) => withSolid(it, undefined) },
  {
    name: "full port as solidity",
    cause: /^solidity-url: .* 405 .* like the port of a full node/,
    test: (it) => withSolid(it, gateway({ missing: { "/walletsolidity/": 405 } })),
  },
  {
    name: "solidity port as URL",
    cause: /^gateway: This URL serves only solidified data/,
    test: (it) => at(it, gateway({ missing: { "/wallet/": 405 } })),
  },
  {
    name: "401",
    cause: /^api-key: .*401: the API key in the header CHAIN-PRO-API-KEY is missing/,
    test: (it) => at(it, text("", 401)),
  },
  {
    name: "403",
    cause: /^api-key: .*403: the API key in the header CHAIN-PRO-API-KEY is wrong/,
    test: (it) => at(it, text("", 403), { apiKey: "old-key-of-the-test" }),
  },
  {
    name: "429",
    cause: /^rate-limit: .*429.* Retry after 7 s/,
    test: (it) => at(it, text("", 429, { "retry-after": "7" })),
  },
  { name: "503", cause: /^gateway: The gateway answered 503/, test: (it) => at(it, text("<html>", 503)) },
  {
    name: "JWT: wrong kid",
    cause: /^token: .*the key ID \(kid\) "key-9", .*or the registered public key does not match/,
    test: (it) => at(it, behindJwt(), { ...JWT, keyId: "key-9" }),
  },
  {
    name: "JWT: wrong audience",
    cause: /^audience: The audience "other\.test" is wrong: the gateway accepted a token for "chain\.test"/,
    test: (it) => proxied(it, behindJwt(), { ...JWT, audience: "other.test" }),
  },
  {
    name: "JWT: expired by the clock",
    cause: /^clock: .* behind by 3\d+ s, so every token has expired/,
    test: (it) => at(it, behindJwt(), { ...JWT, ahead: -HOUR_MS }),
  },
  {
    name: "JWT: other public key",
    cause: /^token: .*registered public key does not match/,
    test: (it) => at(it, behindJwt(), { ...JWT, jwtKeyPem: pem("rsa") }),
  },
  { name: "JWT: no token", cause: /^token: .*to a request that had no token/, test: (it) => at(it, behindJwt()) },
  {
    name: "JWT: bad algorithm",
    cause: /^jwt-key: .*an ES256 key, .*use an RSA key \(RS256\)/,
    test: (it) => at(it, behindJwt(), { ...JWT, jwtKeyPem: pem("ec") }),
  },
  {
    name: "JWT: silence that lasts",
    cause: /^token: .*dropped a well-formed token/,
    test: (it) => at(it, behindJwt(hang), { ...JWT, keyId: "key-9", timeoutDivisor: 8 }),
  },
  {
    name: "slow, 20 s",
    cause: /^gateway: .* did not answer in 5 s/,
    test: (it) => at(it, late, { timeoutDivisor: 8 }),
  },
  {
    name: "reset",
    cause: /^gateway: The connection was reset/,
    test: (it) =>
      at(
        it,
        (response) => response.socket && "resetAndDestroy" in response.socket && response.socket.resetAndDestroy(),
      ),
  },
  { name: "truncated", cause: /^gateway: The answer of the gateway is incomplete/, test: (it) => at(it, cut) },
  { name: "dropped without a token", cause: /^token: .*no token/, test: (it) => at(it, drop) },
];

describe("testConnection with broken gateways", () => {
  it("reports no failure for a working gateway", async () => {
    await using resources = new AsyncDisposableStack();
    const findings = await at(resources, behindJwt(), { ...JWT, apiKey: "key-of-the-test" });

    assert.deepEqual(
      findings.filter(({ status }) => status === "failed" || status === "warning").map(({ sentence }) => sentence),
      [],
    );
    assert.ok(findings.length > 40);
  });

  for (const { name, cause, test } of BROKEN) {
    it(`reports the cause first: ${name}`, async () => {
      await using resources = new AsyncDisposableStack();
      const started = performance.now();

      const findings = await test(resources);

      const seconds = (performance.now() - started) / 1000;
      assert.match(firstFailure(findings), cause);
      assert.ok(seconds < 12.5, `${seconds} s`);
      const failed = findings.find(({ status }) => status === "failed");
      assert.match(failed?.nextStep ?? "", /^[A-Z].*\.$/);
    });
  }
});
