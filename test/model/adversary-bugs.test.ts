import assert from "node:assert/strict";
import { bugs } from "../support/adversary/bugs.ts";
import { runAdversaries } from "../support/adversary/run-adversaries.ts";

/** A bug that is in the product has to show within so many runs. */
const RUNS = 2_000;
const SEED = 1;

describe("a deliberate bug that an adversarial gateway can use", () => {
  for (const { name, promise, seed = SEED, ...mistake } of bugs) {
    it(`is caught: ${name}`, async function () {
      this.timeout(0);

      const { broken, schedules } = await runAdversaries({ seed, schedules: RUNS, mistake, shrink: false });

      process.stdout.write(`        "${broken?.promise}" after ${schedules} runs\n`);
      assert.ok(promise.includes(broken?.promise ?? ""), `${name} broke ${broken?.promise}: ${broken?.message}`);
    });
  }
});
