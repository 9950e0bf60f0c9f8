import assert from "node:assert/strict";
import { join } from "node:path";
import { kindsOfPage } from "../support/adversary/accepted-forgeries.ts";
import { ADVERSARY_STEPS, type AdversarySchedule } from "../support/adversary/adversary-schedule.ts";
import { SETUPS } from "../support/adversary/adversary-simulation.ts";
import { BROADCASTS, SEALS } from "../support/adversary/behavior.ts";
import { howOften } from "../support/random/how-often.ts";
import { type Counts, countOf, playInProcesses } from "../support/random/random-run.ts";

/** Another seed finds other things: FINALITY_MODEL_SEED. */
const SEED = Number(process.env.FINALITY_MODEL_SEED ?? 2027);
const RUNS = Number(process.env.FINALITY_MODEL_ADVERSARIES ?? howOften(150, 20_000));
/** So many reach everything; fewer say nothing about what they did not reach. `npm run model` plays 20,000. */
const ENOUGH = 2_500;
const FILE = join(import.meta.dirname, "../support/adversary/run-adversaries.ts");
const SIGNED = ["sendCoins", "transferTokens", "callContract", "stake", "createAccount"].map((it) => `finality.${it}`);

describe("the whole extension before an adversarial gateway", () => {
  it("does nothing twice, signs nothing unasked, proves no absence of what is there, forgets nothing, and believes what security.md names", async function () {
    this.timeout(0);

    const { schedules, counts } = await playInProcesses<AdversarySchedule>(FILE, SEED, RUNS);

    process.stdout.write(`      ${describeCounts(schedules, counts)}\n`);
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

function describeCounts(schedules: number, counts: Counts): string {
  const believed = kindsOfPage()
    .map((name) => `${name} ${counts[`believed ${name}`] ?? 0}`)
    .join(", ");
  const [steps, answers] = [countOf(counts, "step "), countOf(counts, "asked ")];
  return `from seed ${SEED}: ${schedules} runs, ${steps} steps, ${answers} answers. Believed: ${believed}`;
}

/** Every step, setup, story, state and kind has to happen, or the run says nothing about it. */
function unreached(counts: Counts): readonly string[] {
  const wanted = [
    ...ADVERSARY_STEPS.map((it) => `step ${it}`),
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
