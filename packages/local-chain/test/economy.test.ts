import assert from "node:assert/strict";
import { playSequence } from "../../../test/support/chain/economy.ts";
import { howOften } from "../../../test/support/random/how-often.ts";
import { systemActuators } from "../src/actuators/actuators.ts";

const FEWEST_FOR_ALL_TYPES = 12;
const SEQUENCES = howOften(FEWEST_FOR_ALL_TYPES, 2_000);
const STEPS = 200;
/** Contracts of Stake 1.0, which is closed. */
const NEVER_EXECUTED = ["FreezeBalanceContract", "UnfreezeBalanceContract"];

describe("all contract types together", () => {
  it(`keep coins, tokens, votes and stakes balanced in ${SEQUENCES} random sequences`, async function () {
    this.timeout(SEQUENCES * 10_000);
    const executed = new Map<string, number>();
    for (let seed = 1; seed <= SEQUENCES; seed += 1) {
      const played = await playSequence(seed, STEPS);
      for (const [name, times] of played.executed) executed.set(name, (executed.get(name) ?? 0) + times);
    }
    const missing = Object.keys(systemActuators).filter(
      (name) => !executed.has(name) && !NEVER_EXECUTED.includes(name),
    );
    if (SEQUENCES >= FEWEST_FOR_ALL_TYPES) assert.deepEqual(missing, [], "contract types that no block contains");
  });
});
