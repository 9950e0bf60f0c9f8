import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { copySources } from "../support/workbench/pack-in-copy.ts";

describe("npm start", function () {
  this.timeout(240_000);
  let copy: string;

  before(() => {
    copy = copySources();
  });

  after(() => rmSync(copy, { recursive: true, force: true }));

  it("prints two addresses that answer, and ends both with Ctrl-C", async () => {
    const child = spawn("npm", ["start", "--", "--port", "0", "--chain-port", "0"], {
      cwd: copy,
      detached: true,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const ended = once(child, "exit");
    const urls: string[] = [];
    for await (const line of createInterface(child.stdout)) {
      const [, url] = /^(?:Workbench {2}|Local chain )(http:\S+)$/.exec(line) ?? [];
      if (url !== undefined) urls.push(url);
      if (urls.length === 2) break;
    }
    const [workbench = "", chain = ""] = urls;

    assert.equal((await fetch(workbench)).status, 200);
    const block = await fetch(`${chain}/wallet/getnowblock`, { method: "POST", body: "{}" });
    assert.ok(((await block.json()) as { blockID: string }).blockID.length === 64);

    process.kill(-(child.pid ?? 0), "SIGINT");
    await ended;
    await assert.rejects(fetch(chain));
  });
});
