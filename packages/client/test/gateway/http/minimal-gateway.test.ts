import assert from "node:assert/strict";
import { askOf } from "../../../../../test/support/chain/chain-beside.ts";
import { gatewayAt } from "../../../../../test/support/fakes/gateway-fixtures.ts";
import { startTenPaths, type ToOthers } from "../../../../../test/support/gateway/minimal-gateway.ts";
import { startServer } from "../../../../../test/support/http/http-server.ts";
import { type LocalChain, startLocalChain } from "../../../../local-chain/src/main.ts";
import { isChainError } from "../../../../tron/src/errors/chain-error.ts";
import { parseAddress } from "../../../../tron/src/primitives/address.ts";
import { GatewayMemory } from "../../../src/gateway/http/http-reader.ts";

const WITNESSES = 7;
const MINUTE_MS = 60_000;

/** Starts a chain of several witnesses, so that solidified blocks lag, with manual blocks. */
async function chainOf(blocks: number, seed = "ten paths"): Promise<LocalChain & AsyncDisposable> {
  const chain = await startLocalChain({ blockTimeMs: 0, witnesses: WITNESSES, seed });
  await mine(chain, blocks);
  return Object.assign(chain, { [Symbol.asyncDispose]: () => chain.close() });
}

async function mine(chain: LocalChain, blocks: number): Promise<void> {
  await askOf(chain, "local/mine", { blocks });
}

/** Returns the requested paths with their numbers of requests. */
function namesOf(counted: ReadonlyMap<string, number>): Record<string, number> {
  return Object.fromEntries([...counted].map(([path, times]) => [path.split("/").slice(-2).join("/"), times]));
}

for (const toOthers of ["404", "silence"] as const satisfies readonly ToOthers[]) {
  describe(`minimal gateway (${toOthers} for other endpoints)`, () => {
    it("returns the head, its time, the solidified block and blocks as a full gateway does", async () => {
      await using chain = await chainOf(24);
      await using front = await startTenPaths(chain.baseUrl, toOthers);
      await using full = gatewayAt(chain.baseUrl);
      await using it = gatewayAt(front.url, {}, { timeoutMs: 300 });

      const [head, solid] = [await it.gateway.headBlock(), await it.gateway.solidBlock()];
      const [fullHead, fullSolid] = [await full.gateway.headBlock(), await full.gateway.solidBlock()];

      assert.deepEqual(solid, fullSolid);
      assert.ok(fullSolid.number < fullHead.number, "solidified blocks lag behind");
      assert.equal(head.number, fullHead.number);
      assert.equal(head.timestamp, Math.floor(fullHead.timestamp / 1_000) * 1_000);
      assert.deepEqual(await it.gateway.solidBlocks(3, 30), await full.gateway.solidBlocks(3, 30));
      assert.deepEqual(await it.gateway.headBlocks(3, 30), await full.gateway.solidBlocks(3, 30));
      assert.equal(await it.gateway.chainId("head"), await full.gateway.chainId("head"));
    });

    it("is queried once for missing endpoints, then once or twice per poll, and again after ten minutes", async () => {
      await using chain = await chainOf(24);
      await using front = await startTenPaths(chain.baseUrl, toOthers);
      await using it = gatewayAt(front.url, {}, { timeoutMs: 300 });
      await it.gateway.solidBlock();
      const first = namesOf(front.counted());
      await it.gateway.solidBlock();
      const idle = namesOf(front.counted());
      await mine(chain, 1);
      const { number } = await it.gateway.solidBlock();
      const poll = namesOf(front.counted());
      await it.clock.advance(11 * MINUTE_MS);
      await it.gateway.solidBlock();
      const later = namesOf(front.counted());

      assert.equal(first["walletsolidity/getnowblock"], 1);
      assert.ok((first["walletsolidity/getblockbynum"] ?? 0) < 16, JSON.stringify(first));
      assert.deepEqual(idle, { "walletsolidity/getblockbynum": 1 });
      assert.deepEqual([poll, number > 0], [{ "walletsolidity/getblockbynum": 2 }, true]);
      assert.equal(later["walletsolidity/getnowblock"], 1);
    });

    it("returns balances and whether an account exists, and no 0 for unknown values", async () => {
      await using chain = await chainOf(3);
      await using front = await startTenPaths(chain.baseUrl, toOthers);
      await using full = gatewayAt(chain.baseUrl);
      await using it = gatewayAt(front.url, {}, { timeoutMs: 300 });
      const owner = parseAddress(chain.ready.accounts[0]?.address ?? "");
      const unknownAccount = parseAddress(`41${"ab".repeat(20)}`);

      const { balance } = (await full.gateway.account(owner)) ?? {};
      assert.deepEqual(await it.gateway.account(owner), { address: owner, balance, missingPath: "/wallet/getaccount" });
      assert.equal(await it.gateway.account(unknownAccount), undefined);
    });

    it("returns its chain ID by the solidified view, and later at once", async () => {
      await using chain = await chainOf(3);
      await using front = await startTenPaths(chain.baseUrl, toOthers);
      await using full = gatewayAt(chain.baseUrl);
      await using it = gatewayAt(front.url, {}, { timeoutMs: 300 });
      const id = await full.gateway.chainId("head");
      assert.equal(await it.gateway.chainId("head", AbortSignal.timeout(5_000)), id);
      front.counted();
      assert.equal(await it.gateway.chainId("head"), id);
      assert.deepEqual(namesOf(front.counted()), { "walletsolidity/getblockbynum": 1 });
    });

    it("rejects with the missing endpoint and its purpose", async () => {
      await using chain = await chainOf(3);
      await using front = await startTenPaths(chain.baseUrl, toOthers);
      await using it = gatewayAt(front.url, {}, { timeoutMs: 300 });
      await assert.rejects(it.gateway.witnesses(), (error) => {
        assert.ok(isChainError(error) && error.code === "PATH_NOT_SERVED");
        assert.deepEqual(error.details, {
          endpoint: front.url,
          path: "/wallet/listwitnesses",
          purpose: "the list of witnesses",
        });
        return /does not serve \/wallet\/listwitnesses, which is needed for the list of witnesses\./.test(
          error.message,
        );
      });
    });

    it("shares the missing endpoints with every gateway object of its URL until the user requests a check", async () => {
      await using chain = await chainOf(9);
      await using front = await startTenPaths(chain.baseUrl, toOthers);
      const memory = new GatewayMemory();
      await using first = gatewayAt(front.url, {}, { timeoutMs: 300, memory });
      await using second = gatewayAt(front.url, {}, { timeoutMs: 300, memory });
      await first.gateway.headBlock();
      front.counted();
      await second.gateway.headBlock();
      assert.deepEqual(namesOf(front.counted()), { "wallet/triggerconstantcontract": 1 });
      front.toOthers = "everything passes";
      memory.forget(front.url);
      await second.gateway.headBlock();
      assert.deepEqual(namesOf(front.counted()), { "wallet/getnowblock": 1 });
    });
  });
}

