import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { FakeClock } from "../../../../../test/support/fakes/fake-clock.ts";
import { profileAt, wireBlock } from "../../../../../test/support/fakes/gateway-fixtures.ts";
import {
  closedUrl,
  drop,
  echo,
  guardedBy,
  type Handler,
  hang,
  startServer,
  text,
} from "../../../../../test/support/http/http-server.ts";
import { plainGateway } from "../../../../../test/support/http/plain-gateway.ts";
import {
  firstFailure,
  type TestedNetwork,
  testedConnection,
} from "../../../../../test/support/http/tested-connection.ts";
import { ChainError } from "../../../../tron/src/errors/chain-error.ts";
import { likelyAudiences } from "../../../src/gateway/access/connection-authentication.ts";
import {
  type CheckResult,
  checkId,
  documentedPaths,
  failuresFirst,
  optionalPaths,
  planConnection,
} from "../../../src/gateway/access/connection-checks.ts";
import type { ConnectionProbe } from "../../../src/gateway/access/connection-route.ts";
import { testConnection } from "../../../src/gateway/access/connection-test.ts";
import { parseJwtKey } from "../../../src/gateway/access/jwt.ts";
import type { Block } from "../../../src/gateway/gateway.ts";
import { createDispatcher } from "../../../src/gateway/http/http-dispatcher.ts";
import { parseBlock } from "../../../src/gateway/wire/block.ts";

const newKey = () =>
  parseJwtKey(
    generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  );
const KEY = newKey();
const RULE = { publicKeyPem: KEY.publicKeyPem, keyId: "key-1", audience: "chain.test", now: Date.now };
const GOOD = { jwt: true, keyId: "key-1", audience: "chain.test", jwtKeyPem: KEY.privateKeyPem };
const API_KEY = "api-key-of-the-test";

const fine = (): Handler => plainGateway({ now: Date.now() });
const gate = (): Handler => guardedBy(RULE, fine());

async function test(change: Omit<TestedNetwork, "url">, handler: Handler = gate()): Promise<readonly CheckResult[]> {
  await using server = await startServer(handler);
  return await testedConnection({ url: server.url, ...change });
}

const causeOf = async (change: Omit<TestedNetwork, "url">, handler?: Handler): Promise<string> =>
  firstFailure(await test(change, handler));

const statusOf = (findings: readonly CheckResult[], check: CheckResult["check"]) =>
  findings.find((it) => it.check === check)?.status;

