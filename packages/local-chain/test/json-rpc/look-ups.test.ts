import assert from "node:assert/strict";
import { type RpcFixture, rpcFixture, shortOf } from "../../../../test/support/chain/rpc-fixture.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../tron/src/primitives/json.ts";

const ABSENT = `0x${"0".repeat(15)}1${"ab".repeat(24)}`;

/** Blocks and their transactions, by all ways to ask for them. */
describe("blocks and transactions by JSON-RPC", () => {
  let rpc: RpcFixture;
  let owner: string;
  let friend: string;
  /** Calls `set`, which leaves a log. */
  let called: string;
  let transferred: string;

  before(async () => {
    rpc = await rpcFixture();
    [owner, friend] = rpc.chain.accounts.map(shortOf) as [string, string];
    called = await rpc.send({ from: owner, to: rpc.contract, data: `0x60fe47b1${"7".padStart(64, "0")}` });
    transferred = await rpc.send({ from: owner, to: friend, value: "0x5" });
  });

  const object = async (method: string, ...params: readonly Json[]): Promise<JsonObject> => {
    const result = await rpc.result(method, ...params);
    assert.ok(isJsonObject(result));
    return result;
  };
  const sortedKeys = (json: JsonObject): boolean => {
    const keys = Object.keys(json);
    return JSON.stringify(keys) === JSON.stringify([...keys].sort());
  };

  it("has a block with the fields of Ethereum, and zeros for what the chain has not", async () => {
    const { chain } = rpc.chain.simulation;
    const { id, header } = chain.head;
    const block = await object("eth_getBlockByNumber", "latest", false);
    assert.ok(sortedKeys(block));
    const { size, logsBloom, ...others } = block;
    assert.equal(String(logsBloom).length, 514);
    assert.ok(Number(size) > 250);
    assert.deepEqual(others, {
      baseFeePerGas: "0x0",
      difficulty: "0x0",
      extraData: "0x",
      gasLimit: "0x0",
      gasUsed: "0x0",
      hash: `0x${id}`,
      miner: `0x${header.witness.slice(2)}`,
      mixHash: `0x${"0".repeat(64)}`,
      nonce: "0x0000000000000000",
      number: "0x8",
      parentHash: `0x${header.parentId}`,
      receiptsRoot: `0x${"0".repeat(64)}`,
      sha3Uncles: `0x${"0".repeat(64)}`,
      stateRoot: `0x${"0".repeat(64)}`,
      timestamp: `0x${(header.timestamp / 1000).toString(16)}`,
      totalDifficulty: "0x0",
      transactions: [transferred],
      transactionsRoot: `0x${header.transactionRoot}`,
      uncles: [],
    });
  });

  it("finds a block by its hash, its number, and its tags", async () => {
    const { chain } = rpc.chain.simulation;
    const numbers = async (tag: string) => (await object("eth_getBlockByNumber", tag, true)).number;
    assert.deepEqual(await Promise.all(["earliest", "finalized", "0x7", "7"].map(numbers)), [
      "0x0",
      "0x5",
      "0x7",
      "0x7",
    ]);
    const byHash = await object("eth_getBlockByHash", `0x${chain.head.id}`, true);
    assert.deepEqual(byHash, await object("eth_getBlockByNumber", "latest", true));
    assert.equal(await rpc.result("eth_getBlockByHash", ABSENT, true), null);
    assert.equal(await rpc.result("eth_getBlockByNumber", "0x99", true), null);
  });

  it("refuses waiting blocks, and what names none", async () => {
    const refusal = async (method: string, ...params: readonly Json[]) => {
      const { code, message } = await rpc.error(method, ...params);
      return [code, message];
    };
    const pending = [-32602, "TAG pending not supported"];
    assert.deepEqual(await refusal("eth_getBlockByNumber", "pending", true), pending);
    assert.deepEqual(await refusal("eth_getBlockTransactionCountByNumber", "pending"), pending);
    assert.deepEqual(await refusal("eth_getBlockByNumber", "0xzz", true), [-32602, "invalid block number"]);
    assert.deepEqual(await refusal("eth_getBlockByHash", "0x12", true), [-32602, "invalid hash value"]);
  });

  it("counts transactions", async () => {
    const { head } = rpc.chain.simulation.chain;
    assert.equal(await rpc.result("eth_getBlockTransactionCountByNumber", "latest"), "0x1");
    assert.equal(await rpc.result("eth_getBlockTransactionCountByHash", `0x${head.id}`), "0x1");
    assert.equal(await rpc.result("eth_getBlockTransactionCountByHash", ABSENT), null);
    assert.equal(await rpc.result("eth_getBlockTransactionCountByNumber", "0x99"), null);
  });

  it("has a transfer with its value in sun", async () => {
    const { head } = rpc.chain.simulation.chain;
    const { r, s, v, ...others } = await object("eth_getTransactionByHash", transferred);
    const signature = head.transactions[0]?.transaction.signatures[0] ?? new Uint8Array();
    assert.equal(`${r}${String(s).slice(2)}`, `0x${Buffer.from(signature.subarray(0, 64)).toString("hex")}`);
    assert.ok(v === "0x1b" || v === "0x1c");
    assert.deepEqual(others, {
      blockHash: `0x${head.id}`,
      blockNumber: "0x8",
      from: owner,
      gas: "0x0",
      gasPrice: "0xd2",
      hash: transferred,
      input: "0x",
      nonce: "0x0000000000000000",
      to: friend,
      transactionIndex: "0x0",
      type: "0x0",
      value: "0x5",
    });
  });

  it("has a call with its data and the energy that it used, and the same by its place", async () => {
    const call = await object("eth_getTransactionByHash", called);
    assert.ok(sortedKeys(call));
    assert.deepEqual([call.to, call.input, call.value], [rpc.contract, `0x60fe47b1${"7".padStart(64, "0")}`, "0x0"]);
    assert.ok(Number(call.gas) > 5000);
    assert.deepEqual(await object("eth_getTransactionByBlockNumberAndIndex", "0x7", "0x0"), call);
    assert.deepEqual(await object("eth_getTransactionByBlockHashAndIndex", String(call.blockHash), "0x0"), call);
    assert.equal(await rpc.result("eth_getTransactionByBlockNumberAndIndex", "0x7", "0x1"), null);
    const { code, message } = await rpc.error("eth_getTransactionByBlockNumberAndIndex", "0x7", "1");
    assert.deepEqual([code, message], [-32602, "invalid index value"]);
  });

  it("has nobody for the sender of what the first block gives away", async () => {
    const gift = await object("eth_getTransactionByBlockNumberAndIndex", "earliest", "0x0");
    assert.deepEqual([gift.from, gift.v], [`0x${"00".repeat(20)}`, "0x00"]);
  });

  it("has receipts with energy for gas and logs with their places", async () => {
    const receipt = await object("eth_getTransactionReceipt", called);
    assert.ok(sortedKeys(receipt));
    const [log] = receipt.logs as readonly JsonObject[];
    assert.deepEqual(
      [receipt.status, receipt.from, receipt.to, receipt.contractAddress, receipt.effectiveGasPrice],
      ["0x1", owner, rpc.contract, null, "0xd2"],
    );
    assert.equal(receipt.cumulativeGasUsed, receipt.gasUsed);
    assert.ok(log && sortedKeys(log));
    assert.deepEqual(
      [log.address, log.transactionHash, log.logIndex, log.transactionIndex, log.removed],
      [rpc.contract, called, "0x0", "0x0", false],
    );
    assert.equal((log.topics as readonly Json[]).length, 3);
    const transfer = await object("eth_getTransactionReceipt", transferred);
    assert.deepEqual([transfer.status, transfer.gasUsed, transfer.to, transfer.logs], ["0x1", "0x0", friend, []]);
  });

  it("tells of a call that failed", async () => {
    const own = await rpcFixture();
    const id = await own.send({ from: owner, to: own.contract, data: "0x00000001" });
    const receipt = (await own.result("eth_getTransactionReceipt", id)) as JsonObject;
    assert.equal(receipt.status, "0x0");
  });

  it("does not know a transaction that only waits, nor one that nobody sent", async () => {
    const waiting = rpc.chain.transfer();
    await rpc.chain.send(waiting);
    for (const id of [`0x${waiting.id}`, `0x${"ab".repeat(32)}`]) {
      assert.equal(await rpc.result("eth_getTransactionByHash", id), null);
      assert.equal(await rpc.result("eth_getTransactionReceipt", id), null);
    }
  });
});
