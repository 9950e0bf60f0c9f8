import { cpSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { installSampleProjects } from "../../scripts/install/on-demand.mjs";
import { SAMPLE_PACKAGES, writeCompilerCaches } from "../support/samples/compiler-caches.ts";
import { copySamples } from "../support/samples/copy-samples.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { openFile } from "./open-file.ts";
import { FOLLOWS_SYSTEM_THEME, takeBothPictures } from "./pictures.ts";

const samples = join(import.meta.dirname, "../../samples");
const PROJECTS = ["hardhat", "tronbox", "foundry"];
const CALL_FILE = "tests/leaf.finality.jsonc";
const RUN_FILE = "Test: Run Tests in Current File";
const INSTALL_MS = 600_000;
/** A run starts a chain and a compiler. */
const RUN_MS = 120_000;

describe("Test Explorer", function () {
  this.timeout(240_000);
  let scratch: string;
  let workbench: OpenWorkbench;

  endSuiteAtFirstFailure();

  before(async function () {
    this.timeout(INSTALL_MS);
    await installSampleProjects();
    scratch = mkdtempSync(join(tmpdir(), "finality-explorer-"));
    const folder = join(scratch, "work");
    copySamples(samples, folder, ["build"]);
    cpSync(join(samples, "tests"), join(folder, "tests"), { recursive: true });
    for (const project of PROJECTS) {
      cpSync(join(samples, "projects", project), join(folder, project), { recursive: true });
      symlinkSync(SAMPLE_PACKAGES, join(folder, project, "node_modules"));
    }
    const env = writeCompilerCaches(join(scratch, "home"));
    workbench = await openWorkbench({ folder, env, settings: FOLLOWS_SYSTEM_THEME });
  });
  after(async () => {
    await workbench?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("lists call files with expectations and the test files of each framework", async () => {
    const { page, runCommand } = workbench;
    await runCommand("Testing: Focus on Test Explorer View");
    for (const name of ["Hardhat: hardhat", "TronBox: tronbox", "Foundry: foundry", CALL_FILE])
      await row(page, name).waitFor();
  });

  it("runs a call file by keyboard and shows the energy of each call", async () => {
    const { page } = workbench;
    await openFile(page, CALL_FILE);
    await workbench.runCommand(RUN_FILE);
    await expand(workbench, CALL_FILE);
    for (const name of [
      "Bob has his leaves",
      "Bob gives 5 leaves to Carol",
      "Bob cannot give more than he has",
      "Only Alice makes leaves",
    ])
      await row(page, new RegExp(`${name}.*Passed`)).waitFor({ timeout: RUN_MS });
    await page
      .locator(".test-explorer .monaco-list-row", { hasText: /[\d,]+ energy/ })
      .first()
      .waitFor();
  });

  it("runs a saved call file again in a continuous run, and shows the failure at its line", async () => {
    const { page, runCommand } = workbench;
    await runCommand("Test: Start Continuous Run");
    await openFile(page, CALL_FILE);
    await page.keyboard.press("Control+f");
    await page.keyboard.type('"result": 300');
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("1");
    await page.keyboard.press("Control+s");
    await row(page, /Bob has his leaves.*Failed/).waitFor({ timeout: RUN_MS });
    await takeBothPictures(page, "test-explorer-call-file");
    await page.locator(".test-error-content-widget", { hasText: "300 != 3001" }).first().waitFor();
    await runCommand("Test: Stop Continuous Run");
  });
});

/** Row of the Test Explorer by a part of its accessible name. */
function row(page: Page, label: string | RegExp) {
  return page.locator(".test-explorer").getByRole("treeitem", { name: label });
}

/** Expands a row by the arrow keys. */
async function expand({ page, runCommand }: OpenWorkbench, label: string): Promise<void> {
  await runCommand("Testing: Focus on Test Explorer View");
  const tree = page.locator(".test-explorer .monaco-list");
  const hasFocus = (): Promise<boolean> => tree.evaluate((list) => list.contains(list.ownerDocument.activeElement));
  // The filter above the tree gets the focus first.
  for (let step = 0; step < 8 && !(await hasFocus()); step++) await page.keyboard.press("Tab");
  await page.keyboard.press("Home");
  const focused = page.locator(".test-explorer .monaco-list-row.focused");
  for (let step = 0; step < 40; step++) {
    if ((await focused.getAttribute("aria-label"))?.includes(label)) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("ArrowRight");
}
