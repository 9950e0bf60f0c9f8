import assert from "node:assert/strict";
import { type RpcFixture, rpcFixture } from "../../../../test/support/chain/rpc-fixture.ts";
import type { Json } from "../../../tron/src/primitives/json.ts";

describe("node methods", () => {
  let rpc: RpcFixture;

  before(async () => {
    rpc = await rpcFixture();
  });

  const expected: readonly [method: string, params: readonly Json[], result: Json][] = [
    ["web3_clientVersion", [], "TRON/v4.8.0/Linux/Java1.8"],
    ["web3_sha3", ["0x"], "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470"],
    ["net_listening", [], false],
    ["net_peerCount", [], "0x0"],
    ["eth_protocolVersion", [], "0x20"],
    ["eth_blockNumber", [], "0x6"],
    ["eth_syncing", [], false],
    ["eth_gasPrice", [], "0xd2"],
    ["eth_accounts", [], []],
    ["eth_mining", [], false],
    ["eth_hashrate", [], "0x0"],
    ["eth_getUncleCountByBlockHash", ["0x"], "0x0"],
    ["eth_getUncleCountByBlockNumber", ["latest"], "0x0"],
    ["eth_getUncleByBlockHashAndIndex", ["0x", "0x0"], null],
    ["eth_getUncleByBlockNumberAndIndex", ["latest", "0x0"], null],
  ];
  for (const [method, params, result] of expected) {
    it(`answers ${method}`, async () => {
      assert.deepEqual(await rpc.result(method, ...params), result);
    });
  }

  it("returns the last four bytes of the genesis id as the chain id, with a leading zero", async () => {
    const genesis = rpc.chain.simulation.chain.blockId(0) ?? "";
    assert.equal(await rpc.result("eth_chainId"), `0x${genesis.slice(-8)}`);
    assert.equal(await rpc.result("net_version"), `0x${genesis.slice(-8)}`);
  });

  it("has no coinbase", async () => {
    const message = "etherbase must be explicitly specified";
    assert.deepEqual(await rpc.error("eth_coinbase"), { code: -32000, message, data: "{}" });
    const head = rpc.chain.simulation.chain.head.id;
    assert.deepEqual(await rpc.result("eth_getWork"), [`0x${head}`, null, null]);
  });

  it("hashes hex only", async () => {
    const { code, message } = await rpc.error("web3_sha3", "0xzz");
    assert.deepEqual([code, message], [-32602, "invalid input value"]);
  });
});
