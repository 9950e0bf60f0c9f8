import { globSync } from "node:fs";
import { join } from "node:path";
import { installChineseFont } from "../install/chinese-font.mjs";
import { installChromium } from "../install/chromium.mjs";
import { installWorkbench } from "../install/workbench.mjs";
import { packedOnce } from "../package/pack.mjs";
import { runTests } from "./step.mjs";

/** Most suites that run in plain Node share one process; the hosted ones need the workbench and have one each. */
const PLAIN = ["unit", "rules", "conformance", "architecture", "peers"];
/** Keeps every core busy for a minute and more, so it shares no process and has a limit of its own. */
const ALONE = ["model"];
const HOSTED = ["integration", "browser"];
/** Into how many runs the files of the browser suite part: the more, the more evenly they fill the lanes. */
const BROWSER_RUNS = 6;

/** @typedef {{ name: string, run: () => Promise<{ passed: number, failed: number }> }} Run */

/**
 * The runs of all suites that have test files, in lanes that go side by side, each with one run after the other. What
 * drives a workbench waits half of its time: there are two lanes for it, which take what is left to do, and beside them
 * one that takes what they leave of the cores.
 *
 * @param {string} root
 * @param {readonly string[]} [only]
 * @returns {Promise<Iterable<Run>[]>}
 */
export async function suiteLanes(root, only) {
  const wanted = (/** @type {string} */ suite) => (only?.includes(suite) ?? true) && filesOf(root, suite).length > 0;
  const [plain, alone, hosted] = [PLAIN.filter(wanted), ALONE.filter(wanted), HOSTED.filter(wanted)];
  if (hosted.length > 0) {
    installChromium();
    installChineseFont();
    await installWorkbench();
    await packedOnce(root);
  }
  const background = { root, inBackground: hosted.length > 0 };
  const queue = [
    ...(hosted.includes("integration") ? [integrationRun(root)] : []),
    ...(hosted.includes("browser") ? browserRuns(root) : []),
  ];
  return [
    taking(queue),
    taking(queue),
    [
      ...(plain.length > 0 ? [mochaRun(background, "plain", plain)] : []),
      ...alone.map((suite) => mochaRun(background, suite, [suite])),
    ],
  ];
}

/**
 * What is next of a queue that several take from.
 *
 * @param {Run[]} queue
 */
function* taking(queue) {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) yield next;
}

/**
 * @param {string} root
 * @param {string} suite
 */
const filesOf = (root, suite) => globSync(`test/${suite}/**/*.test.ts`, { cwd: root }).sort();

/**
 * @param {string} root
 * @returns {Run[]}
 */
function browserRuns(root) {
  const files = filesOf(root, "browser");
  return Array.from({ length: Math.min(BROWSER_RUNS, files.length) }, (_, index) => {
    const name = `browser ${index + 1}`;
    const some = files.filter((_file, at) => at % BROWSER_RUNS === index);
    return { name, run: () => runWithSecondLook(root, name, some) };
  });
}

/** More files than these do not fail by chance. */
const SECOND_LOOK_FILES = 3;

/**
 * Runs files of the browser suite. Keys and pages come when the machine gets to them, so a file that failed is run once
 * more, from its beginning, and that is told; what fails then has failed.
 *
 * @param {string} root
 * @param {string} name
 * @param {readonly string[]} files
 * @returns {Promise<{ passed: number, failed: number }>}
 */
async function runWithSecondLook(root, name, files) {
  const run = (/** @type {string} */ as, /** @type {readonly string[]} */ of) =>
    runTests(root, { name: as, suites: ["browser"], args: [mochaOf(root), ...of] });
  const first = await run(name, files);
  const failed = [...new Set(first.tests.filter(({ outcome }) => outcome === "failed").map(({ file }) => file))];
  if (failed.length === 0 || failed.length > SECOND_LOOK_FILES) return first;
  const kept = first.tests.filter(({ outcome, file }) => outcome === "passed" && !failed.includes(file)).length;
  console.error(`${first.failed} failed in ${name}. Once more: ${failed.join(" ")}`);
  const second = await run(`${name} again`, failed);
  return { passed: kept + second.passed, failed: second.failed };
}

/**
 * @param {{ root: string, inBackground: boolean }} where
 * @param {string} name - of the log and of the limit
 * @param {readonly string[]} suites
 * @returns {Run}
 */
function mochaRun({ root, inBackground }, name, suites) {
  const args = [mochaOf(root), ...suites.map((suite) => `test/${suite}/**/*.test.ts`)];
  return { name: suites.join(" + "), run: () => runTests(root, { name, suites, args, inBackground }) };
}

/**
 * @param {string} root
 * @returns {Run}
 */
function integrationRun(root) {
  const args = [join(root, "test", "integration", "run.ts")];
  return { name: "integration", run: () => runTests(root, { name: "integration", suites: ["integration"], args }) };
}

/** @param {string} root */
const mochaOf = (root) => join(root, "node_modules", "mocha", "bin", "mocha.js");
