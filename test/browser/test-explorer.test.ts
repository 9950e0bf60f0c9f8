import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { installSampleProjects } from "../../scripts/install/on-demand.mjs";
import { SAMPLE_PACKAGES, writeCompilerCaches } from "../support/samples/compiler-caches.ts";
import { copySamples } from "../support/samples/copy-samples.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { barriersIn, COLOURS_OF_THE_THEME } from "./barriers.ts";
import { openFile } from "./open-file.ts";
import { FOLLOWS_SYSTEM_THEME, takeBothPictures } from "./pictures.ts";

const samples = join(import.meta.dirname, "../../samples");
const SCROLL_FRAMES = 600;
/** Sample projects, each with a test that fails. */
const PROJECTS = [
  {
    ...{ folder: "hardhat", label: "Hardhat: hardhat", file: "test/vault.test.cjs", title: "pays twice" },
    ...{ test: '  it("pays twice", () => expect(1).to.equal(2));\n});\n', reason: "1 != 2", passes: "emits an event" },
  },
  {
    ...{ folder: "tronbox", label: "TronBox: tronbox", file: "test/token.test.js", title: "gives twice" },
    ...{
      test: '  it("gives twice", () => assert.equal(1, 2));\n});\n',
      reason: "1 != 2",
      passes: "stores an allowance",
    },
  },
  {
    ...{ folder: "foundry", label: "Foundry: foundry", file: "test/Counter.t.sol", title: "test_Twice" },
    test: '    function test_Twice() public { require(counter.count() == 2, "Not 2."); }\n}\n',
    ...{ reason: "Not 2.", passes: "test_AddsTheStep" },
  },
];
const CALL_FILE = "tests/leaf.finality.jsonc";
const RUN_FILE = "Test: Run Tests in Current File";
/** Icon of a skipped test, in the Testing view and in Test Results. */
const SKIPPED = ".codicon-testing-skipped-icon";
/** Height of a line in the editor. */
const LINE_PX = 18;
const INSTALL_MS = 600_000;
/** Attempts to expand a row, and the time to wait for each. */
const EXPANSIONS = 5;
const EXPANSION_MS = 3_000;
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
    copySamples(samples, folder, ["build", "contracts"]);
    cpSync(join(samples, "tests"), join(folder, "tests"), { recursive: true });
    for (const project of PROJECTS) {
      const copy = join(folder, project.folder);
      cpSync(join(samples, "projects", project.folder), copy, { recursive: true });
      symlinkSync(SAMPLE_PACKAGES, join(copy, "node_modules"));
      addTest(join(copy, project.file), project.test);
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
    for (const name of [...PROJECTS.map(({ label }) => label), CALL_FILE]) await row(page, name).waitFor();
  });

  it("lists the files of a copied folder, and removes those of a deleted one", async () => {
    const { page } = workbench;
    const copy = join(scratch, "work", "copied");
    cpSync(join(samples, "tests"), join(copy, "tests"), { recursive: true });
    cpSync(join(samples, "projects", "hardhat"), join(copy, "hardhat"), { recursive: true });
    const rows = [`copied/${CALL_FILE}`, "Hardhat: copied/hardhat"].map((name) => row(page, name));
    for (const one of rows) await one.waitFor();

    rmSync(copy, { recursive: true });

    for (const one of rows) await one.waitFor({ state: "detached" });
  });

  it("runs a call file by keyboard and shows the energy of each call", async () => {
    const { page } = workbench;
    await showFile(page, CALL_FILE);
    await workbench.runCommand(RUN_FILE);
    await expand(workbench, CALL_FILE);
    for (const name of [
      "Bob has his leaves",
      "Bob gives 5 leaves to Carol",
      "Bob cannot give more than he has",
      "Only Alice makes leaves",
    ])
      await row(page, new RegExp(`${name}.*Passed`)).waitFor({ timeout: RUN_MS });
    const output = page.locator(".xterm-rows", { hasText: "Bob gives 5 leaves to Carol: 27,761 energy" });
    await output.first().waitFor();
    assert.equal(await page.locator(SKIPPED).count(), 0);
  });

  it("shows the coverage of the Solidity files that a call file executes", async () => {
    const { page, runCommand } = workbench;
    await showFile(page, CALL_FILE);
    await runCommand("Test: Run Tests with Coverage in Current File");
    await page
      .getByRole("treeitem", { name: /Leaf\.sol/ })
      .first()
      .waitFor({ timeout: RUN_MS });
    await openFile(page, "contracts/Leaf.sol");
    await takeBothPictures(page, "test-explorer-coverage");
  });

  it("runs a saved call file again in a continuous run, and shows the failure at its line", async () => {
    const { page, runCommand } = workbench;
    await runCommand("Test: Start Continuous Run");
    await showFile(page, CALL_FILE);
    await page.keyboard.press("Control+f");
    await page.keyboard.type('"result": 300');
    await page.keyboard.press("Escape");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.type("1");
    await page.keyboard.press("Control+s");
    await row(page, /Bob has his leaves.*Failed/).waitFor({ timeout: RUN_MS });
    await takeBothPictures(page, "test-explorer-call-file");
    await page.locator(".test-error-content-widget", { hasText: "300 != 3001" }).first().waitFor();
    assert.equal(await page.locator(SKIPPED).count(), 0);
    await runCommand("Test: Stop Continuous Run");
  });

  for (const { folder, label, file, title, reason, passes } of PROJECTS)
    it(`runs the tests of ${label} by keyboard, and shows the failure at its line`, async () => {
      const { page } = workbench;
      await runRow(workbench, label);
      await row(page, new RegExp(`${label}.*Failed`)).waitFor({ timeout: RUN_MS });
      await expand(workbench, label);
      await expand(workbench, file);
      await row(page, new RegExp(`${title}.*Failed`)).waitFor();
      await row(page, new RegExp(`${passes}.*Passed`)).waitFor();
      assert.equal(await page.locator(SKIPPED).count(), 0);
      await showFile(page, `${folder}/${file}`);
      await page.keyboard.press("Control+End");
      const message = page.locator(".test-error-content-widget", { hasText: reason }).first();
      await message.waitFor();
      await takeBothPictures(page, `test-explorer-${folder}`);
      const line = page.locator(".editor-instance .view-line", { hasText: title }).first();
      const isBeside = async () => Math.abs((await topOf(message)) - (await topOf(line))) < LINE_PX / 2;
      // The editor still scrolls when the message comes.
      for (let frame = 0; frame < SCROLL_FRAMES && !(await isBeside()); frame++)
        await page.evaluate("new Promise((resolve) => requestAnimationFrame(resolve))");
      assert.ok(await isBeside(), `${reason} is not beside ${title}`);
      await focusRow(workbench, label);
      await page.keyboard.press("ArrowLeft");
    });

  it("runs the tests of a framework in the current file", async () => {
    const { page, runCommand } = workbench;
    await runCommand("Test: Clear All Results");
    await showFile(page, "hardhat/test/vault.test.cjs");
    await runCommand(RUN_FILE);
    await row(page, /Hardhat: hardhat.*Failed/).waitFor({ timeout: RUN_MS });
  });

  it("has rows without barriers", async () => {
    // VS Code puts the duration behind the title without a space.
    const rules = { ...COLOURS_OF_THE_THEME.rules, "label-content-name-mismatch": { enabled: false } };
    assert.deepEqual(await barriersIn(workbench.page, [".test-explorer .monaco-list"], { rules }), []);
  });
});

