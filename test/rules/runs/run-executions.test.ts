import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FileRunStore } from "../../../packages/node/src/runs/file-run-store.ts";
import { systemClock } from "../../../packages/node/src/system-clock.ts";
import type { RunExecutionServices, RunExecutions } from "../../../src/sending/run-executions.ts";
import { loadRunExecutions } from "../../support/simulated-host/load-sources.ts";

const RUN = "0123456789abcdef0123456789abcdef";

describe("RunExecutions", () => {
  const folder = mkdtempSync(join(tmpdir(), "fin-executions-"));
  const services = {
    folder,
    clock: systemClock,
    chains: { networkRefOf: async () => ({}) },
    gatewayFor: async () => ({}),
    transactions: { ready: async () => Promise.reject(new Error("The journal is locked.")) },
    log: console,
  } as unknown as RunExecutionServices;
  type Execute = Parameters<RunExecutions["execute"]>;

  after(() => rmSync(folder, { recursive: true, force: true }));

  it("releases a run that cannot be started, so that it can be started again", async () => {
    const executions = new (await loadRunExecutions())(services);
    const other = new FileRunStore(folder, systemClock);
    try {
      await assert.rejects(executions.execute({ id: RUN } as Execute[0], {} as Execute[1], {} as Execute[2]));

      assert.equal(await other.isHeld(RUN), false);
    } finally {
      await other.close();
      await executions.close();
    }
  });
});
