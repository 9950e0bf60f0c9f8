import assert from "node:assert/strict";
import { randomProgram, runHere, runThere } from "../../../../test/support/chain/random-programs.ts";
import { testChain } from "../../../../test/support/chain/test-chain.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";

const PROGRAMS = howOften(20, 10_000);

describe("the machine of java-tron 4.8.2 beside the one of the library", () => {
  it(`does the same in ${PROGRAMS} random programs with the operations of Osaka`, async function () {
    this.timeout(PROGRAMS * 200);
    const { simulation } = await testChain({ nodeVersion: "4.8.2" });
    let compared = 0;
    for (let seed = 1; seed <= PROGRAMS; seed += 1) {
      const program = randomProgram(seed, "4.8.2");
      const there = await runThere(program, "4.8.2");
      if (there.exhausted) continue;
      assert.deepEqual({ ...runHere(simulation.chain, program), exhausted: false }, there, `program ${seed}`);
      compared += 1;
    }
    assert.ok(compared * 10 > PROGRAMS * 9);
  });
});
