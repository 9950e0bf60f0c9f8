import assert from "node:assert/strict";
import { wireBlock } from "../../../../../test/support/fakes/gateway-fixtures.ts";
import { drop, type Handler, hang, json, startServer, text } from "../../../../../test/support/http/http-server.ts";
import { type PlainGateway, plainGateway } from "../../../../../test/support/http/plain-gateway.ts";
import { firstFailure, testedConnection } from "../../../../../test/support/http/tested-connection.ts";
import type { BlockId } from "../../../../tron/src/primitives/block.ts";
import { checkChain, type ObservedChain, type TimeReference } from "../../../src/gateway/access/connection-chain.ts";
import type { CheckName, CheckResult } from "../../../src/gateway/access/connection-checks.ts";
import type { Block } from "../../../src/gateway/gateway.ts";
import type { ChainId } from "../../../src/gateway/network.ts";
import { parseBlock } from "../../../src/gateway/wire/block.ts";

const NOW = Date.UTC(2026, 0, 1);
const CHAIN = `${"0".repeat(16)}${"ab".repeat(24)}` as ChainId;
const OTHER = `${"0".repeat(16)}${"cd".repeat(24)}` as ChainId;
const TIME: TimeReference = { now: NOW, isMeasured: true, local: false };

const block = (number: number, ageMs: number, parent = "11"): Block =>
  parseBlock(wireBlock({ number, timestamp: NOW - ageMs, parentId: parent.repeat(32) as BlockId }));
const SOLID = block(981, 60_000);
const SEEN: ObservedChain = {
  head: block(1_000, 3_000),
  solid: SOLID,
  headChain: CHAIN,
  solidChain: CHAIN,
  headAtSolid: SOLID,
};

function checkBlocks(check: CheckName, change: Partial<ObservedChain>, time: Partial<TimeReference> = {}): string {
  const found = checkChain({ ...SEEN, ...change }, { ...TIME, ...time }).find((it) => it.check === check);
  return found === undefined ? "nothing" : `${found.status}: ${found.sentence}`;
}

describe("block checks of a connection test", () => {
  it("pass when both views agree and advance", () => {
    assert.deepEqual(
      checkChain(SEEN, TIME).map(({ check, status }) => [check, status]),
      ["same-chain", "fork", "head", "solidified"].map((it) => [it, "ok"]),
    );
  });

  it("are skipped when the two URLs are different chains", () => {
    assert.match(checkBlocks("same-chain", { solidChain: OTHER }), /^failed: .*different chains/);
    assert.equal(checkBlocks("head", { solidChain: OTHER }), "nothing");
  });

  it("report another block at the same height", () => {
    assert.match(checkBlocks("fork", { headAtSolid: block(981, 60_000, "22") }), /^failed: .*different blocks 981/);
    assert.match(checkBlocks("fork", { headAtSolid: undefined }), /^skipped/);
  });

  it("report the age of the newest block, by the gateway's clock when it is known", () => {
    const old = (blocks: number) => ({ head: block(1_000, blocks * 3_000) });

    assert.match(checkBlocks("head", old(5)), /^ok: .* 1,000, 15 s old/);
    assert.match(checkBlocks("head", old(10)), /^warning: .* 30 s old/);
    assert.match(checkBlocks("head", old(40)), /^failed: .* 2 min old: the node/);
    assert.match(checkBlocks("head", old(40), { isMeasured: false }), /2 min old by the clock of this computer/);
    assert.match(checkBlocks("head", old(-40)), /^warning: .* ahead of the clock/);
    assert.match(checkBlocks("head", old(200_000), { local: true }), /^ok/);
    assert.match(checkBlocks("head", { head: undefined }), /^skipped: \/wallet\/getnowblock is not served/);
  });

  it("report the lag of solidified data, or a node that is ahead", () => {
    const behind = (blocks: number) => ({ solid: block(1_000 - blocks, 60_000) });

    assert.match(checkBlocks("solidified", behind(19)), /^ok: .*19 blocks behind/);
    assert.match(checkBlocks("solidified", behind(50)), /^warning: .*50 blocks behind/);
    assert.match(checkBlocks("solidified", behind(200)), /^failed: .*200 blocks behind/);
    assert.match(checkBlocks("solidified", behind(200), { local: true }), /^ok/);
    assert.match(checkBlocks("solidified", behind(-20)), /^failed: .*20 blocks ahead/);
    assert.match(checkBlocks("solidified", { head: undefined, solid: block(981, 600_000) }), /^failed: .*10 min old/);
    assert.match(checkBlocks("solidified", { solid: undefined }), /^skipped/);
  });
});

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

