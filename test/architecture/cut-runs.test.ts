import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSummary } from "../../scripts/testing/step.mjs";

const root = join(import.meta.dirname, "..", "..");
const FILE = `describe("a suite", () => {
  it("goes well", () => {});
  it("fails", () => { throw new Error("on purpose"); });
  it("goes on and on", (done) => { setTimeout(done, HANGS); });
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
    const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
    const reporter = join(root, "scripts", "testing", "summary-reporter.cjs");
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
});
