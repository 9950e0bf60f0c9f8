// `npm run mutation [-- --seed 29 --share 0.05 --jobs 1 --at COMMIT --mutate FILES --tests FILES]`: changes a sample of the expressions
// of the code that must never pay twice and never lose a transaction, runs the tests of each, and prints the share of the
// changes that a test notices. It works on a copy in .cache/mutation. About 15 minutes on one core.

import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endChildrenOnSignals, startChild } from "./children.mjs";
import { installStryker } from "./install/on-demand.mjs";

const CLIENT = "{estimates,incoming,journal,proof,retry,tracking}";
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "29" },
    share: { type: "string", default: "0.05" },
    jobs: { type: "string", default: "1" },
    at: { type: "string" },
    mutate: {
      type: "string",
      multiple: true,
      default: [
        `packages/client/src/${CLIENT}/**/*.ts`,
        "packages/client/src/tokens.ts",
        "packages/tron/src/transaction/*.ts",
      ],
    },
    tests: {
      type: "string",
      multiple: true,
      default: [
        "packages/tron/test/transaction/**/*.test.ts",
        "packages/client/test/{estimates,incoming,journal,proof,retry,tracking,transaction-state}/**/*.test.ts",
        "packages/client/test/tokens.test.ts",
      ],
    },
  },
});
/**
 * Tests that change the source text themselves find no text in instrumented code, and random tests take too long for each
 * mutant. Several titles are given as they are now and as they were at 5afc153d.
 */
const LEFT_OUT = [
  "scanForAbsence with a mistake|a mistake in the scan",
  "a weakened verification|a verification that is less strict",
  "under random mutations|finds every mutation",
  "random programs with calls",
  "gets no signature for a changed",
  "\\(seed \\d+\\)",
  "counts each payment once with at most 1\\.05 requests|counts each once, with at most 1\\.05 requests",
];

const root = join(import.meta.dirname, "..");
const tools = join(import.meta.dirname, "mutation");
const copy = join(root, ".cache", "mutation", values.at ?? "now");

endChildrenOnSignals();
await installStryker();
copyTo(copy, values.at ?? (git("stash", "create").trim() || "HEAD"));
writeFileSync(join(copy, "stryker.config.json"), JSON.stringify(strykerOptions(), undefined, 2));
const sample = { seed: Number(values.seed), share: Number(values.share) };
const env = { ...process.env, FINALITY_MUTATION_SAMPLE: JSON.stringify(sample) };
const stryker = join(tools, "node_modules", "@stryker-mutator", "core", "bin", "stryker.js");
const child = startChild(process.execPath, [stryker, "run", "stryker.config.json"], {
  cwd: copy,
  env,
  stdio: "inherit",
});
process.exitCode = await new Promise((resolve) => child.once("exit", (code) => resolve(code ?? 1)));
if (process.exitCode === 0) tellResults(JSON.parse(readFileSync(join(copy, "mutation.json"), "utf8")));

/** @param {...string} args */
function git(...args) {
  return execFileSync("git", args, { cwd: root, encoding: "utf8" });
}

/**
 * Writes the files of a commit to a folder in which packages and dependencies are found.
 *
 * @param {string} folder
 * @param {string} commit
 */
function copyTo(folder, commit) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "node_modules", "@finality"), { recursive: true });
  execFileSync("tar", ["-x", "-C", folder], {
    input: execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 2 ** 30 }),
  });
  const link = (/** @type {string} */ from, /** @type {string} */ name) =>
    symlinkSync(from, join(folder, "node_modules", name));
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!["@finality", "mocha"].includes(name)) link(join(root, "node_modules", name), name);
  }
  const packages = join(folder, "packages");
  for (const name of existsSync(packages) ? readdirSync(packages) : []) {
    if (existsSync(join(packages, name, "package.json"))) link(join(packages, name), join("@finality", name));
  }
  for (const name of ["mocha", "@stryker-mutator"]) link(join(tools, "node_modules", name), name);
}

function strykerOptions() {
  const runner = join(tools, "node_modules", "@stryker-mutator", "mocha-runner", "dist", "src", "index.js");
  writeFileSync(join(copy, ".mocharc.mutation.json"), JSON.stringify({ grep: `^(?!.*(?:${LEFT_OUT.join("|")}))` }));
  return {
    packageManager: "npm",
    testRunner: "mocha",
    plugins: [runner, join(tools, "sample-checker.mjs")],
    checkers: ["sample"],
    mutate: values.mutate,
    mochaOptions: {
      spec: values.tests,
      config: join(copy, ".mocharc.mutation.json"),
      require: [join(tools, "idle-tests.cjs")],
    },
    coverageAnalysis: "perTest",
    ignoreStatic: true,
    inPlace: true,
    disableTypeChecks: false,
    concurrency: Number(values.jobs),
    // A busy machine is no reason to call a mutant killed.
    timeoutMS: 60_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 120,
    reporters: ["json", "progress-append-only"],
    jsonReporter: { fileName: "mutation.json" },
    allowConsoleColors: false,
  };
}

/**
 * Prints the mutants that no test notices, and the share of each folder that is noticed.
 *
 * @param {{ files: Record<string, { source: string, mutants: import("@stryker-mutator/api/core").MutantResult[] }> }} report
 */
function tellResults({ files }) {
  const shares = new Map();
  for (const [file, { source, mutants }] of Object.entries(files)) {
    const lines = source.split("\n");
    for (const { status, location, mutatorName, replacement } of mutants) {
      if (!["Killed", "Timeout", "Survived", "NoCoverage"].includes(status)) continue;
      const isNoticed = status === "Killed" || status === "Timeout";
      for (const name of [file.split("/").slice(0, -1).join("/"), "all"]) {
        const { noticed = 0, total = 0 } = shares.get(name) ?? {};
        shares.set(name, { noticed: noticed + Number(isNoticed), total: total + 1 });
      }
      if (isNoticed) continue;
      const line = lines[location.start.line - 1]?.trim();
      console.log(
        `${file}:${location.start.line}:${location.start.column} ${mutatorName} → ${replacement}\n    ${line}`,
      );
    }
  }
  for (const [name, { noticed, total }] of shares) {
    console.log(`${((100 * noticed) / total).toFixed(1).padStart(6)} %  ${noticed} of ${total}  ${name}`);
  }
}