async function test(handler: Handler, timeoutDivisor = 1): Promise<readonly CheckResult[]> {
  await using server = await startServer(handler);
  return await testedConnection({ url: server.url, timeoutDivisor });
}

const gateway = (missing: PlainGateway["missing"] = {}) => plainGateway({ now: Date.now(), missing });
const lineOf = (findings: readonly CheckResult[], path: string): string => {
  const found = findings.find(({ of }) => of === path);
  return `${found?.status}: ${found?.sentence}`;
};

/** Serves the ten endpoints of the document, and all others with another handler. */
function tenPaths(otherwise: Handler): Handler {
  const inner = gateway();
  return (...request) => (TEN.includes(request[1].path) ? inner : otherwise)(...request);
}

describe("endpoint checks of a connection test", () => {
  it("cover the ten endpoints of the document with their durations, and optional ones", async () => {
    const findings = await test(gateway());
    const paths = findings.filter(({ check }) => check === "path");

    assert.deepEqual(paths.map(({ of }) => of).sort(), [...TEN].sort());
    for (const { status, ms } of paths) assert.ok(status === "ok" && typeof ms === "number");
    assert.ok(findings.filter(({ check, status }) => check === "optional-path" && status === "ok").length > 10);
  });

  it("pass with the ten endpoints alone, and report what is not available", async () => {
    const findings = await test(tenPaths(text("", 404)));

    assert.equal(firstFailure(findings), "nothing failed");
    assert.match(lineOf(findings, "/wallet/getaccount"), /^skipped: .* is not served: stakes, votes and permissions/);
    assert.match(lineOf(findings, "/wallet/getnowblock"), /^skipped: .* the newest block comes from a constant call/);
  });

  it("report closed connections as missing endpoints", async () => {
    const findings = await test(tenPaths(drop));

    assert.equal(firstFailure(findings), "nothing failed");
    assert.match(lineOf(findings, "/wallet/getnodeinfo"), /^skipped/);
  });

  it("run in parallel when a gateway does not answer unknown endpoints", async () => {
    const started = performance.now();
    const findings = await test(tenPaths(hang), 8);

    assert.ok(performance.now() - started < 5_000);
    assert.equal(firstFailure(findings), "nothing failed");
    for (const path of TEN) assert.match(lineOf(findings, path), /^ok/, path);
  });

  it("fail when a required endpoint is missing", async () => {
    const findings = await test(gateway({ "/wallet/createtransaction": 405 }));

    assert.match(firstFailure(findings), /^path: \/wallet\/createtransaction is not served \(405\)/);
  });

  it("name the other port when solidified data are missing", async () => {
    const findings = await test(gateway({ "/walletsolidity/": 405 }));

    assert.match(firstFailure(findings), /^path: \/walletsolidity\/gettransaction.* is not served/);
    assert.match(findings.find(({ status }) => status === "failed")?.nextStep ?? "", /8091.*URL of solidified data/);
  });

  it("S73 warn when estimates are missing or switched off", async () => {
    const off = json({
      result: {
        code: "CONTRACT_VALIDATE_ERROR",
        message: Buffer.from("this node does not support estimate energy").toString("hex"),
      },
    });
    const inner = gateway();
    const switched: Handler = (...request) => (request[1].path === "/wallet/estimateenergy" ? off : inner)(...request);

    for (const handler of [gateway({ "/wallet/estimateenergy": 404 }), switched])
      assert.match(
        lineOf(await test(handler), "/wallet/estimateenergy"),
        /^warning: .*a constant call estimates energy instead/,
      );
  });

  it("stop when the gateway asks for fewer requests", async () => {
    const inner = gateway();
    const limited: Handler = (response, request, number) =>
      (number > 12 ? text("", 429, { "retry-after": "5" }) : inner)(response, request, number);
    await using server = await startServer(limited);
    const findings = await testedConnection({ url: server.url });

    assert.ok(server.requests.length < 18, `${server.requests.length} requests`);
    assert.equal(findings.find(({ check }) => check === "rate-limit")?.status, "warning");
    assert.match(lineOf(findings, "/wallet/getaccount"), /asked for fewer requests/);
  });

  it("report the limits in the headers of the gateway", async () => {
    const headers = { "x-ratelimit-limit": "15", "x-ratelimit-remaining": "14", "ratelimit-policy": "evil$(x) text" };
    const findings = await test(plainGateway({ now: Date.now(), headers }));

    assert.equal(
      findings.find(({ check }) => check === "rate-limit")?.sentence,
      "Reported limits: ratelimit-policy, x-ratelimit-limit 15, x-ratelimit-remaining 14.",
    );
  });
});
