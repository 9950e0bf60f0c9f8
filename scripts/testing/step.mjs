import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { endChild, startChild } from "../children.mjs";

const LIMIT_MINUTES = 25;
/** What takes longer beside others, and that is no failure: the model two on two idle cores. */
const LIMITS_MINUTES = new Map([
  ["model", 60],
  ["plain", 60],
]);
/** The end of the whole run, where something ends it by force: what was found until then is still told. */
const wholeRun = Number(process.env.FINALITY_TEST_MINUTES ?? Number.POSITIVE_INFINITY) * 60_000;

/** @param {string} root */
const outputFolder = (root) => join(root, ".cache", "test-output");

/** @param {string} root */
export function prepareOutput(root) {
  rmSync(outputFolder(root), { recursive: true, force: true });
  mkdirSync(outputFolder(root), { recursive: true });
}

/**
 * Runs one step of the tests under this Node. What it prints is shown and kept in .cache/test-output/, where a search
 * for secrets can read it. Of a step in the background it is shown when it has ended, in one piece.
 *
 * @param {string} root
 * @param {string} name
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, inBackground?: boolean, summary?: string }} [how] - `summary` is the file to
 *   which the reporter writes
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runStep(root, name, args, { env = {}, inBackground = false, summary } = {}) {
  const child = startChild(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = createWriteStream(join(outputFolder(root), `${name}.log`));
  /** @type {(() => void)[]} */
  const shownLater = [];
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from?.on("data", (bytes) => {
      if (inBackground) shownLater.push(() => to.write(bytes));
      else to.write(bytes);
      log.write(bytes);
    });
  }
  const code = await exitCode(child, name, summary);
  for (const show of shownLater) show();
  await endChild(child);
  log.end();
  return { passed: 0, failed: code === 0 ? 0 : 1 };
}

/** How long a step may take: its own limit, and no more than what is left of the whole run; ms. @param {string} name */
function limitOf(name) {
  const own = (LIMITS_MINUTES.get(name) ?? LIMIT_MINUTES) * 60_000;
  return Math.max(0, Math.min(own, wholeRun - process.uptime() * 1000));
}

/** What is left open by a test keeps its process alive for ever: so long may it take to end, ms. */
const ENDING_MS = 60_000;
const LOOK_MS = 1_000;

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} name
 * @param {string} [summary]
 * @returns {Promise<number>}
 */
function exitCode(child, name, summary) {
  const limit = limitOf(name);
  /** @type {PromiseWithResolvers<number>} */
  const { promise, resolve, reject } = Promise.withResolvers();
  const giveUp = (/** @type {string} */ what) => {
    console.error(`${name} ${what} Is a server or a socket left open?`);
    resolve(1);
  };
  const late = setTimeout(() => giveUp(`did not end within ${(limit / 60_000).toFixed(1)} minutes.`), limit);
  let ended = 0;
  const looks = setInterval(() => {
    if (summary === undefined || !hasEnded(summary)) return;
    ended += LOOK_MS;
    if (ended > ENDING_MS) giveUp("has run all its tests, but its process goes on.");
  }, LOOK_MS);
  child.once("error", reject);
  child.once("exit", (code) => resolve(code ?? 1));
  return promise.finally(() => {
    clearTimeout(late);
    clearInterval(looks);
  });
}

/** Whether the reporter has told the end. @param {string} summary */
function hasEnded(summary) {
  return existsSync(summary) && readFileSync(summary, "utf8").endsWith(`${JSON.stringify({ outcome: "ended" })}\n`);
}

/** @typedef {{ passed: number, failed: number, tests?: readonly Told[] }} Counted */

/**
 * Runs test files, counts their tests one by one, and counts a suite of which no test ran as a failure.
 *
 * @param {string} root
 * @param {{ name: string, suites: readonly string[], args: readonly string[], inBackground?: boolean }} run
 * @returns {Promise<{ passed: number, failed: number, tests: readonly Told[], hasEnded: boolean }>} `hasEnded` is false if
 *   the run was cut off, so that some of its tests may not have run
 */
export async function runTests(root, { name, suites, args, inBackground = false }) {
  const summary = join(outputFolder(root), `${name}.jsonl`);
  const { failed: broke } = await runStep(root, name, args, {
    env: { FINALITY_TEST_SUMMARY: summary },
    inBackground,
    summary,
  });
  const { tests, running } = readSummary(summary);
  const number = (/** @type {string} */ outcome) => tests.filter((test) => test.outcome === outcome).length;
  const silent = suites.filter(
    (suite) => !tests.some(({ outcome, file }) => outcome !== "skipped" && belongsTo(file, suite)),
  );
  for (const suite of silent) console.error(`No test of test/${suite} ran, although it has test files.`);
  if (running !== undefined) tellCut(running, tests);
  const failed = number("failed") + silent.length;
  return { passed: number("passed"), failed: failed === 0 ? broke : failed, tests, hasEnded: running === undefined };
}

/**
 * @typedef {{ outcome: "running" | "passed" | "failed" | "skipped", file: string, title: string, trouble?: string }}
 * Told
 */

/**
 * What the reporter wrote down: the tests that ended, and what was running when the run was cut off.
 *
 * @param {string} summary
 * @returns {{ tests: Told[], running: Told | undefined }}
 */
function readSummary(summary) {
  const lines = existsSync(summary) ? readFileSync(summary, "utf8").split("\n") : [];
  /** @type {(Told | { outcome: "ended" })[]} */
  const told = lines.filter((line) => line.endsWith("}")).map((line) => JSON.parse(line));
  const tests = told.filter((it) => it.outcome !== "running" && it.outcome !== "ended");
  const last = told.findLast(({ outcome }) => outcome === "running" || outcome === "ended");
  return { tests, running: last?.outcome === "running" ? last : undefined };
}

/**
 * mocha tells failures at its end, which did not come.
 *
 * @param {Told} running
 * @param {readonly Told[]} tests
 */
function tellCut(running, tests) {
  console.error(`It was cut off while this was running: ${running.title} (${running.file})`);
  for (const { outcome, title, trouble } of tests) {
    if (outcome === "failed") console.error(`Failed before: ${title}\n${trouble ?? ""}`);
  }
}

/**
 * @param {string} file - as the runner knows it: in the source, or bundled below .cache
 * @param {string} suite
 */
const belongsTo = (file, suite) =>
  file.includes(`/test/${suite}/`) ||
  file.includes(`/.cache/${suite}/`) ||
  (suite === "unit" && file.includes("/packages/"));
