#!/usr/bin/env node
// Stands in for a desktop VS Code where there is none. It understands the arguments that `runTests` of
// @vscode/test-electron gives to VS Code, serves the workbench of code-server to headless Chromium instead, installs the
// extension from the package that FINALITY_PACKAGE names, trusts the folder, and ends with the code of the test run. It
// prints the report of the tests; what server and browser have to say goes to .cache/logs/.

import { createWriteStream, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endChildrenOnSignals } from "./children.mjs";
import { installWorkbench } from "./install/workbench.mjs";
import { openBrowser } from "./workbench/browser.mjs";
import { startWorkbench } from "./workbench/server.mjs";
import { trustBefore } from "./workbench/trust.mjs";

/** Before each line of the report of the tests: the workbench talks through the same channel. */
const REPORT_PREFIX = "report| ";
const logs = join(import.meta.dirname, "..", ".cache", "logs");

const { values, positionals } = parseArgs({
  strict: false,
  allowPositionals: true,
  options: {
    extensionDevelopmentPath: { type: "string" },
    extensionTestsPath: { type: "string" },
    "user-data-dir": { type: "string" },
  },
});

/**
 * The end of the test run. The report is printed, everything else is logged.
 *
 * @param {import("playwright-core").Page} page
 * @param {import("node:fs").WriteStream} log
 */
async function testRun(page, log) {
  /** @type {PromiseWithResolvers<number>} */
  const { promise, resolve } = Promise.withResolvers();
  await page.exposeFunction("codeAutomationExit", resolve);
  await page.exposeFunction("codeAutomationLog", (/** @type {string} */ level, /** @type {unknown[]} */ words) => {
    const line = words.join(" ");
    if (line.startsWith(REPORT_PREFIX)) console.log(line.slice(REPORT_PREFIX.length));
    else log.write(`${level}: ${line}\n`);
  });
  page.once("crash", () => resolve(1));
  page.once("close", () => resolve(1));
  return { finished: promise };
}

const scratch = mkdtempSync(join(tmpdir(), "finality-run-"));
const dataDir = String(values["user-data-dir"] ?? join(scratch, "data"));
endChildrenOnSignals();
mkdirSync(logs, { recursive: true });
await installWorkbench();
const workbench = await startWorkbench({
  dataDir,
  folder: positionals[0],
  packages: process.env.FINALITY_PACKAGE === undefined ? [] : [process.env.FINALITY_PACKAGE],
  env: { FINALITY_REPORT_PREFIX: REPORT_PREFIX },
  logFile: join(logs, `workbench-server-${process.pid}.log`),
});
const browser = await openBrowser(join(scratch, "browser"));
const [page = await browser.newPage()] = browser.pages();
// While tests run the workbench asks nothing, so it is answered before.
if (positionals[0] !== undefined) await trustBefore(page, workbench.url, positionals[0]);
const { finished } = await testRun(page, createWriteStream(join(logs, `browser-${process.pid}.log`)));
workbench.runInNextPage({
  extension: String(values.extensionDevelopmentPath),
  program: String(values.extensionTestsPath),
});
const told = await page.goto(workbench.url);
if (told?.ok() !== true) throw new Error(`The workbench cannot be told which tests to run: ${await told?.text()}`);
const code = await finished;
await browser.close();
await workbench.stop();
rmSync(scratch, { recursive: true, force: true });
process.exit(code);
