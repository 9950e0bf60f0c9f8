import assert from "node:assert/strict";
import {
  type Outcome,
  type RandomProgram,
  randomProgram,
  runHere,
  runThere,
} from "../../../test/support/chain/random-programs.ts";
import { type TestChain, testChain } from "../../../test/support/chain/test-chain.ts";
import { howOften } from "../../../test/support/random/how-often.ts";

const PROGRAMS = howOften(20, 10_000);
/** Maximum share of programs that run out of energy, in parts of 1,000. */
const MOST_EXHAUSTED = 50;

describe("TVM compared with @ethereumjs/evm", () => {
  let chain: TestChain;

  before(async () => {
    chain = await testChain();
  });

  const here = (program: RandomProgram): Outcome => runHere(chain.simulation.chain, program);

  it(`agrees on result, output, logs, storage and gas of ${PROGRAMS} random programs`, async function () {
    this.timeout(PROGRAMS * 200);
    const ends = new Map<string, number>();
    let exhausted = 0;
    for (let seed = 1; seed <= PROGRAMS; seed += 1) {
      const program = randomProgram(seed);
      const there = await runThere(program);
      if (there.exhausted) {
        exhausted += 1;
        continue;
      }
      const ours = here(program);
      assert.deepEqual({ ...ours, exhausted: false }, there, `program ${seed}`);
      ends.set(ours.end, (ends.get(ours.end) ?? 0) + 1);
    }
    assert.ok(exhausted * 1000 <= PROGRAMS * MOST_EXHAUSTED, `${exhausted} programs ran out of energy`);
    for (const end of ["returned", "reverted", "halted"]) assert.ok((ends.get(end) ?? 0) > 0, `no program ${end}`);
  });

  it("differs when the programs differ", async () => {
    const program = { ...randomProgram(1), code: Uint8Array.of(0x60, 7, 0x5f, 0x55), tame: true };
    const other = { ...program, code: Uint8Array.of(0x60, 8, 0x5f, 0x55) };
    assert.notDeepEqual(here(program).words, (await runThere(other)).words);
  });
});
