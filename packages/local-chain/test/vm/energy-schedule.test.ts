import assert from "node:assert/strict";
import { type ContractFixture, contractFixture, returning } from "../../../../test/support/chain/contract-fixture.ts";
import { loadExchanges } from "../../../../test/support/recorded/exchanges.ts";
import { readScenario } from "../../../../test/support/recorded/scenario.ts";
import { defaultParameters } from "../../src/chain/parameters.ts";
import { caughtUp, penaltyOf } from "../../src/vm/energy-schedule.ts";

const parameters = defaultParameters;
const THRESHOLD = parameters.getDynamicEnergyThreshold;
const SET_9 = `60fe47b1${"9".padStart(64, "0")}`;

describe("dynamic energy factor", () => {
  it("rises by a fifth after a cycle above the threshold", () => {
    const use = { energyUsage: THRESHOLD + 1, energyFactor: 0, updateCycle: 7 };
    assert.deepEqual(caughtUp(use, 8, parameters), { energyUsage: 0, energyFactor: 2000, updateCycle: 8 });
  });

  it("stays after a cycle at the threshold, and falls by 5 % for each idle cycle down to 0", () => {
    const calm = { energyUsage: THRESHOLD, energyFactor: 2000, updateCycle: 7 };
    assert.equal(caughtUp(calm, 8, parameters).energyFactor, 1400);
    assert.equal(caughtUp(calm, 9, parameters).energyFactor, 830);
    assert.equal(caughtUp(calm, 1000, parameters).energyFactor, 0);
  });

  it("does not rise above its maximum", () => {
    const use = { energyUsage: THRESHOLD + 1, energyFactor: 33_000, updateCycle: 7 };
    assert.equal(caughtUp(use, 8, parameters).energyFactor, parameters.getDynamicEnergyMaxFactor);
  });

  it("is rounded down for each operation", () => {
    assert.deepEqual([penaltyOf(3, 12_000), penaltyOf(5, 12_000), penaltyOf(20_000, 12_000)], [0, 1, 4000]);
  });

  it("reproduces the recorded penalty of a real node: 33,562 energy with 5,505 of penalty", async () => {
    const recorded = (await loadExchanges("contracts")).find(
      (it) => it.case === "constant-energy-penalty",
    )?.responseBody;
    const expected = recorded as { energy_used: number; energy_penalty: number };
    const contracts = await contractFixture();
    const { bytecode = "" } = readScenario("t-contract").contracts.T ?? {};
    const { address } = await contracts.deploy(bytecode + "7".padStart(64, "0"));
    const { solidState, pendingState } = contracts.chain.simulation.chain;
    const updateCycle = pendingState.totals.cycle;
    for (const state of [solidState, pendingState]) {
      state.tables.uses.set(address, { energyUsage: 0, energyFactor: 2000, updateCycle });
    }
    const answer = await contracts.ask("triggerconstantcontract", {
      owner_address: contracts.chain.accounts[0]?.hex,
      contract_address: address,
      data: SET_9,
    });
    assert.equal(answer.energy_used, expected.energy_used);
    assert.equal(answer.energy_penalty, expected.energy_penalty);
  });
});

/** Prices that differ from Ethereum's, for init code that returns nothing. Each push costs 3. */
const PRICES: readonly (readonly [what: string, code: string, energy: number])[] = [
  ["reading a word of storage costs 50", "60005450", 3 + 50 + 2],
  ["reading it again costs 50 again", "6000545060005450", 2 * (3 + 50 + 2)],
  ["writing a new word costs 20,000", "6001600055", 6 + 20_000],
  ["writing 0 to an empty slot costs 5,000", "6000600055", 6 + 5000],
  ["a slot with a written 0 is not empty", "60006000556001600055", 12 + 10_000],
  ["clearing a slot refunds nothing", "60016000556000600055", 12 + 25_000],
  ["reading does not create a word", "600054506001600055", 55 + 6 + 20_000],
  ["balance costs 20", "303150", 2 + 20 + 2],
  ["the size of other code costs 20", "303b50", 2 + 20 + 2],
  ["the hash of other code costs 400", "303f50", 2 + 400 + 2],
  ["a power costs 10, and 10 for each byte of the exponent", "61010060020a50", 6 + 30 + 2],
  ["memory costs 1 plus its growth", "60005150", 3 + 1 + 3 + 2],
  ["a copy has no base price", "600060006000 37", 9],
  ["a call costs 40", "60006000600060006000305af150", 15 + 2 + 2 + 40 + 2],
  [
    "a call with value to a missing account costs 25,000 more, even without the balance",
    "60006000600060006001 73".concat("ab".repeat(20), "5af150"),
    15 + 3 + 2 + 40 + 34_000 - 2300 + 2,
  ],
  ["CREATE costs 32,000 and nothing for its words", "602060006000f050", 9 + 32_000 + 3 + 2 + 0],
  ["CREATE2 costs 6 for each word", "6000602060006000f550", 12 + 32_000 + 6 + 3 + 2],
  ["a self-destruct to an existing account costs nothing", "33ff", 2],
  ["a self-destruct to a missing account costs 25,000", "73".concat("ab".repeat(20), "ff"), 3 + 25_000],
  ["PUSH0 costs 2", "5f50", 4],
  ["transient storage costs 100", "600160005d60005c50", 6 + 100 + 3 + 100 + 2],
  ["ISCONTRACT costs 20", "30d450", 2 + 20 + 2],
  ["the token's value and id cost 2", "d250d350", 8],
  ["address 3 costs what RIPEMD-160 does", "60006000600060006003612710fa50", 15 + 3 + 40 + 600 + 2],
];

describe("energy of operations", () => {
  let contracts: ContractFixture;

  before(async () => {
    contracts = await contractFixture();
  });

  it("S28 is that of the node where it differs from Ethereum's", async () => {
    for (const [what, code, energy] of PRICES) {
      const { energy_used } = await contracts.constant(code.replaceAll(" ", ""));
      assert.equal(energy_used, energy, what);
    }
  });

  it("S28 is the same in a constant call and in the transaction", async () => {
    const code = "600160005560026001555b";
    const { energy_used: tried } = await contracts.constant(code);
    assert.equal((await contracts.deploy(code)).energy, tried);
  });

  it("is 200 per byte of deployed code", async () => {
    assert.equal((await contracts.constant(returning("00".repeat(10)))).energy_used, 2000 + 5 * 3 + 3 + 3);
  });
});

describe("estimateenergy", () => {
  let contracts: ContractFixture;

  before(async () => {
    contracts = await contractFixture();
  });

  it("S73 returns twice the energy of a cheap call", async () => {
    const data = "5b".repeat(25);
    const answer = await contracts.ask("estimateenergy", { owner_address: contracts.chain.accounts[0]?.hex, data });
    assert.deepEqual(answer, { result: { result: true }, energy_required: 50 });
  });

  it("S73 returns at most one coin's worth above the energy of an expensive call", async () => {
    const data = "6001600055".repeat(3);
    const { energy_used: used } = await contracts.constant(data);
    const answer = await contracts.ask("estimateenergy", { owner_address: contracts.chain.accounts[0]?.hex, data });
    const surplus = Number(answer.energy_required) - Number(used);
    assert.ok(surplus > 0 && surplus <= Math.ceil(1_000_000 / 210));
  });
});
