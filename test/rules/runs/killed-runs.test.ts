import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { CommandChain } from "../../../packages/cli/test/support/chain.ts";
import type { ChainId } from "../../../packages/client/src/gateway/network.ts";
import { FileRunStore } from "../../../packages/node/src/runs/file-run-store.ts";
import { systemClock } from "../../../packages/node/src/system-clock.ts";
import { parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { newRun } from "../../support/runs/run-fixture.ts";
import { KILL_STEPS, type RunProcessOptions } from "../../support/runs/run-process.ts";

const program = join(import.meta.dirname, "../../support/runs/run-process.ts");
const ROWS = 12;
/** Recipients that the chain does not have: their balance is the sum of their payments. */
const recipient = (row: number) => parseAddress(`41${row.toString(16).padStart(40, "5")}`);

describe("a run whose process is killed", () => {
  let chain: CommandChain;
  let folder: string;

  beforeEach(async () => {
    chain = await CommandChain.start();
    folder = mkdtempSync(join(tmpdir(), "finality-killed-"));
  });

  afterEach(async () => {
    await chain.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a process to its end. Returns the signal that ended it, and its output. */
  async function execute(change: Partial<RunProcessOptions>) {
    const options = {
      ...{ folder, url: chain.chain.baseUrl, run: newRun().id, key: chain.privateKey(0), concurrency: 2 },
      ...change,
    };
    const child = spawn(process.execPath, [program, JSON.stringify(options)], { stdio: ["ignore", "pipe", "pipe"] });
    const output = Promise.all([text(child.stdout), text(child.stderr)]);
    const closed = once(child, "close").then(() => true);
    for (let isDone = false; !isDone; isDone = await Promise.race([closed, wait(100, false)]))
      await chain.post("/local/mine", { blocks: 3 });
    return { signal: child.signalCode, output: (await output).join("") };
  }

  it("pays each row once, whatever step it was killed after", async function () {
    this.timeout(150_000);
    const store = new FileRunStore(folder, systemClock);
    const { blockID } = await chain.post("/wallet/getblockbynum", { num: 0 });
    const owner = chain.address(0);
    const network = { network: "test", chain: String(blockID) as ChainId };
    const rows = Array.from({ length: ROWS }, (_, row) => ({
      ...{ row: row + 1, key: `key ${row}` },
      intent: { kind: "transfer" as const, owner, to: recipient(row), amount: sun(1_000_000n) },
    }));
    await store.create(newRun({ network, owner }), rows);
    await store.close();

    for (const killAfter of KILL_STEPS) {
      const { signal, output } = await execute({ killAfter });
      assert.equal(signal, "SIGKILL", `${killAfter}: ${output}`);
    }
    const { output } = await execute({});

    assert.match(output, /"kind":"finished"/);
    for (let row = 0; row < ROWS; row++) {
      const { balance = 0 } = await chain.post("/wallet/getaccount", { address: recipient(row) });
      assert.equal(balance, 1_000_000, `row ${row + 1}`);
    }
  });
});
