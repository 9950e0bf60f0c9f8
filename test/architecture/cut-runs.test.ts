import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareOutput, readSummary, runTests } from "../../scripts/testing/step.mjs";

const root = join(import.meta.dirname, "..", "..");
const reporter = join(root, "scripts", "testing", "summary-reporter.cjs");
const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
const FILE = `describe("a suite", () => {
  it("goes well", () => {});
  it("fails", () => { throw new Error("on purpose"); });
  it("goes on and on", (done) => { setTimeout(done, HANGS); });
});`;

const LEAVES_A_SERVER = `describe("a suite", () => {
  it("goes well", (done) => { require("node:net").createServer().listen(0, "127.0.0.1", done); });
});`;

describe("a run of tests", () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "finality-cut-"));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs three tests; `hangs` is how long the last one takes, ms. */
  function start(hangs: number) {
    const file = join(folder, "three.test.cjs");
    writeFileSync(file, FILE.replace("HANGS", String(hangs)));
    const summary = join(folder, "summary.jsonl");
    const child = spawn(process.execPath, [mocha, "--no-config", "--timeout", "0", "--reporter", reporter, file], {
      env: { ...process.env, FINALITY_TEST_SUMMARY: summary },
      stdio: ["ignore", "pipe", "ignore"],
    });
    return { child, summary };
  }

  it("that is cut off tells what was running, and what had passed and failed until then", async () => {
    const { child, summary } = start(600_000);
    const exited = once(child, "exit");
    // The failure is printed when it happens, and the next test begins right after it.
    for await (const bytes of child.stdout) {
      if (String(bytes).includes("1) fails")) break;
    }
    while (readSummary(summary).running?.title !== "a suite goes on and on") await new Promise(setImmediate);
    child.kill("SIGKILL");
    await exited;

    const { tests, running } = readSummary(summary);

    assert.equal(running?.title, "a suite goes on and on");
    assert.deepEqual(
      tests.map(({ outcome, title }) => [outcome, title]),
      [
        ["passed", "a suite goes well"],
        ["failed", "a suite fails"],
      ],
    );
    assert.match(tests[1]?.trouble ?? "", /on purpose/);
  });

  it("that came to its end names nothing as running", async () => {
    const { child, summary } = start(0);
    child.stdout.resume();
    await once(child, "exit");

    const { tests, running } = readSummary(summary);

    assert.equal(running, undefined);
    assert.deepEqual(
      tests.map(({ outcome }) => outcome),
      ["passed", "failed", "passed"],
    );
  });

  it("that goes on after its last test is ended, and has failed", async () => {
    const file = join(folder, "test", "unit", "left.test.cjs");
    mkdirSync(join(folder, "test", "unit"), { recursive: true });
    writeFileSync(file, LEAVES_A_SERVER);
    prepareOutput(folder);

    const args = [mocha, "--no-config", "--reporter", reporter, file];
    const { passed, failed } = await runTests(folder, { name: "left", suites: ["unit"], args, endingMs: 0 });

    assert.deepEqual([passed, failed], [1, 1]);
  });
});
