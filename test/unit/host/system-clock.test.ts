import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { systemClock } from "../../../src/host/system-clock.ts";

const MODULE = pathToFileURL(join(import.meta.dirname, "../../../src/host/system-clock.ts")).href;

describe("the clock of this computer", () => {
  it("keeps no process alive by somebody who sleeps", () => {
    const program = `import { systemClock } from "${MODULE}"; void systemClock.sleep(3_600_000);`;

    const { status, signal } = spawnSync(process.execPath, ["--input-type=module", "--eval", program], {
      timeout: 20_000,
    });

    assert.deepEqual({ status, signal }, { status: 0, signal: null });
  }).timeout(30_000);

  it("ends a sleep with the reason of its signal, also one that aborted before", async () => {
    const reason = new Error("Enough.");
    const closing = new AbortController();
    const sleep = systemClock.sleep(3_600_000, closing.signal);
    closing.abort(reason);

    await assert.rejects(sleep, reason);
    await assert.rejects(systemClock.sleep(0, closing.signal), reason);
  });
});
