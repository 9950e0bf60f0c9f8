import assert from "node:assert/strict";
import { type RpcFixture, rpcFixture } from "../../../../test/support/chain/rpc-fixture.ts";
import { recordedT } from "../../../../test/support/recorded/exchanges.ts";

/** `test/conformance/json-rpc.test.ts` compares all other answers with recordings of a real node. */
describe("account and node methods", () => {
  let rpc: RpcFixture;

  before(async () => {
    rpc = await rpcFixture();
  });

  it("return a balance for any case of the tag", async () => {
    const [, friend] = rpc.chain.accounts;
    assert.equal(await rpc.result("eth_getBalance", `0x${friend?.hex.slice(2)}`, "LATEST"), "0x2540be400");
  });

  it("return the code of a contract", async () => {
    assert.equal(await rpc.result("eth_getCode", rpc.contract, "latest"), `0x${recordedT().runtimeCode}`);
  });

  it("refuse addresses with another prefix, and texts that are not hex", async () => {
    const { code, message } = await rpc.error("eth_getBalance", `0x42${"12".repeat(20)}`, "latest");
    assert.deepEqual([code, message], [-32602, "invalid address hash value"]);
    const notHex = await rpc.error("eth_getBalance", "0xzz", "latest");
    assert.equal(notHex.message, "exception decoding Hex string: invalid characters encountered in Hex string");
  });

  it("return the last four bytes of the genesis id as the chain id", async () => {
    const genesis = rpc.chain.simulation.chain.blockId(0) ?? "";
    assert.equal(await rpc.result("eth_chainId"), `0x${genesis.slice(-8)}`);
    assert.equal(await rpc.result("net_version"), `0x${genesis.slice(-8)}`);
  });

  it("describe a node without keys", async () => {
    assert.equal(await rpc.result("web3_clientVersion"), "TRON/v4.8.0/Linux/Java1.8");
    assert.equal(await rpc.result("eth_mining"), false);
    const message = "etherbase must be explicitly specified";
    assert.deepEqual(await rpc.error("eth_coinbase"), { code: -32000, message, data: "{}" });
    const head = rpc.chain.simulation.chain.head.id;
    assert.deepEqual(await rpc.result("eth_getWork"), [`0x${head}`, null, null]);
    assert.equal(await rpc.result("eth_blockNumber"), "0x6");
  });
});
