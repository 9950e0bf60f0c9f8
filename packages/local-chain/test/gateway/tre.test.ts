import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";
import { parseAddress, toBase58 } from "../../../tron/src/primitives/address.ts";
import { isJsonObject, type Json, type JsonObject, parseJson } from "../../../tron/src/primitives/json.ts";

/** Contract that returns the word in its slot 0. */
const READER = "0x60005460005260206000f3";
const STRANGER = `41${"5e".repeat(20)}`;
const MAX_BALANCE = "9223372036854775807";

describe("/tre", () => {
  let chain: TestChain;

  beforeEach(async () => {
    chain = await testChain({ accounts: 3 });
  });

  const post = async (body: string): Promise<Response> => {
    const request = new Request("http://chain/tre", { method: "POST", body });
    const found = await answer(request, "/tre", chain.simulation);
    if (found.kind !== "answer") throw new Error(found.kind);
    return found.response;
  };
  const call = (method: string, ...params: readonly Json[]): Promise<JsonObject> =>
    chain.ask("/tre", { jsonrpc: "2.0", id: 7, method, params });
  const result = async (method: string, ...params: readonly Json[]): Promise<Json | undefined> => {
    const { result: found, error } = await call(method, ...params);
    assert.equal(error, undefined);
    return found;
  };
  const refusal = async (method: string, ...params: readonly Json[]): Promise<Json | undefined> => {
    const { error } = await call(method, ...params);
    return isJsonObject(error) ? error.message : error;
  };
  const height = (): number => chain.simulation.chain.head.header.number;
  const time = (): number => chain.simulation.chain.head.header.timestamp;
  const balanceAt = async (side: string, address: string): Promise<Json | undefined> =>
    (await chain.ask(`/${side}/getaccount`, { address })).balance;
  const constant = async (address: string): Promise<Json | undefined> => {
    const request = { owner_address: chain.accounts[0]?.hex ?? "", contract_address: address, data: "00" };
    const { constant_result: results } = await chain.ask("/wallet/triggerconstantcontract", request);
    return Array.isArray(results) ? results[0] : undefined;
  };

  it("returns its version, and an instance id that differs between processes", async () => {
    assert.match(String(await result("tre_version")), /oz-tron/);
    const id = String(await result("tre_instanceId"));
    assert.match(id, /^0x[0-9a-f]{64}$/);
    assert.equal(await result("tre_instanceId"), id);
    chain = await testChain();
    assert.notEqual(await result("tre_instanceId"), id);
  });

  it("answers a batch in order, without answers to requests without an id", async () => {
    const batch = [
      { jsonrpc: "2.0", id: 1, method: "tre_mine" },
      { jsonrpc: "2.0", method: "tre_mine" },
      { jsonrpc: "2.0", id: "two", method: "tre_unknown" },
      7,
    ];
    const before = height();
    const message = 'the method "tre_unknown" does not exist/is not available';
    assert.deepEqual(parseJson(await (await post(JSON.stringify(batch))).text()), [
      { jsonrpc: "2.0", id: 1, result: "0x0" },
      { jsonrpc: "2.0", id: "two", error: { code: -32_601, message } },
      { jsonrpc: "2.0", id: null, error: { code: -32_600, message: "a request has to have a method" } },
    ]);
    assert.equal(height(), before + 2);
    assert.equal(await (await post(JSON.stringify(batch.slice(1, 2)))).text(), "");
  });

  it("reports a body that is not JSON, and an empty batch", async () => {
    const codeOf = async (body: string): Promise<Json | undefined> => {
      const { error } = parseJson(await (await post(body)).text()) as { error: JsonObject };
      return error.code;
    };
    assert.deepEqual([await codeOf("{"), await codeOf("[]"), await codeOf("3")], [-32_700, -32_600, -32_600]);
  });

  it("mines blocks, at most 100", async () => {
    const before = height();
    assert.equal(await result("tre_mine"), "0x0");
    assert.equal(await result("tre_mine", { blocks: 3 }), "0x0");
    assert.equal(await result("tre_mine", { blocks: "2" }), "0x0");
    assert.equal(height(), before + 6);
    assert.equal(await refusal("tre_mine", { blocks: 101 }), "blocks should between (0, 100]");
  });

  it("produces a block for each transaction at once when the block time is 0, otherwise waits", async () => {
    assert.equal(await result("tre_blockTime", "0"), true);
    const before = height();
    await chain.send(chain.transfer());
    await setImmediate();
    const { solid } = chain.simulation.chain;
    assert.deepEqual([solid.header.number, solid.transactions.length], [before + 1, 1]);
    const reached = height();

    assert.equal(await result("tre_blockTime", 60), true);
    await chain.send(chain.transfer({ amount: 2n }));
    await setImmediate();
    assert.deepEqual([height(), (await chain.ask("/wallet/getpendingsize")).pendingSize], [reached, 1]);
    await result("tre_mine");
    assert.deepEqual([height(), chain.simulation.chain.pool.size], [reached + 1, 0]);
    assert.equal(await refusal("tre_blockTime", 61), "block time should between [0, 60] in second");
  });

  it("gives the next block the set time, once", async () => {
    const set = time() + 12_345;
    assert.equal(await result("tre_setNextBlockTimestamp", String(set)), true);
    await result("tre_mine", { blocks: 2 });
    const { chain: blocks } = chain.simulation;
    assert.deepEqual([blocks.block(height() - 1)?.header.timestamp, time()], [set, set + 3_000]);
    assert.equal(
      await refusal("tre_setNextBlockTimestamp", String(time())),
      `timestamp has to be greater than that of the head (${time()} ms)`,
    );
    assert.equal(await refusal("tre_setNextBlockTimestamp", "0"), "timestamp has to be a number of ms above 0");
    const [later, last] = [time() + 9_000, time() + 4_000];
    await result("tre_setNextBlockTimestamp", later);
    await result("tre_setNextBlockTimestamp", last);
    await result("tre_mine");
    assert.equal(time(), last);
  });

  it("sets a balance immediately on both sides, also of a missing account, from decimal text, hex or a number", async () => {
    await result("tre_setAccountBalance", STRANGER, "1000");
    assert.deepEqual([await balanceAt("wallet", STRANGER), await balanceAt("walletsolidity", STRANGER)], [1000, 1000]);
    await result("tre_setAccountBalance", STRANGER, "0x3e9");
    assert.equal(await balanceAt("wallet", STRANGER), 1001);
    await result("tre_setAccountBalance", chain.accounts[0]?.address ?? "", 5);
    chain.mine(5);
    assert.equal(await balanceAt("walletsolidity", chain.accounts[0]?.hex ?? ""), 5);
  });

  it("accepts balances up to 2^63-1 only", async () => {
    await result("tre_setAccountBalance", STRANGER, MAX_BALANCE);
    assert.equal(String(await balanceAt("wallet", STRANGER)), MAX_BALANCE);
    assert.equal(
      await refusal("tre_setAccountBalance", STRANGER, "9223372036854775808"),
      `balance has to be at most ${MAX_BALANCE}`,
    );
    assert.equal(await refusal("tre_setAccountBalance", STRANGER, "-1"), '"-1" is not a whole number');
    assert.match(String(await refusal("tre_setAccountBalance", "nobody", "1")), /invalid address: nobody/);
  });

  it("turns an address into a contract when it sets code", async () => {
    await result("tre_setAccountBalance", STRANGER, 12);
    await result("tre_setAccountCode", STRANGER, READER);
    assert.equal(await constant(STRANGER), "0".repeat(64));
    await result("tre_setAccountStorageAt", STRANGER, `0x${"0".repeat(64)}`, "0x2a");
    assert.equal(await constant(STRANGER), "2a".padStart(64, "0"));
    assert.equal(await balanceAt("wallet", STRANGER), 12);
    assert.equal((await chain.ask("/wallet/getaccount", { address: STRANGER })).type, "Contract");
    chain.mine(5);
    assert.equal(await constant(STRANGER), "2a".padStart(64, "0"));
    assert.equal(await refusal("tre_setAccountCode", STRANGER, "code"), "invalid hex value");
  });

  it("stores words at an address without code, which eth_getStorageAt returns", async () => {
    const slot = `0x${"7".padStart(64, "0")}`;
    const params = [`0x${STRANGER.slice(2)}`, slot, "latest"];
    for (const value of ["2a", "0"]) {
      await result("tre_setAccountStorageAt", STRANGER, slot, `0x${value}`);
      const rpc = { jsonrpc: "2.0", id: 1, method: "eth_getStorageAt", params };
      assert.equal((await chain.ask("/jsonrpc", rpc)).result, `0x${value.padStart(64, "0")}`);
    }
  });

  it("returns stored words from the requested slot on", async () => {
    const word = (value: number): string => value.toString(16).padStart(64, "0");
    for (const slot of [1, 2, 5]) await result("tre_setAccountStorageAt", STRANGER, `0x${word(slot)}`, `0x${slot}0`);
    const range = (key: number, limit: number): Promise<Json | undefined> =>
      result("debug_storageRangeAt", 0, 0, toBase58(parseAddress(STRANGER)), `0x${word(key)}`, limit);
    assert.deepEqual(await range(2, 1), { storage: { [word(2)]: { value: word(0x20) } } });
    assert.deepEqual(await range(3, 1), { storage: { [word(3)]: { value: word(0) } } });
    assert.deepEqual(await range(2, 9), {
      storage: { [word(2)]: { value: word(0x20) }, [word(5)]: { value: word(0x50) } },
    });
  });

  const sendAs = (from: number, signers: readonly number[], amount = 1n): Promise<JsonObject> =>
    chain.send(chain.transfer({ from, signers, amount }));

  it("accepts transactions of unlocked accounts without a signature or with any, also after a reset", async () => {
    assert.equal((await sendAs(0, [])).code, "SIGERROR");
    assert.equal(await result("tre_unlockedAccounts", [chain.accounts[0]?.address ?? ""]), true);
    assert.equal((await sendAs(0, [])).result, true);
    assert.equal((await sendAs(0, [1], 2n)).result, true);
    assert.equal((await sendAs(1, [])).code, "SIGERROR");
    chain.mine();
    assert.equal(chain.simulation.chain.head.transactions.length, 2);
    await chain.ask("/local/reset");
    assert.equal((await sendAs(0, [])).result, true);
  });

  it("unlocks accounts by each form of address, in a list or not", async () => {
    const [first, , third] = chain.accounts;
    await result("tre_unlockedAccounts", first?.hex ?? "");
    await result("tre_unlockedAccounts", [`0x${third?.hex.slice(2)}`]);
    assert.deepEqual([(await sendAs(0, [])).result, (await sendAs(2, [])).result], [true, true]);
  });

  it("accepts transactions of impersonated accounts with any signature until impersonation stops", async () => {
    const address = chain.accounts[0]?.address ?? "";
    for (let times = 0; times < 2; times += 1) assert.equal(await result("tre_impersonateAccount", address), true);
    assert.equal((await sendAs(0, [1])).result, true);
    assert.equal((await sendAs(0, [])).code, "SIGERROR");
    assert.equal((await sendAs(2, [1])).code, "SIGERROR");
    await chain.ask("/local/reset");
    assert.equal((await sendAs(0, [1])).result, true);
    for (let times = 0; times < 2; times += 1)
      assert.equal(await result("tre_stopImpersonatingAccount", address), true);
    assert.equal((await sendAs(0, [1], 2n)).code, "SIGERROR");
  });

  it("reverts accounts and contracts to a snapshot without changing blocks and time", async () => {
    const balance = (): Promise<Json | undefined> => balanceAt("wallet", chain.accounts[1]?.hex ?? "");
    await result("tre_setAccountCode", STRANGER, READER);
    await result("tre_setAccountStorageAt", STRANGER, "0x0", "0x1");
    await chain.send(chain.transfer({ amount: 5n }));
    chain.mine();
    const before = await balance();
    assert.equal(await result("tre_snapshot"), "0x1");

    await chain.send(chain.transfer({ amount: 7n }));
    chain.mine(8);
    await result("tre_setAccountStorageAt", STRANGER, "0x0", "0x2");
    await result("tre_setAccountBalance", `41${"6a".repeat(20)}`, "9");
    const [number, at, solid] = [height(), time(), chain.simulation.chain.solid.header.number];
    assert.equal(await result("tre_revert", "0x1"), true);

    assert.deepEqual([height(), time(), chain.simulation.chain.solid.header.number], [number, at, solid]);
    assert.equal(await balance(), before);
    assert.equal(await constant(STRANGER), "1".padStart(64, "0"));
    assert.deepEqual(await chain.ask("/wallet/getaccount", { address: `41${"6a".repeat(20)}` }), {});
    chain.mine(6);
    assert.equal(await balanceAt("walletsolidity", chain.accounts[1]?.hex ?? ""), before);
    assert.deepEqual(
      [height(), chain.simulation.chain.head.header.number - 3],
      [number + 6, chain.simulation.chain.irreversible.header.number],
    );
  });

  it("uses up the reverted snapshot and newer ones, and drops others on request", async () => {
    const ids = [await result("tre_snapshot"), await result("tre_snapshot"), await result("tre_snapshot")];
    assert.deepEqual(ids, ["0x1", "0x2", "0x3"]);
    assert.equal(await result("tre_revert", "0x2"), true);
    assert.equal(await refusal("tre_revert", "0x3"), 'there is no snapshot "0x3"');
    assert.equal(await refusal("tre_revert", "0x2"), 'there is no snapshot "0x2"');
    assert.equal(await result("tre_snapshot"), "0x4");
    assert.deepEqual([await result("tre_dropSnapshot", "0x1"), await result("tre_dropSnapshot", "0x1")], [true, false]);
    assert.equal(await result("tre_dropSnapshot", 7), false);
    assert.equal(await result("tre_revert", "0x4"), true);
  });

  it("keeps impersonation and pending transactions through a revert", async () => {
    await result("tre_snapshot");
    await result("tre_impersonateAccount", chain.accounts[0]?.hex ?? "");
    assert.equal((await sendAs(0, [1])).result, true);
    await result("tre_revert", "0x1");
    assert.equal(chain.simulation.chain.pool.size, 1);
    assert.equal((await sendAs(0, [1], 2n)).result, true);
  });

  it("reports why there is no trace, and accepts miner_start and miner_stop", async () => {
    assert.match(String(await refusal("debug_traceTransaction", "0x00")), /32 bytes in hex/);
    assert.match(String(await refusal("debug_traceTransaction", `0x${"00".repeat(32)}`)), /no block of this chain/);
    assert.deepEqual([await result("miner_start", "1"), await result("miner_stop")], [true, true]);
  });
});
