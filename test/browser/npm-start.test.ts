import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { copySources } from "../support/workbench/pack-in-copy.ts";

describe("npm start", function () {
  this.timeout(240_000);
  let child: ChildProcess | undefined;
  let copy: string;

  before(() => {
    copy = copySources();
  });

  after(() => {
    signal("SIGKILL");
    rmSync(copy, { recursive: true, force: true });
  });

  /** To all that was started; who has ended hears nothing. */
  function signal(name: NodeJS.Signals): void {
    if (child?.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, name);
  }

  it("prints two addresses that answer, and ends both with Ctrl-C", async () => {
    const started = spawn("npm", ["start", "--", "--port", "0", "--chain-port", "0"], {
      cwd: copy,
      detached: true,
      stdio: ["ignore", "pipe", "inherit"],
    });
    child = started;
    const ended = once(started, "exit");
    const urls: string[] = [];
    for await (const line of createInterface(started.stdout)) {
      const [, url] = /^(?:Workbench {2}|Local chain )(http:\S+)$/.exec(line) ?? [];
      if (url !== undefined) urls.push(url);
      if (urls.length === 2) break;
    }
    const [workbench = "", chain = ""] = urls;
    assert.equal(urls.length, 2, "it ended without saying where it answers");

    assert.equal((await fetch(workbench)).status, 200);
    const block = await fetch(`${chain}/wallet/getnowblock`, { method: "POST", body: "{}" });
    assert.ok(((await block.json()) as { blockID: string }).blockID.length === 64);

    signal("SIGINT");
    await ended;
    await assert.rejects(fetch(workbench));
    await assert.rejects(fetch(chain));
  });
});
