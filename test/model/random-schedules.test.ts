import assert from "node:assert/strict";
import { join } from "node:path";
import { faultTypes } from "../../packages/local-chain/src/faults/fault-types.ts";
import { type Schedule, STEP_KINDS } from "../support/model/schedule.ts";
import { howOften } from "../support/random/how-often.ts";
import { type Counts, countOf, playInProcesses } from "../support/random/random-run.ts";
import { POINTS } from "../support/simulated-host/machine.ts";
import { intentKinds } from "../support/tracking/intents.ts";

/** FINALITY_MODEL_SEED sets another seed. */
const SEED = Number(process.env.FINALITY_MODEL_SEED ?? 2026);
/** Number of schedules from which everything has to be reached, as under `npm run model`. */
const ENOUGH = 20_000;
const SCHEDULES = Number(process.env.FINALITY_MODEL_SCHEDULES ?? howOften(250, ENOUGH));
const FILE = join(import.meta.dirname, "../support/model/run-schedules.ts");
/** Faults of estimates and of long code, which no schedule uses. */
const UNUSED_FAULTS = ["estimate-off", "constant-calls-off", "code-ended"];
const STATES = ["unknown", "pending", "included", "solidified", "rejected", "proven-absent", "replaced", "signed"];

describe("transaction service under random schedules", () => {
  it("sends nothing twice, loses nothing, shows only states that match the chain and resolves every unknown transaction", async function () {
    this.timeout(0);

    const { schedules, counts } = await playInProcesses<Schedule>(FILE, SEED, SCHEDULES);

    process.stdout.write(`      from seed ${SEED}: ${schedules} schedules, ${countOf(counts, "step ")} steps\n`);
    assert.ok(schedules >= SCHEDULES, `${schedules} schedules`);
    if (SCHEDULES >= ENOUGH) assert.deepEqual(unreached(counts), [], "not reached by any schedule");
  });
});

/** Returns the steps, states, faults and crash points that no schedule reached. */
function unreached(counts: Counts): readonly string[] {
  const faults = faultTypes.map(({ name }) => name).filter((name) => !UNUSED_FAULTS.includes(name));
  const expected = [
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
  return expected.filter((name) => (counts[name] ?? 0) === 0);
}