describe("testConnection", () => {
  it("S3 S17 passes when the token is correct", async () => {
    const findings = await test({ ...GOOD, apiKey: API_KEY });

    assert.deepEqual(
      findings.filter(({ status }) => status === "failed" || status === "warning"),
      [],
    );
    for (const check of ["jwt-key", "key-id", "audience", "gateway", "token", "public-key", "clock", "head"] as const)
      assert.equal(statusOf(findings, check), "ok", check);
  });

  it("returns a result for each planned check, in order", async () => {
    const expected = planConnection(profileAt("http://127.0.0.1:1", { jwt: true })).map(checkId);

    for (const handler of [gate(), drop, text("<html>"), text("", 401)])
      assert.deepEqual((await test(GOOD, handler)).map(checkId), expected);
    assert.deepEqual((await testedConnection({ url: await closedUrl(), ...GOOD })).map(checkId), expected);
  });

  it("skips the checks that depend on a failed one, without a request", async () => {
    await using server = await startServer(text("", 401));
    const findings = await testedConnection({ url: server.url });

    const after = findings.filter(({ check }) => check === "head" || check === "path");
    assert.equal(server.requests.length, 1);
    assert.ok(after.length > 10);
    for (const { status, sentence } of after) {
      assert.equal(status, "skipped");
      assert.match(sentence, /^Not checked, because this check failed: API key\.$/);
    }
  });

  it("S3 S14 S16 S17 names ID, audience and public key, in this order, when a valid-looking token is dropped", async () => {
    const wrong = [
      { ...GOOD, keyId: "key-9" },
      { ...GOOD, audience: "other.test" },
      { ...GOOD, jwtKeyPem: newKey().privateKeyPem },
    ];
    for (const change of wrong) {
      const findings = await test(change);
      assert.match(firstFailure(findings), new RegExp(`^token: .*"${change.keyId}".*"${change.audience}".*public key`));
      for (const suspect of ["key-id", "audience", "public-key", "gateway"] as const)
        assert.equal(statusOf(findings, suspect), "warning", suspect);
    }
  });

  it("S3 S15 names the clock and its offset when tokens have expired on arrival", async () => {
    assert.match(await causeOf({ ...GOOD, ahead: -125_000 }), /^clock: .* behind by 12[3-6] s, so every token has/);
  });

  it("S3 S16 names the correct audience when the gateway accepts the domain of its URL", () => {
    const profile = profileAt("https://api.eu.chain.test/path", { audience: "other.test" });

    assert.deepEqual(likelyAudiences(profile), ["chain.test", "eu.chain.test", "api.eu.chain.test"]);
    assert.deepEqual(likelyAudiences(profileAt("http://127.0.0.1:9090", { audience: "x" })), []);
  });

  it("S3 S16 refuses an impossible audience", async () => {
    for (const audience of ["https://chain.test", "chain.test/api", "chain test"]) {
      assert.match(await causeOf({ ...GOOD, audience }), /^audience: .*not a plain domain name/);
    }
    assert.match(await causeOf({ ...GOOD, audience: " " }), /^audience: .*is not set/);
  });

  it("S3 S14 names the missing settings of a token, and sends nothing", async () => {
    await using server = await startServer(gate());
    const { keyId: _keyId, ...withoutId } = GOOD;
    const { jwtKeyPem: _key, ...withoutKey } = GOOD;
    const test = (change: Omit<TestedNetwork, "url">) => testedConnection({ url: server.url, ...change });

    assert.match(firstFailure(await test(withoutId)), /^key-id: .*is not set/);
    assert.match(firstFailure(await test({ ...GOOD, jwtKeyPem: "nonsense" })), /^jwt-key: .*no line -----BEGIN/);
    assert.match(firstFailure(await test(withoutKey)), /^jwt-key: .*no private key/);
    assert.equal(server.requests.length, 0);
  });

  it("G20 S3 S14: names the ID first when it may be a fingerprint", async () => {
    assert.match(await causeOf({ ...GOOD, keyId: "SHA256:abc" }), /^key-id: .*may be the fingerprint/);
  });

  it("S94 S103 names the API key header, and whether the key is missing or wrong", async () => {
    const handler = text("", 401);
    assert.match(await causeOf({}, handler), /^api-key: .*401.*CHAIN-PRO-API-KEY is missing/);
    assert.match(await causeOf({ apiKey: API_KEY }, handler), /^api-key: .*CHAIN-PRO-API-KEY is wrong/);
  });

  it("names the clock, not the API key, when an expired token gets 401", async () => {
    const handler = guardedBy(RULE, fine(), text("", 401));

    assert.match(await causeOf({ ...GOOD, ahead: -600_000 }, handler), /^clock: .*so every token has expired/);
    assert.match(await causeOf({ ...GOOD, keyId: "key-9" }, handler), /^api-key: .*or the token is not accepted/);
  });

  it("warns about a small clock offset, and passes the gateway check", async () => {
    const findings = await test({ ...GOOD, ahead: 90_000 });

    assert.deepEqual([statusOf(findings, "clock"), statusOf(findings, "gateway")], ["warning", "ok"]);
    assert.match(findings.find(({ check }) => check === "clock")?.sentence ?? "", /9\d s ahead of/);
  });

  it("returns the most likely cause first in machine-readable form", async () => {
    const first = failuresFirst(await test({ ...GOOD, keyId: "key-9" }))[0];

    assert.deepEqual([first?.check, first?.status], ["token", "failed"]);
  });

  it("stores long-lived tokens for a gateway that does not answer, and one token otherwise", async () => {
    await using silent = await startServer(drop);
    await using good = await startServer(fine());
    for (const { url } of [silent, good]) await testedConnection({ url, ...GOOD });
    const livesOf = ({ requests }: typeof silent) => {
      const ends = requests.flatMap(({ headers }) => {
        const [, payload] = headers.authorization?.split(".") ?? [];
        return payload === undefined ? [] : [JSON.parse(Buffer.from(payload, "base64url").toString("utf8")).exp];
      });
      return [...new Set(ends.map((it) => Math.round((it - Date.now() / 1000) / 60)))].sort((a, b) => a - b);
    };

    assert.deepEqual([livesOf(silent), livesOf(good)], [[1, 1_440], [1]]);
    assert.equal(new Set(good.requests.map(({ headers }) => headers.authorization)).size, 1);
  });

  it("S11 reveals no part of a key when a gateway repeats it", async () => {
    const limits: Handler = (response, request, number) => {
      response.setHeader("x-ratelimit-limit", String(request.headers["chain-pro-api-key"]));
      fine()(response, request, number);
    };
    const printed = [
      ...(await test({ ...GOOD, apiKey: API_KEY })),
      ...(await test({ ...GOOD, apiKey: API_KEY }, echo)),
      ...(await test({ ...GOOD, apiKey: API_KEY }, limits)),
      ...(await test({ ...GOOD, keyId: "x" })),
      ...(await test({ ...GOOD, jwtKeyPem: KEY.privateKeyPem.slice(0, 300) })),
    ].map((it) => JSON.stringify(it));
    const lines = KEY.privateKeyPem.split("\n").filter((line) => line.length === 64);

    for (const secret of [API_KEY, "Bearer eyJ", ...lines])
      assert.deepEqual(
        printed.filter((it) => it.includes(secret)),
        [],
      );
  });

  it("C1: quotes and shortens the title and location of another web page, with control characters visible", async () => {
    const title = `[free](command:evil) $(bug) \u202e${"A".repeat(400)}`;
    const page = firstFailure(await test({}, text(`<!DOCTYPE html><title>${title}</title>`)));
    const moved = firstFailure(await test({}, text("", 302, { location: "https://evil.test/?key=secret-of-a-path" })));

    assert.match(page, /^gateway: The URL returned a web page, “\[free\]\(command:evil\) \$\(bug\) ⟨U\+202E⟩A+…”/);
    assert.ok(page.length < 200);
    assert.ok(moved.includes("“evil.test”") && !moved.includes("secret-of-a-path"));
  });

  it("searches for the newest solidified block when no endpoint returns it, and reports its age", async () => {
    await using server = await startServer(
      plainGateway({ now: Date.now(), missing: { "/wallet/getnowblock": 404, "/walletsolidity/getnowblock": 404 } }),
    );
    const solidified = async (solidBlock?: () => Promise<Block>) =>
      (await testedConnection({ url: server.url, ...(solidBlock === undefined ? {} : { solidBlock }) })).find(
        ({ check }) => check === "solidified",
      );
    const timestamp = Date.now() - 600_000;
    const old = parseBlock(wireBlock({ number: 77, timestamp }));
    const refused = new ChainError("GATEWAY_UNREACHABLE", { endpoint: server.url, attempts: 1, reason: "gone" });

    assert.match((await solidified(async () => old))?.sentence ?? "", /newest solidified block, 77, is 10 min old/);
    assert.equal((await solidified())?.status, "skipped");
    assert.equal((await solidified(() => Promise.reject(refused)))?.status, "skipped");
  });

  it("sends only an empty broadcast", async () => {
    await using server = await startServer(fine());
    await testedConnection({ url: server.url });

    const bodies = server.requests.filter(({ path }) => path.endsWith("broadcasttransaction")).map(({ body }) => body);
    assert.deepEqual(bodies, ["{}"]);
    const paths = new Set(server.requests.map(({ path }) => path));
    assert.deepEqual(
      [...documentedPaths, ...optionalPaths].filter(({ path }) => !paths.has(path)),
      [],
    );
  });
});

