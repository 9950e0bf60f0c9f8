import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { answer } from "../../../../test/support/fakes/chain-answer.ts";
import { isJsonObject, type Json, type JsonObject } from "../../../tron/src/primitives/json.ts";

/** Returns the word of its slot 0. */
const READER = "0x60005460005260206000f3";
const STRANGER = `41${"5e".repeat(20)}`;

describe("the endpoints of TronBox", () => {
  let chain: TestChain;

  beforeEach(async () => {
    chain = await testChain({ accounts: 2 });
  });

  const get = async (target: string, headers = {}): Promise<Response> => {
    const path = target.split("?", 1)[0] ?? target;
    const found = await answer(new Request(`http://chain${target}`, { headers }), path, chain.simulation);
    if (found.kind !== "answer") throw new Error(found.kind);
    return found.response;
  };
  const getJson = async (target: string): Promise<JsonObject> => (await (await get(target)).json()) as JsonObject;
  const call = (method: string, ...params: readonly Json[]): Promise<JsonObject> =>
    chain.ask("/tre", { jsonrpc: "2.0", id: 7, method, params });
  const height = (): number => chain.simulation.chain.head.header.number;
  const balanceAt = async (side: string, address: string): Promise<Json | undefined> =>
    (await chain.ask(`/${side}/getaccount`, { address })).balance;
  const constant = async (address: string): Promise<Json | undefined> => {
    const request = { owner_address: chain.accounts[0]?.hex ?? "", contract_address: address, data: "00" };
    const { constant_result: result } = await chain.ask("/wallet/triggerconstantcontract", request);
    return Array.isArray(result) ? result[0] : undefined;
  };

  it("it is healthy", async () => {
    assert.equal(await (await get("/healthcheck")).text(), "OK");
  });

  it("it returns the keys of its accounts, and generates more accounts", async () => {
    const keys = chain.accounts.map(({ privateKey }) => privateKey);
    assert.deepEqual(await getJson("/admin/accounts-json"), { hdPath: "", mnemonic: "", privateKeys: keys, more: [] });

    const made = await (await get("/admin/temporary-accounts-generation?accounts=3&defaultBalance=5")).text();

    const { more } = await getJson("/admin/accounts-json");
    assert.ok(Array.isArray(more) && isJsonObject(more[0]));
    assert.equal((more[0].privateKeys as readonly Json[]).length, 3);
    assert.match(made, /\(0\) T\w+ \(10000 TRX\)\n\(1\) T\w+ \(10000 TRX\)\n\(2\) T\w+ \(5 TRX\)\n/);
    assert.equal(await (await get("/admin/accounts")).text(), made);
  });

  it("it drops generated accounts when an earlier snapshot is restored", async () => {
    await get("/admin/temporary-accounts-generation?accounts=1");
    await chain.ask("/local/reset");
    assert.deepEqual((await getJson("/admin/accounts-json")).more, []);
  });

  it("it refuses web pages", async () => {
    const before = height();
    const { status } = await get("/admin/temporary-accounts-generation", { origin: "https://somewhere" });
    assert.deepEqual([status, height()], [403, before]);
  });

  it("it mines by tre_mine", async () => {
    const before = height();
    assert.deepEqual(await call("tre_mine"), { jsonrpc: "2.0", id: 7, result: "0x0" });
    assert.equal((await call("tre_mine", { blocks: 3 })).result, "0x0");
    assert.equal(height(), before + 4);
    const { error } = await call("tre_mine", { blocks: 101 });
    assert.deepEqual(error, { code: -32_602, message: "blocks should between (0, 100]" });
  });

  it("a transaction gets a block at once when tre_blockTime is 0, else it waits", async () => {
    assert.equal((await call("tre_blockTime", 0)).result, true);
    const before = height();
    await chain.send(chain.transfer());
    await setImmediate();
    const { solid } = chain.simulation.chain;
    assert.deepEqual([solid.header.number, solid.transactions.length], [before + 1, 1]);
    const reached = height();

    assert.equal((await call("tre_blockTime", 3)).result, true);
    await chain.send(chain.transfer({ amount: 2n }));
    await setImmediate();
    assert.deepEqual([height(), chain.simulation.chain.pool.size], [reached, 1]);
  });

  it("a balance is set at once on both sides, even for missing accounts", async () => {
    assert.equal((await call("tre_setAccountBalance", STRANGER, "0x3e8")).result, true);
    assert.deepEqual([await balanceAt("wallet", STRANGER), await balanceAt("walletsolidity", STRANGER)], [1000, 1000]);
    const address = chain.accounts[0]?.address ?? "";
    await call("tre_setAccountBalance", address, 5);
    chain.mine(5);
    assert.equal((await chain.ask("/walletsolidity/getaccount", { address, visible: true })).balance, 5);
  });

  it("code and storage slots that are set are used", async () => {
    await call("tre_setAccountBalance", STRANGER, 12);
    assert.equal((await call("tre_setAccountCode", STRANGER, READER)).result, true);
    assert.equal(await constant(STRANGER), "0".repeat(64));
    assert.equal((await call("tre_setAccountStorageAt", STRANGER, `0x${"0".repeat(64)}`, "0x2a")).result, true);
    assert.equal(await constant(STRANGER), "2a".padStart(64, "0"));
    assert.equal(await balanceAt("wallet", STRANGER), 12);
    chain.mine(5);
    assert.equal(await constant(STRANGER), "2a".padStart(64, "0"));
  });

  it("an unlocked account needs no signature, any other does", async () => {
    const [first] = chain.accounts;
    const unsigned = (from: number): Promise<JsonObject> => chain.send(chain.transfer({ from, signers: [] }));
    assert.equal((await unsigned(0)).code, "SIGERROR");
    assert.equal((await call("tre_unlockedAccounts", [first?.address ?? ""])).result, true);
    assert.equal((await unsigned(0)).result, true);
    assert.equal((await unsigned(1)).code, "SIGERROR");
    chain.mine();
    assert.equal(chain.simulation.chain.head.transactions.length, 1);
  });

  it("unsupported methods are an error by name", async () => {
    const { error } = await call("tre_unknown");
    const message = 'the method "tre_unknown" does not exist/is not available';
    assert.deepEqual(error, { code: -32_601, message });
    assert.deepEqual((await call("tre_setAccountCode", STRANGER, "code")).error, {
      code: -32_602,
      message: "invalid hex value",
    });
  });
});
