import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";

const program = new URL("../src/main.ts", import.meta.url).pathname;
const SECRET = "5ec2e7".padEnd(64, "0");

describe("process of a chain in a folder", () => {
  let folder: string;
  let children: ChildProcess[];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "finality-process-"));
    children = [];
  });

  afterEach(() => {
    for (const child of children) child.kill("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });

  function run(...flags: readonly string[]) {
    const args = [program, "--block-time", "0", "--data", join(folder, "chain"), ...flags];
    const child = spawn(process.execPath, args, {
      stdio: ["pipe", "pipe", "pipe"],
      env: { ...process.env, NODE_COMPILE_CACHE: ".cache/compiled" },
    });
    children.push(child);
    return { child, exit: once(child, "exit"), errors: text(child.stderr) };
  }

  async function ready({
    child,
  }: ReturnType<typeof run>): Promise<{ readonly baseUrl: string; readonly proof: string }> {
    const [line] = await once(createInterface(child.stdout ?? assert.fail()), "line");
    return JSON.parse(String(line));
  }

  it("ends on request, and releases its folder", async () => {
    const chain = run();
    const { baseUrl } = await ready(chain);

    const answer = await fetch(`${baseUrl}/local/stop`, { method: "POST" });

    assert.deepEqual(await answer.json(), { stopping: true });
    assert.deepEqual(await chain.exit, [0, null]);
    assert.equal(existsSync(join(folder, "chain", "lock")), false);
  });

  it("ends with a code of its own if it cannot read the stored chain, and with another one otherwise", async () => {
    const first = run();
    const { baseUrl } = await ready(first);
    await fetch(`${baseUrl}/local/stop`, { method: "POST" });
    await first.exit;
    assert.deepEqual(await run("--accounts", "none").exit, [1, null], "a wrong flag");
    assert.deepEqual(await run("--witnesses", "3").exit, [65, null], "a chain with another setup");

    writeFileSync(join(folder, "chain", "state-1"), "damaged");
    const damaged = run();

    assert.deepEqual(await damaged.exit, [65, null]);
    assert.match(await damaged.errors, /state-1 is damaged/);
  });

  it("ends when its lease is over", async () => {
    const chain = run("--lease", "600");
    await ready(chain);

    assert.deepEqual(await chain.exit, [0, null]);
  });

  it("takes its secret from the first line of input", async () => {
    const chain = run("--proof-from-input");
    chain.child.stdin?.end(`${SECRET}\n`);

    assert.equal((await ready(chain)).proof, SECRET);
  });

  it("refuses an invalid secret, which no message contains", async () => {
    const chain = run("--proof-from-input");
    chain.child.stdin?.end("5EC2E7\n");

    assert.deepEqual(await chain.exit, [1, null]);
    const errors = await chain.errors;
    assert.match(errors, /32 bytes in hex/);
    assert.ok(!errors.includes("5EC2E7"));
  });

  it("refuses a folder in use, with the URL of the chain that uses it", async () => {
    const first = run();
    const { baseUrl } = await ready(first);

    const second = run();

    assert.deepEqual(await second.exit, [1, null]);
    const errors = await second.errors;
    assert.ok(errors.includes(`its chain answers at ${baseUrl}`), errors);
  });
});
