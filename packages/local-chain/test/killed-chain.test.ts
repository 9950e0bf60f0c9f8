import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { howOften } from "../../../test/support/random/how-often.ts";

const program = new URL("../src/main.ts", import.meta.url).pathname;
const RECIPIENT = "41ab8dfe5fb694a42f8d6bdf2aef4613a7d5c68f63";
const MAX_RUNNING_MS = 250;

interface Running {
  readonly child: ChildProcess;
  ask(path: string, body: object): Promise<Record<string, never>>;
}

/** Starts a chain in its own process, which stores its data in the folder. */
async function start(folder: string): Promise<Running> {
  const child = spawn(process.execPath, [program, "--block-time", "0", "--data", folder], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_COMPILE_CACHE: ".cache/compiled" },
  });
  assert.ok(child.stdout);
  const [line] = (await once(createInterface(child.stdout), "line")) as [string];
  const { baseUrl } = JSON.parse(line) as { baseUrl: string };
  return {
    child,
    ask: async (path, body) => {
      const answer = await fetch(`${baseUrl}${path}`, { method: "POST", body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, never>;
    },
  };
}

/** Sends payments of one coin, each in its own block, until the chain is killed. @returns the number of confirmed ones */
async function payUntilKilled({ ask }: Running): Promise<number> {
  for (let confirmed = 0; ; confirmed += 1) {
    const answer = await ask("/local/fund", { address: RECIPIENT, amount: 1 }).catch(() => undefined);
    if (answer === undefined) return confirmed;
    assert.ok(answer.txID, `${JSON.stringify(answer)} confirms nothing`);
  }
}

describe("stored chain", () => {
  const rounds = howOften(1, 20);
  it(`loses no confirmed payment when it is killed ${rounds} times`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "finality-killed-"));
    let [confirmed, sent] = [0, 0];
    let last: ChildProcess | undefined;
    try {
      for (let round = 0; round <= rounds; round += 1) {
        const chain = await start(folder);
        last = chain.child;
        const { balance = 0 } = await chain.ask("/wallet/getaccount", { address: RECIPIENT });
        assert.ok(
          balance >= confirmed && balance <= sent,
          `${balance} coins, of ${confirmed} confirmed and ${sent} sent`,
        );
        const kill = setTimeout(() => chain.child.kill("SIGKILL"), Math.random() * MAX_RUNNING_MS);
        const ended = once(chain.child, "exit");
        const more = await payUntilKilled(chain);
        await ended;
        clearTimeout(kill);
        confirmed = balance + more;
        sent = confirmed + 1;
      }
      assert.ok(confirmed > 0, "no payment was confirmed");
    } finally {
      last?.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    }
  }).timeout(rounds * 30_000);
});
