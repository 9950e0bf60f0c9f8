import assert from "node:assert/strict";
import { randomProgram, runWith } from "../../../../test/support/chain/random-programs.ts";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import { checkTrace } from "../../../../test/support/traces/check-trace.ts";
import { NODE_VERSIONS } from "../../src/chain/parameters.ts";
import { traceOf } from "../../src/traces/trace-record.ts";
import { StepColumns } from "../../src/vm/step-columns.ts";
import { TraceRecorder } from "../../src/vm/trace-recorder.ts";

/** For each version of the node. */
const PROGRAMS = howOften(10, 1000);
const LIMITS = { entries: 1_000_000, bytes: 1_000_000_000 };

for (const nodeVersion of NODE_VERSIONS) {
  describe(`traces of random programs on ${nodeVersion}`, () => {
    let chain: TestChain;

    before(async () => {
      chain = await testChain({ nodeVersion });
    });

    it(`leave result, energy, state and events of ${PROGRAMS} programs as they are, and add up`, function () {
      this.timeout(60_000 + PROGRAMS * 200);
      const ends = new Set<string>();
      for (let seed = 1; seed <= PROGRAMS; seed += 1) {
        const program = randomProgram(seed, nodeVersion);
        const { chain: blocks } = chain.simulation;
        const plain = runWith(blocks, program);
        const columns = new StepColumns({ stack: true, memory: true, maxSteps: 1_000_000 });
        for (const recorder of [new TraceRecorder(), new TraceRecorder(columns)]) {
          const { outcome, run, before, after } = runWith(blocks, program, recorder);
          assert.deepEqual(outcome, plain.outcome, `program ${seed}`);
          assert.equal(run.energy, plain.run.energy, `program ${seed}`);
          assert.deepEqual(run.machine.internal.all, plain.run.machine.internal.all, `program ${seed}`);
          const facts = { kind: "call", blockNumber: 1, blockTime: 0, feeLimit: 0n, energyPrice: 100n } as const;
          const trace = traceOf(recorder, run, { ...facts, differences: [], before, after, opcodes: String }, LIMITS);
          checkTrace(trace, `program ${seed}`);
          for (const frame of trace.frames) ends.add(frame.outcome);
        }
      }
      for (const end of ["halted", "returned", "reverted"]) assert.ok(ends.has(end), `no frame ${end}`);
    });
  });
}
