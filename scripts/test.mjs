// `npm test [-- --only unit,integration]`: builds, checks and runs every suite. The last line is `N passed, N failed`.

import { basename, join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "./build/bundles.mjs";
import { endChildren, endChildrenOnSignals, survivors } from "./children.mjs";
import { prepareOutput, runStep } from "./testing/step.mjs";
import { prepareHosted, runsSideBySide } from "./testing/suites.mjs";

const root = join(import.meta.dirname, "..");
const { values } = parseArgs({ options: { only: { type: "string" } } });
const only = values.only?.split(",");
const total = { passed: 0, failed: 0 };
/** What failed, for the end of the log: of a long one often nothing else is left. @type {string[]} */
const failures = [];

endChildrenOnSignals();
prepareOutput(root);

const isBuilt = await count("build", buildAll);
const isPacked = isBuilt ? count("package", () => prepareHosted(root, only)) : Promise.resolve(false);
const { lanes, repeats } = runsSideBySide(root, { only, isPacked });
const ended = lanes.map(async (lane) => {
  for await (const { name, run } of lane) await count(name, run);
});
if (only === undefined) ended.push(count("check", check).then(() => undefined));
await Promise.all(ended);
for (const { name, run } of repeats) await count(name, run);
await count("processes", endSurvivors);

process.exitCode = total.failed === 0 ? 0 : 1;
if (failures.length > 0) console.log(`Failed:\n${failures.join("\n")}`);
console.log(`${total.passed} passed, ${total.failed} failed`);

/**
 * Does one step and adds what it counts. A step that breaks is a failure, never an end of the run.
 *
 * @param {string} name
 * @param {() => Promise<import("./testing/step.mjs").Counted>} step
 * @returns {Promise<boolean>} whether it went well
 */
async function count(name, step) {
  const started = Date.now();
  const {
    passed,
    failed,
    tests = [],
  } = await step().catch((error) => {
    console.error(error);
    return { passed: 0, failed: 1 };
  });
  total.passed += passed;
  total.failed += failed;
  if (failed > 0) failures.push(name, ...tests.filter(({ outcome }) => outcome === "failed").map(toldShort));
  const numbers = passed + failed === 0 ? "ok" : `passed: ${passed}, failed: ${failed}`;
  console.log(`── ${name} ${numbers} (${((Date.now() - started) / 1000).toFixed(1)} s)\n`);
  return failed === 0;
}

/** @param {import("./testing/step.mjs").Told} test */
function toldShort({ file, title, trouble = "" }) {
  return `  ${basename(file)}: ${title}: ${trouble.split("\n")[0]}`;
}

/** Looks at the sources, beside the tests. */
function check() {
  return runStep(root, "check", [join(root, "scripts", "check.mjs")], { inBackground: true });
}

async function buildAll() {
  const { notices } = await build(root);
  for (const notice of notices) console.log(`build: ${notice}`);
  return { passed: 0, failed: 0 };
}

/** Nothing that a test started may outlive the run. */
async function endSurvivors() {
  const left = survivors();
  for (const { pid, command } of left) {
    console.error(`still alive after the tests: ${pid} ${command}`);
    process.kill(pid, "SIGKILL");
  }
  await endChildren();
  return { passed: 0, failed: left.length };
}
