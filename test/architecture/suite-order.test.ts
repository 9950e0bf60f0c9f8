import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { runsSideBySide, SHARED_WORKBENCHES, SLOWEST_FIRST } from "../../scripts/testing/suites.mjs";

const root = join(import.meta.dirname, "..", "..");

/** The names of all runs, as they are taken in turn. */
function namesOf(what: { readonly only?: readonly string[]; readonly isPacked: boolean }): readonly string[] {
  return runsSideBySide(root, what).flatMap((runs) => [...runs].map(({ name }) => name));
}

describe("the runs of npm test", () => {
  it("are one for each file of the browser suite, the slowest first", () => {
    const files = globSync("*.test.ts", { cwd: join(root, "test/browser") });

    const names = namesOf({ only: ["browser"], isPacked: true });

    const run = names.flatMap((it) => it.replace("browser ", "").split(" + "));
    assert.deepEqual(run.sort(), files.map((it) => it.replace(".test.ts", "")).sort());
    assert.deepEqual(
      names.slice(0, SLOWEST_FIRST.length),
      SLOWEST_FIRST.map((it) => `browser ${it}`),
    );
  });

  it("are one for the files that share a workbench, in their order", () => {
    const names = namesOf({ only: ["browser"], isPacked: true });

    const missing = SHARED_WORKBENCHES.map((it) => `browser ${it.join(" + ")}`).filter((it) => !names.includes(it));
    assert.deepEqual(missing, []);
  });

  it("know no slow file that is gone", () => {
    const gone = SLOWEST_FIRST.filter((it) => !existsSync(join(root, "test/browser", `${it}.test.ts`)));
    assert.deepEqual(gone, []);
  });

  it("are without a package those that need none", () => {
    assert.deepEqual(namesOf({ isPacked: false }), ["unit + rules + conformance + architecture + peers", "model"]);
  });

  it("are taken from the others by whoever has nothing left of its own", () => {
    const rows = runsSideBySide(root, { only: ["model", "integration"], isPacked: true });

    const [, , last = []] = rows;

    assert.deepEqual(
      [...last].map(({ name }) => name),
      ["model", "integration 1", "integration 2", "integration 3"],
    );
  });
});
