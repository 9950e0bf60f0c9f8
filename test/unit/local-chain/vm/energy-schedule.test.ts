import assert from "node:assert/strict";
import { defaultParameters } from "../../../../src/local-chain/chain/parameters.ts";
import { caughtUp, penaltyOf } from "../../../../src/local-chain/vm/energy-schedule.ts";
import { contractFixture } from "../../../support/chain/contract-fixture.ts";
import { loadExchanges } from "../../../support/recorded/exchanges.ts";
import { readScenario } from "../../../support/recorded/scenario.ts";

const parameters = defaultParameters;
const THRESHOLD = parameters.getDynamicEnergyThreshold;
const SET_9 = `60fe47b1${"9".padStart(64, "0")}`;

describe("the price that rises with use", () => {
  it("rises by a fifth after a cycle above the threshold", () => {
    const use = { energyUsage: THRESHOLD + 1, energyFactor: 0, updateCycle: 7 };
    assert.deepEqual(caughtUp(use, 8, parameters), { energyUsage: 0, energyFactor: 2000, updateCycle: 8 });
  });

  it("stays after a cycle at the threshold, and falls by 5 % for each idle cycle, never below the normal one", () => {
    const calm = { energyUsage: THRESHOLD, energyFactor: 2000, updateCycle: 7 };
    assert.equal(caughtUp(calm, 8, parameters).energyFactor, 1400);
    assert.equal(caughtUp(calm, 9, parameters).energyFactor, 830);
    assert.equal(caughtUp(calm, 1000, parameters).energyFactor, 0);
  });

  it("never rises above its maximum", () => {
    const use = { energyUsage: THRESHOLD + 1, energyFactor: 33_000, updateCycle: 7 };
    assert.equal(caughtUp(use, 8, parameters).energyFactor, parameters.getDynamicEnergyMaxFactor);
  });

  it("is rounded down for each operation", () => {
    assert.deepEqual([penaltyOf(3, 12_000), penaltyOf(5, 12_000), penaltyOf(20_000, 12_000)], [0, 1, 4000]);
  });

  it("costs a call of the recorded contract what it cost the real node: 33,562 with 5,505 of penalty", async () => {
    const recorded = (await loadExchanges("contracts")).find(
      (it) => it.case === "constant-energy-penalty",
    )?.responseBody;
    const expected = recorded as { energy_used: number; energy_penalty: number };
    const contracts = await contractFixture();
    const { bytecode = "" } = readScenario("t-contract").contracts.T ?? {};
    const { address } = await contracts.deploy(bytecode + "7".padStart(64, "0"));
    const { solidState, pendingState, head } = contracts.chain.simulation.chain;
    const updateCycle = Math.floor(head.header.timestamp / parameters.getMaintenanceTimeInterval);
    for (const state of [solidState, pendingState]) {
      state.putUse(address, { energyUsage: 0, energyFactor: 2000, updateCycle });
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
