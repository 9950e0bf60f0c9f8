import assert from "node:assert/strict";
import {
  addressAt,
  DAY_MS,
  done,
  FIRST_TOKEN,
  issue,
  tokenBody,
} from "../../../../test/support/chain/build-and-send.ts";
import { type RpcFixture, rpcFixture, shortOf } from "../../../../test/support/chain/rpc-fixture.ts";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../tron/src/primitives/json.ts";

/** `test/conformance/json-rpc.test.ts` compares all other fields with recordings of a real node. */
describe("block and transaction methods", () => {
  let rpc: RpcFixture;
  let owner: string;
  let friend: string;
  /** Hash of a call of `set`, which logs an event. */
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

  it("returns the chain's own fields of a block, in alphabetical order", async () => {
    const { id, header } = rpc.chain.simulation.chain.head;
    const block = await object("eth_getBlockByNumber", "latest", false);
    assert.ok(sortedKeys(block));
    assert.ok(Number(block.size) > 250);
    assert.partialDeepStrictEqual(block, {
      hash: `0x${id}`,
      miner: `0x${header.witness.slice(2)}`,
      number: "0x8",
      parentHash: `0x${header.parentId}`,
      timestamp: `0x${(header.timestamp / 1000).toString(16)}`,
      transactions: [transferred],
      transactionsRoot: `0x${header.transactionRoot}`,
    });
  });

  it("finds a block and its transaction count by hash, number and tag", async () => {
    const { head } = rpc.chain.simulation.chain;
    const numbers = async (tag: string) => (await object("eth_getBlockByNumber", tag, true)).number;
    assert.deepEqual(await Promise.all(["earliest", "finalized", "0x7"].map(numbers)), ["0x0", "0x5", "0x7"]);
    const byHash = await object("eth_getBlockByHash", `0x${head.id}`, true);
    assert.deepEqual(byHash, await object("eth_getBlockByNumber", "latest", true));
    assert.equal(await rpc.result("eth_getBlockTransactionCountByHash", `0x${head.id}`), "0x1");
    const { code, message } = await rpc.error("eth_getBlockByNumber", "0xzz", true);
    assert.deepEqual([code, message], [-32602, "invalid block number"]);
  });

  it("returns signature, block and index of a transaction", async () => {
    const { head } = rpc.chain.simulation.chain;
    const { r, s, v, ...others } = await object("eth_getTransactionByHash", transferred);
    const signature = head.transactions[0]?.transaction.signatures[0] ?? new Uint8Array();
    assert.equal(`${r}${String(s).slice(2)}`, `0x${Buffer.from(signature.subarray(0, 64)).toString("hex")}`);
    assert.ok(v === "0x1b" || v === "0x1c");
    const [blockHash, transactionIndex] = [`0x${head.id}`, "0x0"];
    assert.partialDeepStrictEqual(others, { blockHash, blockNumber: "0x8", transactionIndex, value: "0x5" });
    assert.ok(sortedKeys(others));
  });

  it("returns no sender for genesis transactions", async () => {
    const gift = await object("eth_getTransactionByBlockNumberAndIndex", "earliest", "0x0");
    assert.deepEqual([gift.from, gift.v], [`0x${"00".repeat(20)}`, "0x00"]);
  });

  it("returns the cumulative energy of a receipt, and positioned logs", async () => {
    const receipt = await object("eth_getTransactionReceipt", called);
    const [log] = receipt.logs as readonly JsonObject[];
    assert.ok(log && sortedKeys(log) && sortedKeys(receipt));
    assert.equal(receipt.cumulativeGasUsed, receipt.gasUsed);
    assert.deepEqual([log.transactionHash, log.logIndex, log.transactionIndex], [called, "0x0", "0x0"]);
  });

  it("does not find pending transactions", async () => {
    const pending = rpc.chain.transfer();
    await rpc.chain.send(pending);
    assert.equal(await rpc.result("eth_getTransactionByHash", `0x${pending.id}`), null);
    assert.equal(await rpc.result("eth_getTransactionReceipt", `0x${pending.id}`), null);
  });
});

const COIN = 1_000_000;

