import assert from "node:assert/strict";
import { type RpcFixture, rpcFixture, shortOf } from "../../../../test/support/chain/rpc-fixture.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";
import { type Json, type JsonObject, printJson } from "../../../tron/src/primitives/json.ts";

const SET = `0x60fe47b1${"2a".padStart(64, "0")}`;

describe("JSON-RPC of java-tron 4.8.2", () => {
  let rpc: RpcFixture;
  let old: RpcFixture;
  let from: string;
  let id: string;

  before(async () => {
    rpc = await rpcFixture({ nodeVersion: "4.8.2" });
    old = await rpcFixture({ nodeVersion: "4.8.0" });
    from = shortOf(rpc.chain.accounts[0] ?? { hex: "" });
    id = await rpc.send({ from, to: rpc.contract, data: SET });
  });

  /** Returns the text of the answer to a body. */
  async function textOf(fixture: RpcFixture, body: Json): Promise<string> {
    const request = new Request("http://chain/jsonrpc", { method: "POST", body: printJson(body) });
    const found = await answer(request, "/jsonrpc", fixture.chain.simulation);
    assert.ok(found.kind === "answer");
    return (await found.response.text()).trim();
  }

  it("serves the receipts of a block by its number, its tag and its hash", async () => {
    const receipt = (await rpc.result("eth_getTransactionReceipt", id)) as JsonObject;
    for (const block of [receipt.blockNumber, receipt.blockHash, "latest"]) {
      assert.deepEqual(await rpc.result("eth_getBlockReceipts", block ?? null), [receipt]);
    }
    assert.equal(await rpc.result("eth_getBlockReceipts", "earliest"), null);
    assert.equal(await rpc.result("eth_getBlockReceipts", "0xffff"), null);
    assert.equal((await rpc.error("eth_getBlockReceipts", "pending")).message, "TAG pending not supported");
    assert.equal((await old.error("eth_getBlockReceipts", "latest")).message, "method not found");
  });

  it("takes the data of a call from `input`", async () => {
    const call = { from, to: rpc.contract, input: SET };
    assert.equal(
      await rpc.result("eth_call", call, "latest"),
      await rpc.result("eth_call", { ...call, data: "0x00" }, "latest"),
    );
    const uneven = await rpc.error("eth_call", { ...call, input: "0x123" }, "latest");
    assert.deepEqual([uneven.code, uneven.message], [-32602, 'invalid hex string for "input"']);
    const text = await rpc.error("eth_call", { from, to: rpc.contract, data: "0xzz" }, "latest");
    assert.equal(text.message, 'invalid hex string for "data"');
    assert.equal((await old.error("eth_call", call, "latest")).message, "JSON parse error");
  });

  it("builds no transaction from `data` and `input` that differ", async () => {
    const { message } = await rpc.error("buildTransaction", { from, to: rpc.contract, data: SET, input: "0x00" });
    assert.match(String(message), /^both "data" and "input" are set and not equal\./);
    const built = { from, to: rpc.contract, data: SET.toUpperCase().replace("0X", "0x"), input: SET, gas: "0x1" };
    assert.ok(await rpc.result("buildTransaction", built));
  });

  it("refuses negative amounts and fee limits of more than 63 bits", async () => {
    const negative = await rpc.error("eth_call", { from, to: rpc.contract, value: "0x-5" }, "latest");
    assert.deepEqual([negative.code, negative.message], [-32602, "invalid param value: negative"]);
    const gas = "0x7fffffffffffffff";
    const { message } = await rpc.error("buildTransaction", { from, to: rpc.contract, data: SET, gas });
    assert.equal(message, "invalid gas: fee limit overflow");
  });

  it("refuses an ABI that is none", async () => {
    const { code, message } = await rpc.error("buildTransaction", { from, data: "0x00", gas: "0x1", abi: "[{]" });
    assert.deepEqual([code, message], [-32602, "invalid abi"]);
  });

  it("checks the form of a body and the size of a batch itself", async () => {
    const one = { jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] };
    const { id: _id, ...notification } = one;
    assert.match(await textOf(rpc, []), /"code":-32600,"message":"Invalid Request"/);
    assert.equal(await textOf(old, []), "[]");
    assert.equal(await textOf(rpc, [notification]), "");
    assert.equal(await textOf(old, [notification]), "[null]");
    assert.match(
      await textOf(rpc, new Array(101).fill(one)),
      /^\[\{.*"Batch size 101 exceeds the limit of 100"\}\}\]$/,
    );
    assert.match(await textOf(old, new Array(101).fill(one)), /^\[\{"jsonrpc":"2.0","id":1,"result"/);
  });

  it("names itself, and writes its version into blocks", async () => {
    assert.equal(await rpc.result("web3_clientVersion"), "TRON/v4.8.2/Linux/Java17");
    assert.equal(await rpc.result("eth_protocolVersion"), "0x24");
    assert.equal(await old.result("eth_protocolVersion"), "0x20");
  });

  it("keeps the range of blocks when the logs of a filter are read", async () => {
    const range = { fromBlock: "0x0", toBlock: "latest" };
    const filter = await rpc.result("eth_newFilter", range);
    rpc.chain.mine(5001);
    assert.equal((await rpc.error("eth_getFilterLogs", filter)).message, "exceed max block range: 5000");
  }).timeout(20_000);
});
