import assert from "node:assert/strict";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../tron/src/primitives/json.ts";

/** Contract that returns the word in its slot 0. */
const READER = "0x60005460005260206000f3";
const CONTRACT = `41${"5e".repeat(20)}`;
const TO = `0x${"5e".repeat(20)}`;

const word = (value: number): string => `0x${value.toString(16).padStart(64, "0")}`;

describe("lenient JSON-RPC", () => {
  let chain: TestChain;

  const start = async (lenientRpc: boolean): Promise<void> => {
    chain = await testChain({ accounts: 2, lenientRpc });
    await tre("tre_setAccountCode", CONTRACT, READER);
    await tre("tre_setAccountStorageAt", CONTRACT, "0x0", "0x2a");
  };
  const tre = (method: string, ...params: readonly Json[]): Promise<JsonObject> =>
    chain.ask("/tre", { jsonrpc: "2.0", id: 1, method, params });
  const ask = (method: string, ...params: readonly Json[]): Promise<JsonObject> =>
    chain.ask("/jsonrpc", { jsonrpc: "2.0", id: 1, method, params });
  const result = async (method: string, ...params: readonly Json[]): Promise<Json | undefined> => {
    const answer = await ask(method, ...params);
    assert.equal(answer.error, undefined, method);
    return answer.result;
  };
  const refusal = async (method: string, ...params: readonly Json[]): Promise<Json | undefined> => {
    const { error } = await ask(method, ...params);
    return isJsonObject(error) ? error.message : error;
  };
  const sender = (): string => `0x${chain.accounts[0]?.hex.slice(2)}`;

  beforeEach(() => start(true));

  it("returns a transaction count of 0", async () => {
    assert.equal(await result("eth_getTransactionCount", sender(), "pending"), "0x0");
    assert.equal(await refusal("eth_getTransactionCount", "0x12", "latest"), "invalid address hash value");
  });

  it("ignores unknown fields of a call, and accepts input in place of data", async () => {
    const call = { from: sender(), to: TO, input: "0x00", type: "0x2", accessList: [], maxFeePerGas: "0x1", gas: null };
    assert.equal(await result("eth_call", call, "latest"), word(0x2a));
    assert.equal(await result("eth_call", call), word(0x2a));
    assert.match(String(await result("eth_estimateGas", call, "pending")), /^0x[1-9a-f]/);
    assert.equal(
      await refusal("eth_call", call, "latest", { [TO]: { balance: "0x1" } }),
      "state overrides not supported",
    );
  });

  it("accepts the tags pending and safe, and numbers of blocks whose state is stored", async () => {
    const { chain: blocks } = chain.simulation;
    const before = blocks.head.header.number;
    await chain.send(chain.transfer({ amount: 5n }));
    chain.mine();
    const to = `0x${chain.accounts[1]?.hex.slice(2)}`;
    const balance = (tag: string): Promise<Json | undefined> => result("eth_getBalance", to, tag);
    const [old, now] = ["0x2540be400", "0x2540be405"];
    assert.deepEqual([await balance("latest"), await balance("pending"), await balance("safe")], [now, now, old]);
    assert.deepEqual([await balance(`0x${before.toString(16)}`), await balance("finalized")], [old, old]);
    assert.equal(await refusal("eth_getBalance", to, "0x0"), "state of block 0 is not kept");
    assert.equal(await refusal("eth_getBalance", to, "0xffff"), "there is no block 0xffff");
    const { number } = (await result("eth_getBlockByNumber", "pending", false)) as { number: string };
    assert.equal(Number(number), blocks.head.header.number);
    const safe = (await result("eth_getBlockByNumber", "safe", false)) as { number: string };
    assert.equal(Number(safe.number), blocks.irreversible.header.number);
    assert.deepEqual(await result("eth_getLogs", { fromBlock: "earliest", toBlock: "pending" }), []);
  });

  it("returns a fee history of zeros", async () => {
    assert.equal(await result("eth_maxPriorityFeePerGas"), "0x0");
    const history = await result("eth_feeHistory", "0x2", "latest", [25, 75]);
    const oldest = chain.simulation.chain.head.header.number - 1;
    assert.deepEqual(history, {
      oldestBlock: `0x${oldest.toString(16)}`,
      baseFeePerGas: ["0x0", "0x0", "0x0"],
      gasUsedRatio: [0, 0],
      reward: [
        ["0x0", "0x0"],
        ["0x0", "0x0"],
      ],
    });
  });

  it("answers batches", async () => {
    const batch = ["eth_blockNumber", "eth_maxPriorityFeePerGas"].map((method, id) => ({ jsonrpc: "2.0", id, method }));
    const answers = (await chain.askList("/jsonrpc", batch)) as readonly JsonObject[];
    assert.deepEqual(
      answers.map(({ id }) => id),
      [0, 1],
    );
  });

  it("is off by default: the node refuses all of this", async () => {
    await start(false);
    assert.match(String(await refusal("eth_getTransactionCount", sender(), "latest")), /not exist\/is not available/);
    assert.equal(await refusal("eth_call", { to: TO, input: "0x" }, "latest"), "JSON parse error");
    assert.match(String(await refusal("eth_getBalance", sender(), "pending")), /not supported/);
    assert.equal(await refusal("eth_feeHistory", "0x1", "latest", []), "method not found");
  });
});