describe("value and receiver of a transaction in JSON-RPC", () => {
  let chain: TestChain;
  const short = (index: number): string => `0x${addressAt(chain, index).slice(2)}`;
  const quantity = (value: number): string => `0x${value.toString(16)}`;

  async function shown(path: string, body: JsonObject, by = 0): Promise<readonly unknown[]> {
    const { id } = await done(chain, path, body, by);
    const request = { jsonrpc: "2.0", id: 1, method: "eth_getTransactionByHash", params: [id ?? null] };
    const { to, value } = (await chain.ask("/jsonrpc", request)).result as JsonObject;
    return [to, value];
  }

  it("returns the withdrawn stake, and the receiver of a delegation", async () => {
    chain = await testChain({ parameters: { getUnfreezeDelayDays: 1 } });
    const energy = { resource: "ENERGY" };
    assert.deepEqual(await shown("freezebalancev2", { ...energy, frozen_balance: 9 * COIN }), [null, "0x0"]);
    const delegation = { ...energy, balance: COIN, receiver_address: addressAt(chain, 1) };
    assert.deepEqual(await shown("delegateresource", delegation), [short(1), "0x0"]);
    await shown("unfreezebalancev2", { ...energy, unfreeze_balance: COIN });
    assert.deepEqual(await shown("cancelallunfreezev2", {}), [null, quantity(COIN)]);
    await shown("unfreezebalancev2", { ...energy, unfreeze_balance: 2 * COIN });
    chain.simulation.chain.warp(DAY_MS);
    chain.mine();
    assert.deepEqual(await shown("withdrawexpireunfreeze", {}), [null, quantity(2 * COIN)]);
  });

  it("returns the issue fee of public networks, and the number of tokens", async () => {
    chain = await testChain({ parameters: { getAssetIssueFee: 5 } });
    const frozen_supply = [{ frozen_amount: 9, frozen_days: 1 }];
    assert.deepEqual(await shown("createassetissue", tokenBody(chain, { frozen_supply })), [
      null,
      quantity(1024 * COIN),
    ]);
    const sent = { to_address: addressAt(chain, 1), asset_name: FIRST_TOKEN, amount: 7 };
    assert.deepEqual(await shown("transferasset", sent), [short(1), "0x7"]);
    chain.mine(3);
    const bought = { to_address: addressAt(chain, 0), asset_name: FIRST_TOKEN, amount: 70 };
    assert.deepEqual(await shown("participateassetissue", bought, 1), [short(0), "0x0"], "the node forgets the price");
    chain.simulation.chain.warp(2 * DAY_MS);
    chain.mine();
    assert.deepEqual(await shown("unfreezeasset", {}), [null, "0x9"]);
  });

  it("returns the number of votes, and the first witness", async () => {
    chain = await testChain();
    await shown("freezebalancev2", { frozen_balance: 10 * COIN, resource: "TRON_POWER" });
    const { witnesses } = await chain.ask("/wallet/listwitnesses");
    const [first, second] = (witnesses as readonly JsonObject[]).map(({ address }) => String(address));
    const votes = [
      { vote_address: first ?? "", vote_count: 3 },
      { vote_address: second ?? "", vote_count: 4 },
    ];
    assert.deepEqual(await shown("votewitnessaccount", { votes }), [`0x${first?.slice(2)}`, "0x7"]);
  });

  it("returns the amounts of an exchange contract", async () => {
    chain = await testChain({ parameters: { getExchangeCreateFee: 5 } });
    await issue(chain);
    const pair = { second_token_id: "5f", second_token_balance: 100 * COIN };
    const made = { first_token_id: FIRST_TOKEN, first_token_balance: 1000, ...pair };
    assert.deepEqual(await shown("exchangecreate", made), [null, quantity(1024 * COIN)]);
    const quant = { exchange_id: 1, token_id: FIRST_TOKEN, quant: 10 };
    assert.deepEqual(await shown("exchangeinject", quant), [null, "0xa"]);
    assert.deepEqual(await shown("exchangewithdraw", quant), [null, "0xa"]);
    assert.deepEqual(await shown("exchangetransaction", { ...quant, expected: 1 }), [null, "0xa"]);
  });
});
