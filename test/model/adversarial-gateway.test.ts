import assert from "node:assert/strict";
import { join } from "node:path";
import { documentedForgeries } from "../support/adversary/accepted-forgeries.ts";
import { ADVERSARY_STEPS, type AdversarySchedule } from "../support/adversary/adversary-schedule.ts";
import { SETUPS } from "../support/adversary/adversary-simulation.ts";
import { BROADCASTS, SEALS } from "../support/adversary/behavior.ts";
import { howOften } from "../support/random/how-often.ts";
import { type Counts, countOf, playInProcesses } from "../support/random/random-run.ts";

/** FINALITY_MODEL_SEED sets another seed. */
const SEED = Number(process.env.FINALITY_MODEL_SEED ?? 2027);
const RUNS = Number(process.env.FINALITY_MODEL_ADVERSARIES ?? howOften(75, 20_000));
/** Number of runs from which everything has to be reached; `npm run model` plays 20,000. */
const ENOUGH = 2_500;
const FILE = join(import.meta.dirname, "../support/adversary/run-adversaries.ts");
const SIGNED = ["sendCoins", "transferTokens", "callContract", "stake", "createAccount"].map((it) => `finality.${it}`);

describe("extension before an adversarial gateway", () => {
  it("does nothing twice, signs only requested transactions, proves no false absence, loses nothing and accepts only the forgeries of security.md", async function () {
    this.timeout(0);

    const { schedules, counts } = await playInProcesses<AdversarySchedule>(FILE, SEED, RUNS);

    process.stdout.write(`      ${describeCounts(schedules, counts)}\n`);
    const accepted = Object.keys(counts).flatMap((name) => /^accepted (.*)/.exec(name)?.[1] ?? []);
    const known = documentedForgeries();
    assert.deepEqual(
      accepted.filter((it) => !known.includes(it)),
      [],
      "forgeries that docs/security.md does not list",
    );
    if (RUNS >= ENOUGH) assert.deepEqual(unreached(counts), [], "not reached by any run");
  });
});

function describeCounts(schedules: number, counts: Counts): string {
  const accepted = documentedForgeries()
    .map((name) => `${name} ${counts[`accepted ${name}`] ?? 0}`)
    .join(", ");
  const [steps, answers] = [countOf(counts, "step "), countOf(counts, "requested ")];
  return `from seed ${SEED}: ${schedules} runs, ${steps} steps, ${answers} answers. Accepted: ${accepted}`;
}

/** Returns the steps, setups, behaviors, states and forgeries that no run reached. */
function unreached(counts: Counts): readonly string[] {
  const expected = [
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
    ...documentedForgeries().map((name) => `accepted ${name}`),
  ];
  return expected.filter((name) => (counts[name] ?? 0) === 0);
}
