import assert from "node:assert/strict";
import { howOften } from "../../support/random/how-often.ts";
import { isRevealed, runBugs } from "../../support/runs/run-bugs.ts";
import * as product from "../../support/runs/run-product.ts";
import { RunSimulation } from "../../support/runs/run-simulation.ts";
import { type SeededRun, simulateInProcesses, simulateRuns } from "../../support/runs/run-simulations.ts";

/** FINALITY_MODEL_SEED sets another seed. */
const SEED = Number(process.env.FINALITY_MODEL_SEED ?? 1);
const ROWS = 1_000;
/** 10,000 payments in `npm test`, 1,000,000 in `npm run model`. */
const RUNS = howOften(10, 1_000);
const IS_LONG = RUNS > 10;
const RUNS_WITH_BUG = 30;
const ROWS_WITH_BUG = 100;
/** The first bugs; all in `npm run model`. */
const BUGS = runBugs.slice(0, howOften(2, runBugs.length));

/** Payments of the run without faults. */
const TRACKED = howOften(1_000, 3_000);
/** Requests of trackers for each block. */
const MOST_REQUESTS = 1.05;

describe("simulated runs", function () {
  this.timeout(0);

  it("execute each row once under crashes, lost answers and commits, outages of the store and reorganizations", async () => {
    const started = performance.now();
    let payments = 0;
    const runs = await simulateInProcesses({ seed: SEED, runs: RUNS, rows: ROWS }, ({ seed, executed, blocks }) => {
      payments += executed;
      const seconds = ((performance.now() - started) / 1_000).toFixed(0);
      // Progress of a run of many minutes.
      if (IS_LONG)
        process.stderr.write(`seed ${seed}: ${executed} paid in ${blocks} blocks; ${payments} in ${seconds} s\n`);
    });

    const sum = (of: (run: SeededRun) => number): number => runs.reduce((total, run) => total + of(run), 0);
    const faults = new Map<string, number>();
    for (const run of runs) {
      for (const [name, times] of Object.entries(run.faults)) faults.set(name, (faults.get(name) ?? 0) + times);
    }
    const seeds = `seeds ${SEED} to ${SEED + runs.length - 1}`;
    const reached = [...faults].map(([name, times]) => `${name} ${times}`).join(", ");
    process.stdout.write(
      `      ${seeds}: ${sum(({ executed }) => executed)} payments, ${sum(({ attempts }) => attempts)} attempts, ` +
        `${sum(({ blocks }) => blocks)} blocks. Faults: ${reached}\n`,
    );
    const broken = runs.filter((run) => !run.isFinished || run.executed !== ROWS || findings(run) > 0);
    assert.deepEqual(broken.map(describeBroken), []);
    assert.equal(runs.length, RUNS);
  });

  it(`request at most ${MOST_REQUESTS} times a block to track ${TRACKED} payments`, async () => {
    const options = { seed: SEED, rows: TRACKED, workers: 3, isFaulty: false, answerMs: 6_000, product };

    const run = await new RunSimulation(options).play();

    process.stdout.write(`      ${run.trackingRequests} requests in ${run.blocks} blocks\n`);
    assert.equal(run.executed, TRACKED);
    assert.ok(run.trackingRequests <= MOST_REQUESTS * run.blocks, `${run.trackingRequests} in ${run.blocks} blocks`);
  });

  for (const bug of BUGS) {
    it(`find: ${bug.name}`, async () => {
      let found: SeededRun | undefined;
      let count = 0;
      for await (const run of simulateRuns({ seed: 1, runs: RUNS_WITH_BUG, rows: ROWS_WITH_BUG, bug: bug.name })) {
        count++;
        found = isRevealed(run, bug) ? run : undefined;
        if (found !== undefined) break;
      }

      process.stdout.write(`        ${bug.reveals} after ${count} runs of ${ROWS_WITH_BUG} rows\n`);
      assert.ok(found !== undefined, `${bug.name} was not found`);
    });
  }
});

function findings({ twice, lost, unknown, different, unproven }: SeededRun): number {
  return [twice, lost, unknown, different, unproven].flat().length;
}

function describeBroken(run: SeededRun): string {
  const { seed, isFinished, twice, lost, unknown, different, unproven, failures, history } = run;
  return JSON.stringify({ seed, isFinished, twice, lost, unknown, different, unproven, failures, history });
}