describe("testConnection when it is cancelled", () => {
  it("ends at once, keeps its results and marks the others", async () => {
    await using server = await startServer(hang);
    const controller = new AbortController();
    setTimeout(() => controller.abort(), 100);
    const started = performance.now();

    const findings = await testedConnection({ url: server.url, signal: controller.signal });

    assert.ok(performance.now() - started < 2_000);
    assert.equal(statusOf(findings, "connection"), "ok");
    assert.match(findings.find(({ check }) => check === "gateway")?.sentence ?? "", /the test was cancelled/);
  });

  it("sends no request when it was cancelled before", async () => {
    await using server = await startServer(fine());
    const findings = await testedConnection({ url: server.url, signal: AbortSignal.abort() });

    assert.deepEqual([new Set(findings.map(({ status }) => status)).size, server.requests.length], [1, 0]);
  });
});

describe("testConnection with an endless answer", () => {
  it("ends when the time for the whole test is over", async () => {
    const clock = new FakeClock();
    const never = new Promise<never>(() => undefined);
    const probe: ConnectionProbe = {
      proxyFor: () => undefined,
      resolveName: (_host, signal) =>
        Promise.race([
          never,
          new Promise<never>((_, fail) => signal.addEventListener("abort", () => fail(signal.reason))),
        ]),
      connect: () => never,
      handshake: () => never,
      detectProtocol: () => never,
    };
    const dispatcher = createDispatcher();
    const test = testConnection(profileAt("https://gateway.test"), { clock, probe, dispatcher });
    await clock.advance(12_000);
    const findings = await test;
    await dispatcher.destroy();

    assert.match(findings.find(({ check }) => check === "tls")?.sentence ?? "", /the test took too long/);
  });
});