/** Adds a test before the closing bracket of a file. */
function addTest(file: string, test: string): void {
  writeFileSync(file, readFileSync(file, "utf8").replace(/\}\)?;?\s*$/, test));
}

/** Opens a file and waits until its editor has its text: before, the workbench runs none of its tests. */
async function showFile(page: Page, path: string): Promise<void> {
  await openFile(page, path);
  await page.locator(`.editor-instance .monaco-editor.focused[data-uri$="/${path}"]`).waitFor();
}

/** Row of the Test Explorer by a part of its accessible name. */
function row(page: Page, label: string | RegExp) {
  return page.locator(".test-explorer").getByRole("treeitem", { name: label });
}

/** Expands a row by the arrow keys. A result that arrives between two keys moves the focus: then it tries again. */
async function expand(workbench: OpenWorkbench, label: string): Promise<void> {
  const { page } = workbench;
  const expanded = page.locator(`.test-explorer [role=treeitem][aria-expanded=true][aria-label*="${label}"]`);
  for (let attempt = 0; attempt < EXPANSIONS && (await expanded.count()) === 0; attempt++) {
    await focusRow(workbench, label);
    await page.keyboard.press("ArrowRight");
    await expanded.waitFor({ timeout: EXPANSION_MS }).catch(() => undefined);
  }
  await expanded.waitFor();
}

/** Runs the tests of a row by its menu. */
async function runRow(workbench: OpenWorkbench, label: string): Promise<void> {
  const { page } = workbench;
  await focusRow(workbench, label);
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: "Run Test", exact: true }).waitFor();
  const focused = page.locator(".monaco-menu .action-item.focused", { hasText: /^Run Test$/ });
  for (let step = 0; step < 8 && (await focused.count()) === 0; step++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
}

/** Moves the focus to a row by the keys, once the row is there. */
async function focusRow({ page, runCommand }: OpenWorkbench, label: string): Promise<void> {
  await row(page, label).first().waitFor();
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
}

/** Vertical position of an element, px. */
async function topOf(element: Locator): Promise<number> {
  return (await element.boundingBox())?.y ?? Number.NaN;
}
