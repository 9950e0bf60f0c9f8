import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { installCompilers } from "../../scripts/install/on-demand.mjs";
import { type CompilerSetting, type PlantedRevert, plantedReverts } from "../support/traces/planted-reverts.ts";
import { plantedSituations } from "../support/traces/planted-situations.ts";
import { type PlantResult, runPlanted } from "../support/traces/run-planted.ts";

const isFull = process.env.FINALITY_RANDOM === "full";
const COMPILERS = join(import.meta.dirname, "../../scripts/compilers/node_modules");
const OWN = { version: "0.8.37", path: createRequire(import.meta.url).resolve("solc") };

/** Settings of a compiler: pipelines and optimizer. The pipeline through IR needs 0.8.13. */
function settingsOf(version: string): readonly CompilerSetting[] {
  const pipelines = version.startsWith("0.6.") ? [false] : [false, true];
  return pipelines.flatMap((isViaIr) => [false, true].map((isOptimized) => ({ version, isViaIr, isOptimized })));
}

/** Returns this many of the plants, spread over all, different ones for each setting. */
function share(plants: readonly PlantedRevert[], count: number, shift: number): readonly PlantedRevert[] {
  const step = plants.length / count;
  return Array.from({ length: count }, (_, at) => plants[Math.floor(at * step + shift) % plants.length]).flatMap(
    (it) => it ?? [],
  );
}

function describeMiss({ plant, setting, named, sites }: PlantResult): string {
  const { version, isViaIr, isOptimized } = setting;
  const how = `${version}${isViaIr ? " via IR" : ""}${isOptimized ? " optimized" : ""}`;
  return `${plant.name}, ${how}: ${named ?? "unknown"} instead of ${plant.line} (${sites?.cause ?? "no cause"})`;
}

describe("source lines of planted reverts", () => {
  const results: PlantResult[] = [];
  const situations: PlantResult[] = [];

  for (const [at, setting] of settingsOf(OWN.version).entries())
    it(`names them: ${setting.isViaIr ? "via IR" : "legacy"}, ${setting.isOptimized ? "optimized" : "not optimized"}`, async () => {
      const all = plantedSituations();
      const reported = isFull ? all : share(all, 7, at * 2);
      const plants = [...share(plantedReverts(OWN.version), isFull ? 15 : 10, at), ...reported];
      const named = await runPlanted(plants, setting, OWN.path);
      for (const result of named) (reported.includes(result.plant) ? situations : results).push(result);
    }).timeout(300_000);

  for (const version of isFull ? ["0.6.12", "0.8.20", "0.8.35"] : [])
    for (const [at, setting] of settingsOf(version).entries())
      it(`names 50 more: ${version}, ${setting.isViaIr ? "via IR" : "legacy"}, ${setting.isOptimized ? "optimized" : "not optimized"}`, async () => {
        await installCompilers();
        const compiler = join(COMPILERS, `solc-${version}`, "index.js");
        results.push(...(await runPlanted(share(plantedReverts(version), 50, at), setting, compiler)));
      }).timeout(1_200_000);

  it("never names a wrong line, and rarely none", () => {
    const all = [...results, ...situations];
    assert.deepEqual(all.filter(({ sites }) => sites === undefined).map(describeMiss), []);
    const wrong = all.filter(({ plant, named }) => named !== undefined && named !== plant.line);
    assert.deepEqual(wrong.map(describeMiss), []);
    const unknown = results.filter(({ named }) => named === undefined);
    // In a small share, one line is more than a hundredth.
    assert.ok(unknown.length <= Math.max(results.length / 100, isFull ? 0 : 3), unknown.map(describeMiss).join("\n"));
    const right = results.length - unknown.length;
    // Optimizers leave no trace of some of these lines.
    const unknownSituations = situations.filter(({ named }) => named === undefined);
    assert.ok(unknownSituations.length <= situations.length / 8, unknownSituations.map(describeMiss).join("\n"));
    process.stdout.write(
      `      reported situations: ${situations.length - unknownSituations.length} of ${situations.length} right, 0 wrong\n` +
        `      planted reverts: ${right} of ${results.length} right, 0 wrong, ${unknown.length} unknown\n`,
    );
  });
});
