import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepareOutput } from "../../scripts/testing/step.mjs";
import { runsSideBySide } from "../../scripts/testing/suites.mjs";

/**
 * Stands in for the program that runs integration tests. The first test of its first run fails, and then the program
 * ends like a crashed host if the environment asks for that.
 */
const PROGRAM = `
import { appendFileSync } from "node:fs";
const summary = process.env.FINALITY_TEST_SUMMARY;
const write = (line) => appendFileSync(summary, JSON.stringify(line) + "\\n");
const isFirst = !summary.endsWith(" again.jsonl");
process.argv.slice(2).forEach((name, index) => {
  const test = { file: "/test/integration/" + name, title: name };
  const fails = isFirst && index === 0;
  write({ outcome: "running", ...test });
  write({ outcome: fails ? "failed" : "passed", ...test });
  if (fails && process.env.CRASHES === "1") process.exit(1);
});
write({ outcome: "ended" });
`;

describe("the runner of hosted tests", () => {
  const { error } = console;
  let root = "";

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "runner-"));
    mkdirSync(join(root, "test", "integration"), { recursive: true });
    writeFileSync(join(root, "package.json"), '{ "type": "module" }');
    writeFileSync(join(root, "test", "integration", "run.ts"), PROGRAM);
    for (const name of ["a", "b", "c", "d", "e", "f"])
      writeFileSync(join(root, "test", "integration", `${name}.test.ts`), "");
    prepareOutput(root);
    // The failures of this program are not those of the suite.
    console.error = () => undefined;
  });

  afterEach(() => {
    console.error = error;
    delete process.env.CRASHES;
    rmSync(root, { recursive: true, force: true });
  });

  /** Returns the numbers of passed and failed tests of the first run, which has two files, and of its repetition. */
  async function counted(): Promise<readonly number[]> {
    const { lanes, repeats } = runsSideBySide(root, { only: ["integration"], isPacked: Promise.resolve(true) });
    const counts: number[] = [];
    for (const lane of lanes) {
      for await (const { run } of lane) {
        for (const { passed, failed } of [await run(), ...(await Promise.all(repeats.map((it) => it.run())))]) {
          counts.push(passed, failed);
        }
        return counts;
      }
    }
    return counts;
  }

  it("repeats a file that fails when all have run, and counts every test once", async () => {
    assert.deepEqual(await counted(), [1, 0, 1, 0]);
  });

  it("repeats all files of a run that was cut off, so that no test is left out", async () => {
    process.env.CRASHES = "1";

    assert.deepEqual(await counted(), [0, 0, 2, 0]);
  });
});
