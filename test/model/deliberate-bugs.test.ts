import assert from "node:assert/strict";
import { bugs } from "../support/model/bugs.ts";
import { runSchedules } from "../support/model/run-schedules.ts";

/** Maximum number of schedules that reveal a bug. */
const SCHEDULES = 2_000;
const SEED = 1;

describe("random schedules with a deliberate bug", () => {
  for (const { name, promise, seed = SEED, path = "0", ...mistake } of bugs) {
    it(`finds: ${name}`, async function () {
      this.timeout(0);

      const { broken, schedules } = await runSchedules({ seed, path, schedules: SCHEDULES, mistake, shrink: false });

      process.stdout.write(`        "${broken?.promise}" after ${schedules} schedules\n`);
      assert.ok(promise.includes(broken?.promise ?? ""), `${name} broke ${broken?.promise}: ${broken?.message}`);
    });
  }
});
