import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { join } from "node:path";
import { runsSideBySide, SHARED_WORKBENCHES, SLOWEST_FIRST } from "../../scripts/testing/suites.mjs";

const root = join(import.meta.dirname, "..", "..");

/** The names of all runs, as they are taken in turn. */
async function namesOf(only: readonly string[] | undefined, isPacked: boolean): Promise<readonly string[]> {
  const names: string[] = [];
  for (const runs of runsSideBySide(root, { ...(only && { only }), isPacked: Promise.resolve(isPacked) }))
    for await (const { name } of runs) names.push(name);
  return names;
}

describe("the runs of npm test", () => {
  it("are one for each file of the browser suite, the slowest first", async () => {
    const files = globSync("*.test.ts", { cwd: join(root, "test/browser") });

    const names = await namesOf(["browser"], true);

    const run = names.flatMap((it) => it.replace("browser ", "").split(" + "));
    assert.deepEqual(run.sort(), files.map((it) => it.replace(".test.ts", "")).sort());
    assert.deepEqual(
      names.slice(0, SLOWEST_FIRST.length).map((it) => it.split(" + ")[0]),
      SLOWEST_FIRST.map((it) => `browser ${it}`),
    );
  });

  it("are one for the files that share a workbench, in their order", async () => {
    const names = await namesOf(["browser"], true);

    const missing = SHARED_WORKBENCHES.map((it) => `browser ${it.join(" + ")}`).filter((it) => !names.includes(it));
    assert.deepEqual(missing, []);
  });

  it("know no slow file that is gone", () => {
    const gone = SLOWEST_FIRST.filter((it) => !existsSync(join(root, "test/browser", `${it}.test.ts`)));
    assert.deepEqual(gone, []);
  });

  it("are without a package those that need none", async () => {
    assert.deepEqual(await namesOf(undefined, false), ["unit + rules + conformance + architecture + peers", "model"]);
  });

  it("begin without waiting for the package where they need none", async () => {
    const last = runsSideBySide(root, { only: ["model", "browser"], isPacked: new Promise(() => undefined) }).at(-1);

    const { value } = (await last?.[Symbol.asyncIterator]().next()) ?? {};

    assert.equal(value?.name, "model");
  });

  it("are taken by the next free lane if they need a workbench, and by one lane of their own if not", async () => {
    const turns = runsSideBySide(root, { only: ["model", "integration"], isPacked: Promise.resolve(true) });
    const names: string[][] = turns.map(() => []);
    for (let round = 0; round < 2; round++)
      for (const [at, turn] of turns.entries()) {
        const { value } = await turn[Symbol.asyncIterator]().next();
        if (value !== undefined) names[at]?.push(value.name);
      }

    assert.deepEqual(names, [["integration 1"], ["integration 2"], ["integration 3"], ["model"]]);
  });
});
