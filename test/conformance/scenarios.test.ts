import assert from "node:assert/strict";
import { readScenario } from "../support/recorded/scenario.ts";
import { replayScenario } from "../support/recorded/scenario-replay.ts";

const NAMES = [
  "bandwidth",
  "calls",
  "deploys",
  "limits",
  "memory-events",
  "opcodes",
  "results",
  "reverts-panics",
  "stake-share",
  "storage",
  "t-contract",
];

describe("recorded scenarios", () => {
  const total = { matched: 0, steps: 0 };

  for (const name of NAMES) {
    it(`S28 match ${name}: energy, fees, receipts, messages`, async function () {
      this.timeout(60_000);
      const { steps, matched, differences } = await replayScenario(readScenario(name));
      total.matched += matched;
      total.steps += steps;
      assert.deepEqual(differences, []);
      assert.equal(matched, steps);
    });
  }

  after(() => {
    process.stdout.write(`      scenarios: ${total.matched} / ${total.steps}\n`);
  });
});
