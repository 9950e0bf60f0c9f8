import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { LIAR_STEPS } from "../support/liar/liar-schedule.ts";
import { type Counts, SETUPS } from "../support/liar/liar-simulation.ts";
import type { LiarRun } from "../support/liar/run-liars.ts";
import { kindsOfPage } from "../support/liar/security-page.ts";
import { BROADCASTS, SEALS } from "../support/liar/story.ts";
import { howOften } from "../support/random/how-often.ts";

/** Another seed finds other things: FINALITY_MODEL_SEED. One process a core. */
const SEED = Number(process.env.FINALITY_MODEL_SEED ?? 2027);
const RUNS = Number(process.env.FINALITY_MODEL_LIARS ?? howOften(150, 20_000));
/** So many reach everything; fewer say nothing about what they did not reach. `npm run model` plays 20,000. */
const ENOUGH = 2_500;
const PROCESSES = 2;
const SIGNED = ["sendCoins", "transferTokens", "callContract", "stake", "createAccount"].map((it) => `finality.${it}`);

describe("the whole extension before a gateway that lies", () => {
  it("does nothing twice, signs nothing unasked, proves no absence of what is there, forgets nothing, and believes what security.md names", async function () {
    this.timeout(0);

    const runs = await Promise.all(
      Array.from({ length: PROCESSES }, (_, index) => play(SEED + index, Math.ceil(RUNS / PROCESSES))),
    );

    for (const [index, { broken }] of runs.entries())
      assert.equal(broken, undefined, describeFailure(broken, SEED + index));
    const counts = total(runs.map((run) => run.counts));
    process.stdout.write(`      ${describeCounts(runs, counts)}\n`);
    const believed = Object.keys(counts).flatMap((name) => /^believed (.*)/.exec(name)?.[1] ?? []);
    const known = kindsOfPage();
    assert.deepEqual(
      believed.filter((it) => !known.includes(it)),
      [],
      "what docs/security.md does not name",
    );
    if (RUNS >= ENOUGH) assert.deepEqual(unreached(counts), [], "what no run has reached");
  });
});

async function play(seed: number, runs: number): Promise<LiarRun> {
  const file = join(import.meta.dirname, "../support/liar/play-liars.ts");
  const child = fork(file, ["--seed", String(seed), "--runs", String(runs)]);
  const reported = once(child, "message");
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`The process of seed ${seed} ended early.`)));
  ended.catch(() => undefined);
  const [run] = (await Promise.race([reported, ended])) as [LiarRun];
  return run;
}

function describeFailure(broken: LiarRun["broken"], seed: number): string {
  if (broken === undefined) return "";
  const again = `node test/support/liar/play-liars.ts --seed ${seed} --path ${broken.path} --shrink`;
  return [broken.message, JSON.stringify(broken.schedule), `To see it again, shorter: ${again}`].join("\n");
}

function describeCounts(runs: readonly LiarRun[], counts: Counts): string {
  const seeds = runs.map((_, index) => SEED + index).join(" and ");
  const played = runs.reduce((sum, run) => sum + run.runs, 0);
  const believed = kindsOfPage()
    .map((name) => `${name} ${counts[`believed ${name}`] ?? 0}`)
    .join(", ");
  return `seeds ${seeds}: ${played} runs, ${sumOf(counts, "step ")} steps, ${sumOf(counts, "asked ")} answers. Believed: ${believed}`;
}

function sumOf(counts: Counts, prefix: string): number {
  return Object.entries(counts).reduce((sum, [name, times]) => (name.startsWith(prefix) ? sum + times : sum), 0);
}

function total(all: readonly Counts[]): Counts {
  const sums: Counts = {};
  for (const counts of all) for (const [name, times] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + times;
  return sums;
}

/** Every step, setup, story, state and kind has to happen, or the run says nothing about it. */
function unreached(counts: Counts): readonly string[] {
  const wanted = [
    ...LIAR_STEPS.map((it) => `step ${it}`),
    ...SETUPS.map((it) => `setup ${it}`),
    ...SEALS.map((it) => `seal ${it}`),
    ...BROADCASTS.map((it) => `broadcast ${it}`),
    ...["unknown", "pending", "included", "solidified", "rejected", "proven-absent", "replaced"].map(
      (it) => `state ${it}`,
    ),
    ...SIGNED.map((it) => `signed ${it}`),
    "recheck confirmed",
    "recheck refused",
    "recheck forged refused",
    "reopened",
    "carried an API key",
    "refused EQUAL_TRANSACTION_ALIVE",
    "refused TRANSACTION_DIFFERS",
    "refused REPLACEMENT_REFUSED",
    "posing, stopped on Main",
    "posing, stopped on Second",
    ...kindsOfPage().map((name) => `believed ${name}`),
  ];
  return wanted.filter((name) => (counts[name] ?? 0) === 0);
}
