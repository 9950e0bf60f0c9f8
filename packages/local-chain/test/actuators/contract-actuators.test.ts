import assert from "node:assert/strict";
import { type ContractFixture, contractFixture, returning } from "../../../../test/support/chain/contract-fixture.ts";
import type { JsonObject } from "../../../tron/src/primitives/json.ts";
import { BLACK_HOLE } from "../../src/chain/account.ts";

const word = (value: number | string): string =>
  (typeof value === "number" ? value.toString(16) : value).padStart(64, "0");

describe("contracts on the local chain", () => {
  let contracts: ContractFixture;

  beforeEach(async () => {
    contracts = await contractFixture();
  });

  it("run with block number 0 in a constant call, and in the next block when included", async () => {
    const address = await contracts.install("4360005260206000f3");
    const { returned, info } = await contracts.call(address);
    assert.equal(returned, word(Number(info.blockNumber)));
  });

  it("keep their storage from block to block", async () => {
    const address = await contracts.install("5f546001018060005560005260206000f3");
    assert.equal((await contracts.call(address)).returned, word(1));
    assert.equal((await contracts.call(address)).returned, word(2));
  });

  it("undo everything but the fee when they fail", async () => {
    const address = await contracts.install("6001600055600080fd");
    const before = await contracts.ask("getaccount", { address: contracts.chain.accounts[0]?.hex ?? "" });
    const { result, info } = await contracts.call(address, "", { value: 1_000_000 });
    const after = await contracts.ask("getaccount", { address: contracts.chain.accounts[0]?.hex ?? "" });
    assert.equal(result, "REVERT");
    assert.equal(Number(before.balance) - Number(after.balance), Number(info.fee));
    assert.equal((await contracts.ask("getaccount", { address })).balance, undefined);
  });

  it("lose their account at a self-destruct, with their coins paid to the beneficiary", async () => {
    const beneficiary = "ab".repeat(20);
    const address = await contracts.install(`73${beneficiary}ff`);
    const { result, info } = await contracts.call(address, "", { value: 5 });
    const [internal] = info.internal_transactions as readonly JsonObject[];
    assert.equal(result, "SUCCESS");
    assert.equal(Buffer.from(String(internal?.note), "hex").toString("utf8"), "suicide");
    assert.deepEqual(await contracts.ask("getcontract", { value: address }), {});
    assert.deepEqual(await contracts.ask("getaccount", { address }), {});
    assert.equal((await contracts.ask("getaccount", { address: `41${beneficiary}` })).balance, 5);
  });

  it("start with empty storage when CREATE2 creates them again at the same address", async () => {
    // The child stores 1, whose energy shows whether the slot was empty. It self-destructs when it is called.
    const child = `6001600055${returning("33ff").replace("600e", "6013")}`;
    const padded = child.padEnd(64, "0");
    const factory = await contracts.install(
      `7f${padded}6000526000${(child.length / 2 + 0x6000).toString(16)}60006000f560005260206000f3`,
    );
    const first = await contracts.call(factory);
    const address = `41${first.returned.slice(24)}` as typeof factory;
    assert.notEqual(first.returned, word(0));
    await contracts.call(address);
    const second = await contracts.call(factory);
    assert.equal(second.returned, first.returned);
    assert.equal(second.energy, first.energy);
  });

  it("are returned with creator and code, unlike accounts without code", async () => {
    const address = await contracts.install("00");
    const info = await contracts.ask("getcontractinfo", { value: address });
    const definition = info.smart_contract as JsonObject;
    assert.equal(info.runtimecode, "00");
    assert.equal(definition.origin_address, contracts.chain.accounts[0]?.hex);
    assert.deepEqual(await contracts.ask("getcontractinfo", { value: contracts.chain.accounts[0]?.hex ?? "" }), {});
  });

  it("are paid by the owner's stake first, then by coins", async () => {
    const address = await contracts.install("6001600055", { percent: 30 });
    const { info, energy } = await contracts.call(address, "", { from: 1 });
    const receipt = info.receipt as JsonObject;
    assert.equal(receipt.origin_energy_usage, undefined);
    assert.equal(receipt.energy_fee, energy * 210);
  });

  it("neither create nor lose a sun", async () => {
    const { simulation, accounts } = contracts.chain;
    const beneficiary = `41${"cd".repeat(20)}`;
    const [keeper, bequeather, burner, failing] = [
      await contracts.install("00"),
      await contracts.install(`73${beneficiary.slice(2)}ff`),
      await contracts.install("30ff"),
      await contracts.install("5f5ffd"),
    ];
    const funded = [simulation.faucet, ...accounts].map(({ hex }) => hex as string);
    const total = (): bigint => {
      const { pendingState } = simulation.chain;
      const all = [...funded, keeper, bequeather, burner, failing, beneficiary, BLACK_HOLE];
      const held = all.map((it) => pendingState.account(it as typeof keeper)?.balance ?? 0n);
      return held.reduce((sum, it) => sum + it, pendingState.totals.burnt + pendingState.totals.lost);
    };
    const before = total();
    for (const address of [keeper, bequeather, burner, failing])
      await contracts.call(address, "", { from: 2, value: 1234 });
    assert.equal(total(), before);
    assert.equal((await contracts.ask("getaccount", { address: beneficiary })).balance, 1234);
    assert.equal(simulation.chain.pendingState.account(BLACK_HOLE)?.balance, 1234n - 2n ** 63n);
  });
});
