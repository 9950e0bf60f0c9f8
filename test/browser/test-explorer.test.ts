import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { installSampleProjects } from "../../scripts/install/on-demand.mjs";
import { SAMPLE_PACKAGES, writeCompilerCaches } from "../support/samples/compiler-caches.ts";
import { copySamples } from "../support/samples/copy-samples.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { barriersIn } from "./barriers.ts";
import { openFile } from "./open-file.ts";
import { FOLLOWS_SYSTEM_THEME, takeBothPictures } from "./pictures.ts";

const samples = join(import.meta.dirname, "../../samples");
const PROJECTS = ["hardhat", "tronbox", "foundry"];
const CALL_FILE = "tests/leaf.finality.jsonc";
const RUN_FILE = "Test: Run Tests in Current File";
const INSTALL_MS = 600_000;
/** A run starts a chain and a compiler. */
const RUN_MS = 120_000;

/** A test that fails, in the file of each framework. */
const FAILING: Readonly<Record<string, readonly [file: string, text: string]>> = {
  hardhat: ["test/vault.test.cjs", '  it("pays twice", () => expect(1).to.equal(2));\n});\n'],
  tronbox: ["test/token.test.js", '  it("gives twice", () => assert.equal(1, 2));\n});\n'],
  foundry: ["test/Counter.t.sol", '    function test_Twice() public { require(counter.count() == 2, "Not 2."); }\n}\n'],
};

/** Adds a test before the closing bracket of a file. */
function addTest(file: string, text: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replace(/\}\)?;?\s*$/, text));
}

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
      const [file = "", text = ""] = FAILING[project] ?? [];
      addTest(join(folder, project, file), text);
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

  for (const [project, name, title, reason] of [
    ["Hardhat: hardhat", "test/vault.test.cjs", "pays twice", "1 != 2"],
    ["TronBox: tronbox", "test/token.test.js", "gives twice", "1 != 2"],
    ["Foundry: foundry", "test/Counter.t.sol", "test_Twice", "Not 2."],
  ] as const)
    it(`runs ${name} by its own runner, with a node for each test and the reason at its line`, async () => {
      const { page } = workbench;
      await openFile(page, name);
      await workbench.runCommand(RUN_FILE);
      await expand(workbench, project);
      await row(page, new RegExp(`${name}.*Failed`)).waitFor({ timeout: RUN_MS });
      await expand(workbench, name);
      await row(page, new RegExp(`${title}.*Failed`)).waitFor();
      await takeBothPictures(page, `test-explorer-${project.split(" ")[1]}`);
      await page.locator(".test-error-content-widget", { hasText: reason }).first().waitFor();
    });

  it("has no barrier in the rows", async () => {
    const { page } = workbench;
    assert.deepEqual(await barriersIn(page, [".test-explorer .monaco-list"]), []);
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
