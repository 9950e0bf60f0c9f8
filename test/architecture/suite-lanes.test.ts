import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { SLOWEST_FIRST, suiteLanes } from "../../scripts/testing/suites.mjs";

const root = join(import.meta.dirname, "..", "..");

/** The names of all runs, as lanes take them in turn. */
function namesOf(what: { readonly only?: readonly string[]; readonly isPacked: boolean }): readonly string[] {
  return suiteLanes(root, what).flatMap((lane) => [...lane].map(({ name }) => name));
}

describe("the lanes of npm test", () => {
  it("run each file of the browser suite once, the slowest first", () => {
    const files = globSync("*.test.ts", { cwd: join(root, "test/browser") });

    const names = namesOf({ only: ["browser"], isPacked: true });

    assert.deepEqual([...names].sort(), files.map((it) => `browser ${it.replace(".test.ts", "")}`).sort());
    assert.deepEqual(
      names.slice(0, SLOWEST_FIRST.length),
      SLOWEST_FIRST.map((it) => `browser ${it}`),
    );
  });

  it("know no slow file that is gone", () => {
    const gone = SLOWEST_FIRST.filter((it) => !existsSync(join(root, "test/browser", `${it}.test.ts`)));
    assert.deepEqual(gone, []);
  });

  it("run without a package what needs none", () => {
    assert.deepEqual(namesOf({ isPacked: false }), ["unit + rules + conformance + architecture + peers", "model"]);
  });

  it("let whoever has nothing left of its own take from the others", () => {
    const lanes = suiteLanes(root, { only: ["model", "integration"], isPacked: true });

    const [, , last = []] = lanes;

    assert.deepEqual(
      [...last].map(({ name }) => name),
      ["model", "integration 1", "integration 2", "integration 3"],
    );
  });
});
