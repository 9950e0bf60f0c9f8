import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "..", "..");

/** The module that a unit test mirrors by its path. */
const moduleOf = (test: string): string => test.replace(/^test\/unit\//, "src/").replace(/\.test\.ts$/, ".ts");

const withoutModule = (tests: readonly string[]): readonly string[] =>
  tests.filter((test) => !existsSync(join(root, moduleOf(test))));

describe("the tests of modules", () => {
  it("mirror a module each; a rule of several modules lies in test/rules", () => {
    const tests = globSync("test/unit/**/*.test.ts", { cwd: root });

    assert.ok(tests.length > 100, `only ${tests.length} tests were seen`);
    assert.deepEqual(withoutModule(tests), []);
  });

  it("are noticed when their module has another name", () => {
    const [known, unknown] = ["test/unit/core/retry/judge.test.ts", "test/unit/core/retry/judges.test.ts"];

    assert.deepEqual(withoutModule([known, unknown]), [unknown]);
  });
});
