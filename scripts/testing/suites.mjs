import { globSync } from "node:fs";
import { join } from "node:path";
import { installChromium } from "../install/chromium.mjs";
import { installWorkbench } from "../install/workbench.mjs";
import { runTests } from "./step.mjs";

/** Most suites that run in plain Node share one process; the hosted ones need the workbench and have one each. */
const PLAIN = ["unit", "conformance", "architecture", "peers"];
/** Keeps every core busy for a minute and more, so it shares no process and has a limit of its own. */
const ALONE = ["model"];
const HOSTED = ["integration", "browser"];

/** @typedef {{ name: string, run: () => Promise<{ passed: number, failed: number }> }} Run */

/**
 * The runs of all suites that have test files, in lanes that go side by side: hosted suites mostly wait for a workbench, and plain ones
 * take what they leave of the cores.
 *
 * @param {string} root
 * @param {readonly string[]} [only]
 * @returns {Promise<Run[][]>}
 */
export async function suiteLanes(root, only) {
  const wanted = (/** @type {string} */ suite) =>
    (only?.includes(suite) ?? true) && globSync(`test/${suite}/**/*.test.ts`, { cwd: root }).length > 0;
  const [plain, alone, hosted] = [PLAIN.filter(wanted), ALONE.filter(wanted), HOSTED.filter(wanted)];
  const inBackground = hosted.length > 0;
  const groups = [
    ...(plain.length === 0 ? [] : [{ name: "plain", suites: plain }]),
    ...alone.map((suite) => ({ name: suite, suites: [suite] })),
  ];
  return [
    hosted.map((suite) => ({ name: suite, run: () => runHosted(root, suite) })),
    groups.map((group) => ({ name: group.suites.join(" + "), run: () => runMocha(root, { ...group, inBackground }) })),
  ];
}

/**
 * @param {string} root
 * @param {{ name: string, suites: readonly string[], inBackground: boolean }} group its name is that of its log and of its limit
 */
function runMocha(root, { name, suites, inBackground }) {
  const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
  const patterns = suites.map((suite) => `test/${suite}/**/*.test.ts`);
  return runTests(root, { name, suites, args: [mocha, ...patterns], inBackground });
}

/**
 * @param {string} root
 * @param {string} suite
 */
async function runHosted(root, suite) {
  installChromium();
  await installWorkbench();
  if (suite === "browser") return await runMocha(root, { name: suite, suites: [suite], inBackground: false });
  return await runTests(root, { name: suite, suites: [suite], args: [join(root, "test", suite, "run.ts")] });
}
