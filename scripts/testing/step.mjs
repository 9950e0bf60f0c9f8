import { createWriteStream, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { endChild, startChild } from "../children.mjs";

const LIMIT_MINUTES = 8;
/** Two on two idle cores; a busy machine takes longer, and that is no failure. */
const MODEL_LIMIT_MINUTES = 30;

/** @param {string} root */
const outputFolder = (root) => join(root, ".cache", "test-output");

/** @param {string} root */
export function prepareOutput(root) {
  rmSync(outputFolder(root), { recursive: true, force: true });
  mkdirSync(outputFolder(root), { recursive: true });
}

/**
 * Runs one step of the tests under this Node. What it prints is shown and kept in .cache/test-output/, where a search for secrets
 * can read it.
 *
 * @param {string} root
 * @param {string} name
 * @param {readonly string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<{ passed: number, failed: number }>}
 */
export async function runStep(root, name, args, env = {}) {
  const child = startChild(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const log = createWriteStream(join(outputFolder(root), `${name}.log`));
  for (const [from, to] of /** @type {const} */ ([
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ])) {
    from?.on("data", (bytes) => {
      to.write(bytes);
      log.write(bytes);
    });
  }
  const code = await exitCode(child, name);
  await endChild(child);
  log.end();
  return { passed: 0, failed: code === 0 ? 0 : 1 };
}

/**
 * @param {import("node:child_process").ChildProcess} child
 * @param {string} name
 * @returns {Promise<number>}
 */
function exitCode(child, name) {
  const minutes = name === "model" ? MODEL_LIMIT_MINUTES : LIMIT_MINUTES;
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => {
      console.error(`${name} did not end within ${minutes} minutes. Is a server or a socket left open?`);
      resolve(1);
    }, minutes * 60_000);
    child.once("error", reject);
    child.once("exit", (code) => {
      clearTimeout(late);
      resolve(code ?? 1);
    });
  });
}

/**
 * Runs test files, counts their tests one by one, and counts a suite of which no test ran as a failure.
 *
 * @param {string} root
 * @param {{ name: string, suites: readonly string[], args: readonly string[] }} run
 */
export async function runTests(root, { name, suites, args }) {
  const summary = join(outputFolder(root), `${name}.json`);
  const { failed: broke } = await runStep(root, name, args, { FINALITY_TEST_SUMMARY: summary });
  /** @type {{ outcome: "passed" | "failed" | "skipped", file: string, title: string }[]} */
  const tests = existsSync(summary) ? JSON.parse(readFileSync(summary, "utf8")) : [];
  const number = (/** @type {string} */ outcome) => tests.filter((test) => test.outcome === outcome).length;
  const silent = suites.filter(
    (suite) => !tests.some(({ outcome, file }) => outcome !== "skipped" && belongsTo(file, suite)),
  );
  for (const suite of silent) console.error(`No test of test/${suite} ran, although it has test files.`);
  const failed = number("failed") + silent.length;
  return { passed: number("passed"), failed: failed === 0 ? broke : failed };
}

/**
 * @param {string} file - as the runner knows it: in the source, or bundled below .cache
 * @param {string} suite
 */
const belongsTo = (file, suite) => file.includes(`/test/${suite}/`) || file.includes(`/.cache/${suite}/`);
