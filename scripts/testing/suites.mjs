import { globSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { installChineseFont } from "../install/chinese-font.mjs";
import { installChromium } from "../install/chromium.mjs";
import { installWorkbench } from "../install/workbench.mjs";
import { packedOnce } from "../package/pack.mjs";
import { runTests } from "./step.mjs";

/** Most suites that run in plain Node share one process; the hosted ones need the workbench and have several each. */
const PLAIN = ["unit", "rules", "conformance", "architecture", "peers"];
/** Keeps every core busy for a minute and more, so it shares no process and has a limit of its own. */
const ALONE = ["model"];
const HOSTED = ["integration", "browser"];
/** Into how many runs the files of the integration suite part: each opens a workbench of its own. */
const INTEGRATION_RUNS = 3;
/** The files of the browser suite that take longest, in this order: begun first, no lane ends long after the others. */
const SLOWEST_FIRST = [
  "five-situations",
  "vanished-window",
  "every-text",
  "run-page",
  "everyday",
  "failed-call",
  "send-coins",
  "as-started",
  "decoder",
  "browser-wallet",
  "unknown-outcome",
  "broadcast-error",
  "killed-host",
  "two-windows",
  "tracebacks",
  "energy-lens",
  "votes",
  "timeline",
  "connection-checklist",
  "jwt-keys",
];

/**
 * Files of the browser suite that run in one process, in this order, and share one workbench, which
 * test/browser/shared-workbench.ts opens: opening it is most of the work of a small file.
 */
const SHARED_WORKBENCHES = [
  ["as-started", "documentation", "keys", "links", "networks-and-names"],
  ["everyday", "everyday-more", "signed-elsewhere", "permissions"],
  [
    "send-coins",
    "shared-files",
    "incoming",
    "contracts",
    "events-and-messages",
    "agents",
    "upgrades",
    "local-chain-row",
  ],
  ["timeline", "tree-states"],
  ["trace-page", "debugger"],
];

/** @typedef {{ name: string, run: () => Promise<import("./step.mjs").Counted> }} Run */

/**
 * What the hosted suites of a run need: a browser, the workbench and the package.
 *
 * @param {string} root
 * @param {readonly string[]} [only]
 */
export async function prepareHosted(root, only) {
  if (wantedOf(root, HOSTED, only).length > 0) {
    installChromium();
    installChineseFont();
    await installWorkbench();
    rmSync(join(root, ".cache", "installed"), { recursive: true, force: true });
    await packedOnce(root);
  }
  return { passed: 0, failed: 0 };
}

/**
 * Returns the runs of all suites that have test files, in three lanes that run at the same time. Two lanes run the hosted
 * suites after the package is built; without a package they are empty. The third runs all other suites from the start.
 *
 * @param {string} root
 * @param {{ only?: readonly string[], isPacked: Promise<boolean> }} what
 * @returns {{ lanes: AsyncIterable<Run>[], repeats: Run[] }} `repeats` gets the runs that repeat failed files. They
 *   follow when all lanes have ended.
 */
export function runsSideBySide(root, { only, isPacked }) {
  const [plain, alone, hosted] = [PLAIN, ALONE, HOSTED].map((suites) => wantedOf(root, suites, only));
  const background = { root, inBackground: hosted.length > 0 };
  /** @type {Run[]} */
  const repeats = [];
  const queue = isPacked.then((isThere) => (isThere ? hostedRuns(root, hosted, repeats) : []));
  const unhosted = [
    ...(plain.length > 0 ? [mochaRun(background, "plain", plain)] : []),
    ...alone.map((suite) => mochaRun(background, suite, [suite])),
  ];
  return { lanes: [taking(queue), taking(queue), taking(unhosted)], repeats };
}

/**
 * @param {string} root
 * @param {readonly string[]} suites
 */
function hostedRuns(root, suites, repeats) {
  return [
    ...(suites.includes("integration") ? integrationRuns(root, repeats) : []),
    ...(suites.includes("browser") ? browserRuns(root, repeats) : []),
  ];
}

/**
 * The suites that have test files and are asked for.
 *
 * @param {string} root
 * @param {readonly string[]} suites
 * @param {readonly string[]} [only]
 */
function wantedOf(root, suites, only) {
  return suites.filter((suite) => (only?.includes(suite) ?? true) && filesOf(root, suite).length > 0);
}

/**
 * What is next of a queue that several take from.
 *
 * @param {Run[] | Promise<Run[]>} coming
 */
async function* taking(coming) {
  const queue = await coming;
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) yield next;
}

/**
 * @param {string} root
 * @param {string} suite
 */
