import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { testConnection } from "../../../../../src/core/gateway/access/connection-test.ts";
import type { Finding } from "../../../../../src/core/gateway/access/finding.ts";
import { parseJwtKey } from "../../../../../src/core/gateway/access/jwt-key.ts";
import type { NetworkProfile } from "../../../../../src/core/gateway/network-profile.ts";
import { FakeClock } from "../../../../support/fakes/fake-clock.ts";
import { profileAt, recordedBlock } from "../../../../support/fakes/gateway-fixtures.ts";
import { closedUrl, drop, type Handler, json, startServer, text } from "../../../../support/http/http-server.ts";
import { guarded } from "../../../../support/http/jwt-server.ts";

const newKey = () =>
  parseJwtKey(
    generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  );
const KEY = newKey();
const SERVER_TIME = Date.UTC(2026, 10, 21, 3, 8, 49);
const DATE = { date: new Date(SERVER_TIME).toUTCString() };
const RULE = { publicKeyPem: KEY.publicKeyPem, keyId: "key-1", audience: "chain.test", now: () => SERVER_TIME };
const GATE = guarded(RULE, recordedBlock(), DATE);
const GOOD: Partial<NetworkProfile> = { jwt: true, keyId: "key-1", audience: "chain.test" };

interface Setup {
  readonly handler?: Handler;
  readonly privateKeyPem?: string | undefined;
  readonly apiKey?: string;
  /** Ms that the local clock is ahead of the server's. */
  readonly ahead?: number;
}

async function test(change: Partial<NetworkProfile>, setup: Setup = {}): Promise<readonly Finding[]> {
  await using server = await startServer(setup.handler ?? GATE);
  const clock = new FakeClock(SERVER_TIME + (setup.ahead ?? 0));
  const { privateKeyPem = KEY.privateKeyPem, apiKey } = setup;
  return await testConnection(profileAt(server.url, change), { clock, privateKeyPem, apiKey });
}

/** The first finding, which is the most likely cause. */
async function causeOf(change: Partial<NetworkProfile>, setup: Setup = {}): Promise<string> {
  const [first] = await test(change, setup);
  assert.ok(first !== undefined && first.status === "failed" && first.nextStep !== undefined);
  return `${first.check}: ${first.sentence}`;
}

