import { globSync } from "node:fs";
import { join } from "node:path";
import { installChromium } from "../install/chromium.mjs";
import { installWorkbench } from "../install/workbench.mjs";
import { runTests } from "./step.mjs";

/** Most suites that run in plain Node share one process; the hosted ones need the workbench and have one each. */
const PLAIN = ["unit", "conformance", "architecture", "peers"];
/** Keeps every core busy for minutes, so it shares nothing and has a limit of its own. */
const ALONE = ["model"];
const HOSTED = ["integration", "browser"];

/**
 * The runs of all suites that have test files, in order.
 *
 * @param {string} root
 * @param {readonly string[]} [only]
 */
export async function suiteRuns(root, only) {
  const wanted = (/** @type {string} */ suite) =>
    (only?.includes(suite) ?? true) && globSync(`test/${suite}/**/*.test.ts`, { cwd: root }).length > 0;
  const [plain, alone, hosted] = [PLAIN.filter(wanted), ALONE.filter(wanted), HOSTED.filter(wanted)];
  return [
    ...(plain.length === 0 ? [] : [{ name: plain.join(" + "), run: () => runMocha(root, "plain", plain) }]),
    ...alone.map((suite) => ({ name: suite, run: () => runMocha(root, suite, [suite]) })),
    ...hosted.map((suite) => ({ name: suite, run: () => runHosted(root, suite) })),
  ];
}

/**
 * @param {string} root
 * @param {string} name
 * @param {readonly string[]} suites
 */
function runMocha(root, name, suites) {
  const mocha = join(root, "node_modules", "mocha", "bin", "mocha.js");
  const patterns = suites.map((suite) => `test/${suite}/**/*.test.ts`);
  return runTests(root, { name, suites, args: [mocha, ...patterns] });
}

/**
 * @param {string} root
 * @param {string} suite
 */
async function runHosted(root, suite) {
  installChromium();
  await installWorkbench();
  if (suite === "browser") return await runMocha(root, suite, [suite]);
  return await runTests(root, { name: suite, suites: [suite], args: [join(root, "test", suite, "run.ts")] });
}
