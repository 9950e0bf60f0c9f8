import assert from "node:assert/strict";
import { join } from "node:path";
import { faultTypes } from "../../packages/local-chain/src/faults/fault-types.ts";
import { type Schedule, STEP_KINDS } from "../support/model/schedule.ts";
import { howOften } from "../support/random/how-often.ts";
import { type Counts, countOf, playInProcesses } from "../support/random/random-run.ts";
import { POINTS } from "../support/simulated-host/machine.ts";
import { intentKinds } from "../support/tracking/intents.ts";

/** Another seed finds other things: FINALITY_MODEL_SEED. */
const SEED = Number(process.env.FINALITY_MODEL_SEED ?? 2026);
/** So many reach everything; fewer say nothing about what they did not reach. `npm run model` plays them. */
const ENOUGH = 20_000;
const SCHEDULES = Number(process.env.FINALITY_MODEL_SCHEDULES ?? howOften(500, ENOUGH));
const FILE = join(import.meta.dirname, "../support/model/run-schedules.ts");
/** No estimate is asked for here, and no code runs long. */
const ELSEWHERE = ["estimate-off", "constant-calls-off", "code-ended"];
const STATES = ["unknown", "pending", "included", "solidified", "rejected", "proven-absent", "replaced", "signed"];

describe("the product under random schedules", () => {
  it("sends nothing twice, loses nothing, says nothing that the chain denies, and resolves every unknown", async function () {
    this.timeout(0);

    const { schedules, counts } = await playInProcesses<Schedule>(FILE, SEED, SCHEDULES);

    process.stdout.write(`      from seed ${SEED}: ${schedules} schedules, ${countOf(counts, "step ")} steps\n`);
    assert.ok(schedules >= SCHEDULES, `${schedules} schedules`);
    if (SCHEDULES >= ENOUGH) assert.deepEqual(unreached(counts), [], "what no schedule has reached");
  });
});

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