describe("a connection test", () => {
  it("S3 S17 is all green when the token is right", async () => {
    const findings = await test(GOOD, { apiKey: "k" });
    assert.deepEqual(
      findings.filter((it) => it.status !== "ok"),
      [],
    );
    assert.deepEqual(findings.map((it) => it.check).sort(), [
      "api-key",
      "audience",
      "clock",
      "gateway",
      "jwt-key",
      "key-id",
      "token",
    ]);
  });

  it("S3 S14 S16 S17 names ID, audience and public key, in this order, when a right looking token is dropped", async () => {
    const wrong: readonly [Partial<NetworkProfile>, Setup][] = [
      [{ ...GOOD, keyId: "key-9" }, {}],
      [{ ...GOOD, audience: "other.test" }, {}],
      [GOOD, { privateKeyPem: newKey().privateKeyPem }],
    ];
    for (const [change, setup] of wrong) {
      const findings = await test(change, setup);
      assert.match(
        await causeOf(change, setup),
        new RegExp(`^token: .*"${change.keyId}".*"${change.audience}".*public key`),
      );
      assert.deepEqual(
        findings.slice(0, 5).map((it) => it.check),
        ["token", "key-id", "audience", "public-key", "gateway"],
      );
    }
  });

  it("S3 S15 names the clock when tokens have expired on arrival, and how far it is behind", async () => {
    assert.match(await causeOf(GOOD, { ahead: -125_000 }), /^clock: .* behind by 125 s, so every token has expired/);
  });

  it("S3 S16 names the audience when it is not the domain of the gateway", async () => {
    const profile = profileAt("https://api.chain.test", { ...GOOD, audience: "other.test" });
    const clock = new FakeClock(SERVER_TIME);
    const findings = await testConnection(profile, {
      clock,
      privateKeyPem: KEY.privateKeyPem,
      dispatcher: await redirected(),
    });
    assert.match(findings[0]?.sentence ?? "", /well-formed token: the audience "other.test", the key ID/);
    assert.deepEqual(
      findings.slice(0, 2).map((it) => it.check),
      ["token", "audience"],
    );
  });

  it("S3 S16 says which audience is right when the gateway accepts the domain of its URL", async () => {
    const { likelyAudiences } = await import("../../../../../src/core/gateway/access/connection-diagnosis.ts");
    const profile = profileAt("https://api.eu.chain.test/path", { audience: "other.test" });
    assert.deepEqual(likelyAudiences(profile), ["chain.test", "eu.chain.test", "api.eu.chain.test"]);
    assert.deepEqual(likelyAudiences(profileAt("http://127.0.0.1:9090", { audience: "x" })), []);
  });

  it("S3 S16 refuses an audience that cannot be one", async () => {
    for (const audience of ["https://chain.test", "chain.test/api", "chain test"]) {
      assert.match(await causeOf({ ...GOOD, audience }), /^audience: .*not a plain domain name/);
    }
    assert.match(await causeOf({ ...GOOD, audience: " " }), /^audience: .*is not set/);
  });

  it("S3 names the missing token when the gateway wants one and JWT is off", async () => {
    assert.match(await causeOf({ jwt: false }), /^token: .*no token/);
  });

  it("S3 S14 names what is missing to make a token", async () => {
    const { keyId: _keyId, ...withoutId } = GOOD;
    assert.match(await causeOf(withoutId), /^key-id: .*is not set/);
    assert.match(await causeOf({ ...GOOD, keyId: "SHA256:abc" }), /^key-id: .*fingerprint/);
    assert.match(await causeOf(GOOD, { privateKeyPem: "nonsense" }), /^jwt-key: .*no line -----BEGIN/);
    await using server = await startServer(GATE);
    const [first] = await testConnection(profileAt(server.url, GOOD), { clock: new FakeClock() });
    assert.deepEqual([first?.check, first?.status, server.requests.length], ["jwt-key", "failed", 0]);
  });

  it("S94 S103 names the API key header, and whether the key is missing or wrong", async () => {
    const handler = text("", 401);
    assert.match(await causeOf({}, { handler }), /^api-key: .*401.*CHAIN-PRO-API-KEY is missing/);
    assert.match(await causeOf({}, { handler, apiKey: "old" }), /^api-key: .*CHAIN-PRO-API-KEY is wrong/);
  });

  it("warns of a clock that is ahead, and still says that the gateway answered", async () => {
    const findings = await test(GOOD, { ahead: 90_000 });
    assert.deepEqual([findings[0]?.check, findings[0]?.status], ["clock", "warning"]);
    assert.match(findings[0]?.sentence ?? "", /90 s ahead of/);
    assert.ok(findings.some((it) => it.check === "gateway" && it.status === "ok"));
  });

  it("S99 says of a closed port that nobody listens, and blames no token", async () => {
    const clock = new FakeClock();
    const [first] = await testConnection(profileAt(await closedUrl(), GOOD), {
      clock,
      privateKeyPem: KEY.privateKeyPem,
    });
    assert.deepEqual([first?.check, first?.status], ["gateway", "failed"]);
    assert.match(first?.sentence ?? "", /connection refused/);
  });

  it("S106 tells what a page that is no gateway answered", async () => {
    const [first] = await test({}, { handler: text("<html>") });
    assert.match(first?.sentence ?? "", /cannot be read: it is not JSON/);
  });

  it("keeps tokens of a long life for a gateway that stays silent, and sends one token otherwise", async () => {
    await using silent = await startServer(drop);
    await using good = await startServer(json(recordedBlock()));
    for (const server of [silent, good]) {
      await testConnection(profileAt(server.url, GOOD), { clock: new FakeClock(), privateKeyPem: KEY.privateKeyPem });
    }
    const lives = [...silent.requests, ...good.requests].map(({ headers }) => {
      const [, payload = ""] = headers.authorization?.split(".") ?? [];
      return JSON.parse(Buffer.from(payload, "base64url").toString("utf8")).exp - Date.UTC(2026, 0, 1) / 1000;
    });
    assert.deepEqual(lives, [60, 86_400, 60]);
  });

  it("S11 no finding holds a part of the private key", async () => {
    const findings = [
      ...(await test(GOOD)),
      ...(await test({ ...GOOD, keyId: "x" })),
      ...(await test(GOOD, { privateKeyPem: KEY.privateKeyPem.slice(0, 300) })),
    ];
    const lines = KEY.privateKeyPem.split("\n").filter((line) => line.length === 64);
    for (const line of lines) assert.ok(!JSON.stringify(findings).includes(line));
  });
});

/** A dispatcher for which every host is a gateway that drops everything. */
async function redirected() {
  const { default: Agent } = await import("undici/lib/dispatcher/agent.js");
  return new Agent({
    connect: (_options, callback) => callback(Object.assign(new Error("closed"), { code: "ECONNRESET" }), null),
  });
}
