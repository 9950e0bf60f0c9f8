import assert from "node:assert/strict";
import { bugs } from "../support/adversary/bugs.ts";
import { runAdversaries } from "../support/adversary/run-adversaries.ts";

/** Maximum number of runs that reveal a bug. */
const RUNS = 2_000;
const SEED = 1;

describe("adversarial runs with a deliberate bug", () => {
  for (const { name, promise, seed = SEED, ...mistake } of bugs) {
    it(`finds: ${name}`, async function () {
      this.timeout(0);

      const { broken, schedules } = await runAdversaries({ seed, schedules: RUNS, mistake, shrink: false });

      process.stdout.write(`        "${broken?.promise}" after ${schedules} runs\n`);
      assert.ok(promise.includes(broken?.promise ?? ""), `${name} broke ${broken?.promise}: ${broken?.message}`);
    });
  }
});
