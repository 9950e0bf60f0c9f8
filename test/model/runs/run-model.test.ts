import assert from "node:assert/strict";
import { join } from "node:path";
import { installTlc } from "../../../scripts/install/tlc.mjs";
import { howOften } from "../../support/random/how-often.ts";
import { type CheckedModel, checkModel, type ModelCheck } from "../../support/runs/tlc.ts";

const FILE = join(import.meta.dirname, "run.tla");
const INVARIANTS = ["NeverTwice", "NeverLost", "AttemptsAreProven"];
/** All states of 3 workers and 2 intents take ten minutes: `npm run model`. */
const INTENTS = howOften(1, 2);

/** Bugs of the specification with the promise that each breaks. The last two take longest. */
const BUGS: readonly (Partial<ModelCheck> & { readonly bug: string; readonly breaks: string })[] = [
  { bug: "no fencing", breaks: "NeverTwice", spare: 1 },
  { bug: "claim before commit", breaks: "Deadlock" },
  { bug: "expiry of keys", breaks: "NeverTwice" },
  { bug: "retry without proof", breaks: "NeverTwice" },
  { bug: "broadcast before commit", breaks: "NeverLost" },
  { bug: "lost acknowledgement taken as failure", breaks: "AttemptsAreProven", spare: 1 },
  { bug: "takeover signs anew", breaks: "NeverTwice" },
  { bug: "start is not checked", breaks: "NeverTwice", refusalPermits: true },
  { bug: "permission is not checked", breaks: "NeverTwice", refusalPermits: true },
];

describe("specification of runs, checked with TLC", function () {
  this.timeout(0);
  let jar: string;

  before(() => {
    jar = installTlc();
  });

  async function check(model: ModelCheck): Promise<CheckedModel> {
    const checked = await checkModel(jar, FILE, model);
    const { states, violated, trace } = checked;
    const size = `${model.workers} workers, ${model.intents} intents: ${states} states`;
    process.stdout.write(
      `        ${size}${violated === undefined ? ", all visited" : `, ${violated} broken by ${trace.join(" → ")}`}\n`,
    );
    return checked;
  }

  it("executes no intent twice, stores all bytes that were sent and repeats only what is proven, under every fault", async () => {
    const { violated, unvisited } = await check({ workers: 3, intents: INTENTS, invariants: INVARIANTS });

    assert.deepEqual({ violated, unvisited }, { violated: undefined, unvisited: 0 });
  });

  it("does so with retries after an explicit refusal, if the gateway refuses only what it did not take", async () => {
    const { violated, unvisited } = await check({
      ...{ workers: howOften(2, 3), intents: 1, refusalPermits: true },
      invariants: ["NeverTwice", "NeverLost"],
    });

    assert.deepEqual({ violated, unvisited }, { violated: undefined, unvisited: 0 });
  });

  it("pays twice after one false refusal, if a refusal permits a retry before the expiration", async () => {
    const { violated } = await check({
      ...{ workers: 2, intents: 1, refusalPermits: true, lies: true },
      invariants: ["NeverTwice"],
    });

    assert.equal(violated, "NeverTwice");
  });

  it("brings each row to its end if everything but faults happens eventually", async () => {
    const { violated, unvisited } = await check({
      workers: 2,
      intents: 1,
      faults: howOften(2, 4),
      properties: ["EachRowEnds"],
    });

    assert.deepEqual({ violated, unvisited }, { violated: undefined, unvisited: 0 });
  });

  for (const { bug, breaks, ...model } of BUGS.slice(0, howOften(-2, BUGS.length))) {
    it(`finds: ${bug}`, async () => {
      const invariants = breaks === "Deadlock" ? INVARIANTS : [breaks];
      const { violated } = await check({ workers: 2, intents: 1, ...model, bug, invariants });

      assert.equal(violated, breaks);
    });
  }
});
