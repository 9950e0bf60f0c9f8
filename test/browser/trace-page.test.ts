import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { type OpenWorkbench, pick } from "../support/workbench/workbench.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { takePicture } from "./pictures.ts";
import { shareFailedTransfer } from "./shared-workbench.ts";
import { findBarriers, timelinePage } from "./timeline-page.ts";

describe("trace page", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let page: Page;

  const row = (spoken: string): Locator => page.locator(`.pane-body .monaco-list-row[aria-label*="${spoken}"]`).first();
  const shown = () => timelinePage(page);

  before(async () => {
    workbench = await shareFailedTransfer();
    ({ page } = workbench);
    await workbench.showFinality();
  });

  it("leads from a failed row to its source line with two keys", async () => {
    await row("Final, failed: NotEnoughLeaves").locator(".label-name").click();
    await page.locator(".pane-body .monaco-list:focus").waitFor();

    await page.keyboard.press("Alt+Enter");
    await shown().locator("[data-key='site 0']:focus").waitFor();
    await page.keyboard.press("Enter");

    await page.locator(".tab.active", { hasText: "Leaf.sol" }).waitFor();
    const line = page.locator(".editor-instance .active-line-number");
    await line.filter({ hasText: "65" }).waitFor();
  });

  it("shows calls with names, values, energy and failures", async () => {
    await workbench.runCommand("Finality: Trace Transaction");
    await pick(page, "transfer");

    const tree = shown().getByRole("tree", { name: "Calls" });
    await tree.getByRole("treeitem", { name: /Leaf\.transfer\(to: Alice, value: 5\)/ }).waitFor();
    await shown().locator(".failure h2", { hasText: "NotEnoughLeaves(holder: Grace" }).waitFor();
    await shown()
      .getByRole("table", { name: "Arguments" })
      .getByRole("row", { name: /value uint256 5/ })
      .waitFor();
    assert.deepEqual(await findBarriers(page), []);
  });

  it("shows energy by function and by line", async () => {
    await shown().locator(".box", { hasText: "Leaf.transfer" }).first().waitFor();
    await shown().getByLabel("Group energy").selectOption("By line");
    await shown().locator(".box", { hasText: "Leaf.sol:" }).first().waitFor();
    await shown().locator("summary", { hasText: "Table of energy" }).click();
    await shown()
      .locator(".flame table")
      .getByRole("row", { name: /Leaf\.sol:\d+/ })
      .first()
      .waitFor();
    assert.deepEqual(await findBarriers(page), []);
  });

  it("writes the energy of each line into the source file", async () => {
    await shown().getByRole("button", { name: "Show Energy per Line" }).click();
    const label = page.locator(".editor-instance .view-line [class*='ced-']").first();
    await page.locator(".editor-instance .view-line", { hasText: "function transfer" }).first().waitFor();
    await label.waitFor({ state: "attached" });
    await page.waitForFunction(
      String.raw`[...document.querySelectorAll(".editor-instance .view-line [class*='ced-']")].some((it) =>
        /energy · [\d,]+ × · [\d.]+ %/.test(getComputedStyle(it, "::after").content))`,
    );
    await takePicture(page, "energy-per-line");
    await workbench.runCommand("Finality: Hide Energy per Line");
    await label.waitFor({ state: "detached" });
  });

  it("finds rows by text and by kind", async () => {
    const tree = shown().getByRole("tree", { name: "Calls" });
    await shown().getByRole("searchbox").fill("nothing like this");
    await tree.getByRole("treeitem").first().waitFor({ state: "detached" });
    await shown().getByRole("searchbox").fill("");
    await shown().getByLabel("Show", { exact: true }).selectOption("Failed calls");
    await tree.getByRole("treeitem", { name: /Leaf\.transfer/ }).waitFor();
  });

  for (const theme of ["dark", "light"] as const satisfies readonly ThemeName[]) {
    it(`is readable in the theme ${THEMES[theme].label}`, async () => {
      await chooseTheme(page, theme);
      await shown().locator(".failure h2").waitFor();
      await takePicture(page, `trace-page-${theme}`);
      assert.deepEqual(await findBarriers(page), []);
    });
  }
});
