import { readFileSync } from "node:fs";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { sampleNumber } from "./sample.mjs";

const { seed, share } = JSON.parse(process.env.FINALITY_MUTATION_SAMPLE ?? "{}");

/** A checker of Stryker that lets a sample of the mutants pass; Stryker runs no other. */
class SampleChecker {
  async init() {}

  /** @param {import("@stryker-mutator/api/core").Mutant[]} mutants */
  async group(mutants) {
    return [mutants.map(({ id }) => id)];
  }

  /** @param {import("@stryker-mutator/api/core").Mutant[]} mutants */
  async check(mutants) {
    const sources = new Map(mutants.map(({ fileName }) => [fileName, readFileSync(fileName, "utf8").split("\n")]));
    return Object.fromEntries(
      mutants.map((mutant) => {
        const isDrawn = sampleNumber(seed, mutant, sources.get(mutant.fileName) ?? []) < share;
        return [mutant.id, isDrawn ? { status: "passed" } : { status: "compileError", reason: "not in the sample" }];
      }),
    );
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Checker, "sample", SampleChecker)];
