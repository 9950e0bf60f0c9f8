import { globSync } from "node:fs";
import { basename, join } from "node:path";
import { installChromium } from "../install/chromium.mjs";
import { installWorkbench } from "../install/workbench.mjs";
import { runTests } from "./step.mjs";

/** Most suites that run in plain Node share one process; the hosted ones need the workbench and have one each. */
const PLAIN = ["unit", "conformance", "architecture", "peers"];
/** Keeps every core busy for a minute and more, so it shares no process and has a limit of its own. */
const ALONE = ["model"];
const HOSTED = ["integration", "browser"];
/** Where the files of the browser suite part: two halves, by what they take, so that they can go side by side. */
const SECOND_HALF = "k";

/** @typedef {{ name: string, run: () => Promise<{ passed: number, failed: number }> }} Run */

/**
 * The runs of all suites that have test files, in lanes that go side by side: hosted suites wait for a workbench half of their time, so two
 * of them share the cores, and plain ones take what they leave.
 *
 * @param {string} root
 * @param {readonly string[]} [only]
 * @returns {Promise<Run[][]>}
 */
export async function suiteLanes(root, only) {
  const wanted = (/** @type {string} */ suite) => (only?.includes(suite) ?? true) && filesOf(root, suite).length > 0;
  const [plain, alone, hosted] = [PLAIN.filter(wanted), ALONE.filter(wanted), HOSTED.filter(wanted)];
  if (hosted.length > 0) {
    installChromium();
    await installWorkbench();
  }
  const mocha = { root, inBackground: hosted.length > 0 };
  const browser = hosted.includes("browser") ? halves(filesOf(root, "browser")) : [];
  const [first, second] = browser.map((files, index) => browserRun(root, `browser ${index + 1}`, files));
  return [
    [...(hosted.includes("integration") ? [integrationRun(root)] : []), ...(first ? [first] : [])],
    second ? [second] : [],
    [
      ...(plain.length === 0 ? [] : [mochaRun(mocha, "plain", plain)]),
      ...alone.map((suite) => mochaRun(mocha, suite, [suite])),
    ],
  ];
}

/**
 * @param {string} root
 * @param {string} suite
 */
const filesOf = (root, suite) => globSync(`test/${suite}/**/*.test.ts`, { cwd: root }).sort();

/** @param {readonly string[]} files */
const halves = (files) => [
  files.filter((file) => basename(file) < SECOND_HALF),
  files.filter((file) => basename(file) >= SECOND_HALF),
];

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
 * @param {string} name
 * @param {readonly string[]} files
 * @returns {Run}
 */
function browserRun(root, name, files) {
  return { name, run: () => runTests(root, { name, suites: ["browser"], args: [mochaOf(root), ...files] }) };
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
