import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { faultTypes } from "../../packages/local-chain/src/faults/fault-types.ts";
import { describeRun, stepsOf } from "../support/model/describe-run.ts";
import { POINTS } from "../support/model/machine.ts";
import type { ModelRun } from "../support/model/run-schedules.ts";
import { STEP_KINDS } from "../support/model/schedule.ts";
import type { Counts } from "../support/model/simulation.ts";
import { howOften } from "../support/random/how-often.ts";
import { intentKinds } from "../support/tracking/intents.ts";

/** Another seed finds other things: FINALITY_MODEL_SEED. One process a core. */
const SEED = Number(process.env.FINALITY_MODEL_SEED ?? 2026);
/** So many reach everything; fewer say nothing about what they did not reach. `npm run model` plays them. */
const ENOUGH = 20_000;
const SCHEDULES = Number(process.env.FINALITY_MODEL_SCHEDULES ?? howOften(500, ENOUGH));
const PROCESSES = 2;
/** No estimate is asked for here, and no code runs long. */
const ELSEWHERE = ["estimate-off", "constant-calls-off", "code-ended"];
const STATES = ["unknown", "pending", "included", "solidified", "rejected", "proven-absent", "replaced", "signed"];

describe("the product under random schedules", () => {
  it("sends nothing twice, loses nothing, says nothing that the chain denies, and resolves every unknown", async function () {
    this.timeout(0);

    const runs = await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) => play(SEED + index, Math.ceil(SCHEDULES / PROCESSES))),
    );

    for (const [index, run] of runs.entries()) assert.equal(run.broken, undefined, describeRun(run, SEED + index));
    const counts = total(runs.map((run) => run.counts));
    const schedules = runs.reduce((sum, run) => sum + run.schedules, 0);
    const seeds = runs.map((_, index) => SEED + index).join(" and ");
    process.stdout.write(`      seeds ${seeds}: ${schedules} schedules, ${stepsOf(counts)} steps\n`);
    assert.ok(schedules >= SCHEDULES, `${schedules} schedules`);
    if (SCHEDULES >= ENOUGH) assert.deepEqual(unreached(counts), [], "what no schedule has reached");
  });
});

async function play(seed: number, schedules: number): Promise<ModelRun> {
  const file = join(import.meta.dirname, "../support/model/play-schedules.ts");
  const child = fork(file, ["--seed", String(seed), "--schedules", String(schedules)]);
  const reported = once(child, "message");
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`The process of seed ${seed} ended early.`)));
  ended.catch(() => undefined);
  const [run] = (await Promise.race([reported, ended])) as [ModelRun];
  return run;
}

function total(all: readonly Counts[]): Counts {
  const sums: Counts = {};
  for (const counts of all) for (const [name, times] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + times;
  return sums;
}

/** Every step, state, fault and place of a crash has to happen, or the run says nothing about it. */
function unreached(counts: Counts): readonly string[] {
  const faults = faultTypes.map(({ name }) => name).filter((name) => !ELSEWHERE.includes(name));
  const wanted = [
    ...STEP_KINDS.map((it) => `step ${it}`),
    ...intentKinds.map((it) => `executed ${it}`),
    ...STATES.map((it) => `state ${it}`),
    ...faults.map((it) => `fault ${it}`),
    ...POINTS.map((it) => `crash ${it}`),
    "crash by kill",
    "crash by power-cut",
    "bytes lost",
    "disk was full",
    "renamed",
    "names lost",
    "led",
    "followed",
    "equal refused",
    "exported",
    "signed by another",
    "needs no signature",
    "sent elsewhere",
    "refused elsewhere",
    "file expired",
    "pressed look",
    "pressed resend",
    "pressed replace",
    "refused EQUAL_TRANSACTION_ALIVE",
    "journal removed",
    "journal emptied",
    "journal replaced",
    "gave up the lead",
    "refused JOURNAL_LOST",
    "refused RESEND_REFUSED",
    "refused REPLACEMENT_REFUSED",
    "refused JOURNAL_UNWRITABLE",
  ];
  return wanted.filter((name) => (counts[name] ?? 0) === 0);
}
