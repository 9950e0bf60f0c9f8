import assert from "node:assert/strict";
import { drop, type Handler, hang, json, startServer, text } from "../../../../../test/support/http/http-server.ts";
import { type PlainGateway, plainGateway } from "../../../../../test/support/http/plain-gateway.ts";
import { firstFailure, testedConnection } from "../../../../../test/support/http/tested-connection.ts";
import type { Finding } from "../../../src/gateway/access/finding.ts";

const TEN = [
  "/wallet/getchainparameters",
  "/wallet/createtransaction",
  "/wallet/broadcasttransaction",
  "/wallet/gettransactioninfobyid",
  "/wallet/getaccountresource",
  "/wallet/triggerconstantcontract",
  "/wallet/estimateenergy",
  "/walletsolidity/gettransactionbyid",
  "/walletsolidity/gettransactioninfobyid",
  "/walletsolidity/getblockbynum",
];

async function test(handler: Handler): Promise<readonly Finding[]> {
  await using server = await startServer(handler);
  return await testedConnection({ url: server.url });
}

const gateway = (missing: PlainGateway["missing"] = {}) => plainGateway({ now: Date.now(), missing });
const lineOf = (findings: readonly Finding[], path: string): string => {
  const found = findings.find(({ of }) => of === path);
  return `${found?.status}: ${found?.sentence}`;
};

/** Answers the ten paths of the document, and all else in another way. */
function tenPaths(otherwise: Handler): Handler {
  const inner = gateway();
  return (...request) => (TEN.includes(request[1].path) ? inner : otherwise)(...request);
}

describe("the paths of a gateway", () => {
  it("are the ten of the document, each with how long it took, and optional ones", async () => {
    const findings = await test(gateway());
    const paths = findings.filter(({ check }) => check === "path");

    assert.deepEqual(paths.map(({ of }) => of).sort(), [...TEN].sort());
    for (const { status, ms } of paths) assert.ok(status === "ok" && typeof ms === "number");
    assert.ok(findings.filter(({ check, status }) => check === "optional-path" && status === "ok").length > 10);
  });

  it("are enough when they are the ten alone: what is lost is said, and nothing is called wrong", async () => {
    const findings = await test(tenPaths(text("", 404)));

    assert.equal(firstFailure(findings), "nothing failed");
    assert.match(lineOf(findings, "/wallet/getaccount"), /^skipped: .* is not served: stakes, votes and permissions/);
    assert.match(lineOf(findings, "/wallet/getnowblock"), /^skipped: .* the newest block is told by code/);
  });

  it("are told as missing where a gateway drops what it does not serve", async () => {
    const findings = await test(tenPaths(drop));

    assert.equal(firstFailure(findings), "nothing failed");
    assert.match(lineOf(findings, "/wallet/getnodeinfo"), /^skipped/);
  });

  it("are not waited for one after the other where a gateway never answers what it does not serve", async () => {
    const started = performance.now();
    const findings = await test(tenPaths(hang));

    assert.ok(performance.now() - started < 20_000);
    assert.equal(firstFailure(findings), "nothing failed");
    for (const path of TEN) assert.match(lineOf(findings, path), /^ok/, path);
  }).timeout(60_000);

  it("are named when one that is promised is missing", async () => {
    const findings = await test(gateway({ "/wallet/createtransaction": 405 }));

    assert.match(firstFailure(findings), /^path: \/wallet\/createtransaction is not served \(405\)/);
  });

  it("lead to the other port where solidified data are missing", async () => {
    const findings = await test(gateway({ "/walletsolidity/": 405 }));

    assert.match(firstFailure(findings), /^path: \/walletsolidity\/gettransaction.* is not served/);
    assert.match(findings.find(({ status }) => status === "failed")?.nextStep ?? "", /8091.*URL of solidified data/);
  });

  it("S73 may lack estimates: a missing or switched off one is a warning", async () => {
    const off = json({
      result: {
        code: "CONTRACT_VALIDATE_ERROR",
        message: Buffer.from("this node does not support estimate energy").toString("hex"),
      },
    });
    const inner = gateway();
    const switched: Handler = (...request) => (request[1].path === "/wallet/estimateenergy" ? off : inner)(...request);

    for (const handler of [gateway({ "/wallet/estimateenergy": 404 }), switched])
      assert.match(lineOf(await test(handler), "/wallet/estimateenergy"), /^warning: .*trial run instead/);
  });

  it("are left alone as soon as the gateway asks for fewer requests", async () => {
    const inner = gateway();
    const limited: Handler = (response, request, number) =>
      (number > 12 ? text("", 429, { "retry-after": "5" }) : inner)(response, request, number);
    await using server = await startServer(limited);
    const findings = await testedConnection({ url: server.url });

    assert.ok(server.requests.length < 18, `${server.requests.length} requests`);
    assert.equal(findings.find(({ check }) => check === "rate-limit")?.status, "warning");
    assert.match(lineOf(findings, "/wallet/getaccount"), /asked for fewer requests/);
  });

  it("tell the limits that a gateway names in its headers", async () => {
    const headers = { "x-ratelimit-limit": "15", "x-ratelimit-remaining": "14", "ratelimit-policy": "evil$(x) text" };
    const findings = await test(plainGateway({ now: Date.now(), headers }));

    assert.equal(
      findings.find(({ check }) => check === "rate-limit")?.sentence,
      "It tells its limits: ratelimit-policy, x-ratelimit-limit 15, x-ratelimit-remaining 14.",
    );
  });
});