describe("gateway without some endpoints", () => {
  it("reports a silent gateway when no endpoint answers", async () => {
    await using silent = await startServer((response) => response.socket?.destroy());
    await using it = gatewayAt(silent.url, { jwt: true }, { accessToken: async () => "a.b.c" });
    await assert.rejects(it.clock.runUntil(it.gateway.headBlock()), { code: "GATEWAY_SILENT" });
    const requestedPaths = new Set(silent.requests.map(({ path }) => path));
    assert.deepEqual(requestedPaths, new Set(["/wallet/getnowblock", "/wallet/getchainparameters"]));
  });

  it("keeps an endpoint that has answered before", async () => {
    await using chain = await chainOf(3);
    await using front = await startTenPaths(chain.baseUrl, "everything passes");
    await using it = gatewayAt(front.url, {}, { timeoutMs: 200, deadlineMs: 600 });
    await it.gateway.headBlock();
    front.toOthers = "silence";
    await assert.rejects(it.clock.runUntil(it.gateway.headBlock()), { code: "GATEWAY_UNREACHABLE" });
    front.toOthers = "everything passes";
    assert.notEqual((await it.gateway.headBlock()).id, undefined);
  });

  it("continues at another URL that serves the endpoint", async () => {
    await using chain = await chainOf(3);
    await using front = await startTenPaths(chain.baseUrl, "404");
    await using it = gatewayAt(front.url, { fallbackUrls: [chain.baseUrl] });
    assert.notEqual((await it.gateway.headBlock()).id, undefined);
    assert.deepEqual(namesOf(front.counted()), { "wallet/getnowblock": 1 });
    await it.gateway.headBlock();
    assert.deepEqual(namesOf(front.counted()), {});
  });

  it("estimates its head, and returns no balance, without constant calls", async () => {
    await using chain = await chainOf(24);
    await using front = await startTenPaths(chain.baseUrl, "404");
    front.runsCode = false;
    await using it = gatewayAt(front.url);
    const owner = parseAddress(chain.ready.accounts[0]?.address ?? "");
    const solid = await it.gateway.solidBlock();
    const head = await it.gateway.headBlock();

    assert.deepEqual(head, { number: solid.number + 18, timestamp: solid.timestamp + 54_000, isGuess: true });
    assert.deepEqual(await it.gateway.account(owner), { address: owner, missingPath: "/wallet/getaccount" });
  });

  it("returns no head view of blocks that the full node has differently", async () => {
    await using chain = await chainOf(40);
    await using other = await chainOf(44, "another chain");
    await using solid = await startTenPaths(chain.baseUrl, "404");
    await using full = await startTenPaths(other.baseUrl, "404");
    await using it = gatewayAt(full.url, { solidityBaseUrl: solid.url });
    assert.equal((await it.gateway.solidBlocks(20, 24)).length, 4);
    assert.deepEqual(await it.gateway.headBlocks(20, 24), []);
  });
});
