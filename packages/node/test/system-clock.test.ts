import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { sleepOn, systemClock } from "../src/system-clock.ts";

const MODULE = pathToFileURL(join(import.meta.dirname, "../src/system-clock.ts")).href;

describe("systemClock", () => {
  it("does not keep the process alive", () => {
    const program = `import { systemClock } from "${MODULE}"; void systemClock.sleep(3_600_000);`;

    const { status, signal } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      timeout: 20_000,
    });

    assert.deepEqual({ status, signal }, { status: 0, signal: null });
  }).timeout(30_000);

  it("T2: never sleeps too short, also beyond Node's longest timer", async () => {
    const LONGEST = 2 ** 31 - 1;
    const timersOf = async (ms: number): Promise<readonly number[]> => {
      const timers: number[] = [];
      await sleepOn(async (each) => {
        timers.push(each);
      })(ms);
      return timers;
    };

    for (const ms of [-1, -Infinity, 0, 1, 0.5, 1.5, 3_000, LONGEST, LONGEST + 1, 30 * 86_400_000, 400 * 86_400_000]) {
      const timers = await timersOf(ms);
      // A timer above the longest fires at once, and Node cuts fractions off.
      assert.ok(
        timers.every((it) => it <= LONGEST && Number.isInteger(it)),
        `${ms}: ${timers.join(", ")}`,
      );
      assert.ok(timers.reduce((sum, it) => sum + it, 0) >= ms, `${ms}: ${timers.join(", ")}`);
    }
  });

  it("T2: sleeps without limit until the signal aborts, and rejects NaN", async () => {
    const closing = new AbortController();
    let timers = 0;
    const sleep = sleepOn(async (_ms, signal) => {
      timers++;
      if (timers === 500) closing.abort(new Error("Enough."));
      signal?.throwIfAborted();
    });

    await assert.rejects(sleep(Infinity, closing.signal), /Enough/);
    assert.equal(timers, 500);
    await assert.rejects(systemClock.sleep(Number.NaN), RangeError);
  });

  it("rejects with the reason of the signal", async () => {
    const reason = new Error("Enough.");
    const closing = new AbortController();
    const sleep = systemClock.sleep(3_600_000, closing.signal);
    closing.abort(reason);

    await assert.rejects(sleep, reason);
    await assert.rejects(systemClock.sleep(0, closing.signal), reason);
  });
});