const filesOf = (root, suite) => globSync(patternsOf(suite), { cwd: root }).sort();

/** The packages have their unit tests beside them. @param {string} suite */
const patternsOf = (suite) => [
  ...(suite === "unit" ? ["packages/*/test/**/*.test.ts"] : []),
  `test/${suite}/**/*.test.ts`,
];

/**
 * One run for each file of the browser suite, or for those that share a workbench, the slowest first.
 *
 * @param {string} root
 * @param {Run[]} repeats
 * @returns {Run[]}
 */
function browserRuns(root, repeats) {
  const shared = new Set(SHARED_WORKBENCHES.flat());
  const alone = filesOf(root, "browser")
    .map((file) => basename(file, ".test.ts"))
    .filter((file) => !shared.has(file));
  const place = (/** @type {readonly string[]} */ [first = ""]) => {
    const known = SLOWEST_FIRST.indexOf(first);
    return known < 0 ? SLOWEST_FIRST.length : known;
  };
  const groups = [...SHARED_WORKBENCHES, ...alone.map((file) => [file])];
  return groups
    .sort((one, other) => place(one) - place(other))
    .map((group) => {
      const name = `browser ${group.join(" + ")}`;
      const files = group.map((file) => `test/browser/${file}.test.ts`);
      const run = { root, suite: "browser", name, args: [mochaOf(root)], files, isShared: true, repeats };
      return { name, run: () => runOrRepeat(run) };
    });
}

/** More failures of a whole run than these are not chance. */
const MOST_REPEATS = 6;

/** @typedef {{ root: string, suite: string, name: string, args: readonly string[], files: readonly string[] }} Files */

/**
 * Runs files of a hosted suite. The time of keys and pages depends on the machine, so the files with failures run once
 * more when no other tests run, and the log says so. The second result counts. Files that share a workbench run again
 * together, and so do all files of a run that was cut off, because the rest of its tests did not run.
 *
 * @param {Files & { isShared: boolean, repeats: Run[] }} run
 * @returns {Promise<import("./step.mjs").Counted>}
 */
async function runOrRepeat({ root, suite, name, args, files, isShared, repeats }) {
  const first = await runTests(root, { name, suites: [suite], args: [...args, ...files] });
  const failed = first.tests.filter(({ outcome }) => outcome === "failed").map(nameOfFile);
  if (failed.length === 0 || repeats.length === MOST_REPEATS) return first;
  const isWhole = isShared || !first.hasEnded;
  const again = isWhole ? files : files.filter((file) => failed.includes(nameOfFile({ file })));
  console.error(`${first.failed} failed in ${name}. They run once more at the end: ${again.join(" ")}`);
  const run = { name: `${name} again`, suites: [suite], args: [...args, ...again] };
  repeats.push({ name: run.name, run: () => runTests(root, run) });
  const isRepeated = (/** @type {{ file: string }} */ test) => isWhole || failed.includes(nameOfFile(test));
  return { passed: first.tests.filter((test) => test.outcome === "passed" && !isRepeated(test)).length, failed: 0 };
}

/** The name of a test file, in the source or bundled. @param {{ file: string }} test */
const nameOfFile = ({ file }) => basename(file).replace(/\.test\..*$/, "");

/** Timeout of a test in the background that sets none, ms, before test/support/time extends it. */
const BACKGROUND_TIMEOUT = "60000";

/**
 * @param {{ root: string, inBackground: boolean }} where
 * @param {string} name - of the log and of the limit
 * @param {readonly string[]} suites
 * @returns {Run}
 */
function mochaRun({ root, inBackground }, name, suites) {
  const timeout = inBackground ? ["--timeout", BACKGROUND_TIMEOUT] : [];
  const args = [mochaOf(root), ...timeout, ...suites.flatMap(patternsOf)];
  return { name: suites.join(" + "), run: () => runTests(root, { name, suites, args, inBackground }) };
}

/**
 * @param {string} root
 * @param {Run[]} repeats
 * @returns {Run[]}
 */
function integrationRuns(root, repeats) {
  const files = filesOf(root, "integration");
  return Array.from({ length: Math.min(INTEGRATION_RUNS, files.length) }, (_, index) => {
    const some = files.filter((_file, at) => at % INTEGRATION_RUNS === index).map((file) => basename(file));
    const args = [join(root, "test", "integration", "run.ts")];
    const name = `integration ${index + 1}`;
    const run = { root, suite: "integration", name, args, files: some, isShared: false, repeats };
    return { name, run: () => runOrRepeat(run) };
  });
}

/** @param {string} root */
const mochaOf = (root) => join(root, "node_modules", "mocha", "bin", "mocha.js");
