import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench, pick } from "../support/workbench/workbench.ts";
import { networkSettings } from "./network-settings.ts";
import { dialogOf } from "./pay-by-hand.ts";
import { type ChainProxy, openSilentProxy } from "./proxy.ts";
import { CHAPTERS, longStory, writeStory } from "./story.ts";
import { timelinePage } from "./timeline-page.ts";

const MORE = 300;
/** Final transactions of today: those of the story, and the others. */
const FINAL = 3 + MORE;
/** Rows of a group that the list creates at once. */
const PAGE = 200;

describe("long list of transactions, by keyboard", function () {
  this.timeout(240_000);
  const dataDir = mkdtempSync(join(tmpdir(), "finality-list-"));
  let silence: ChainProxy;
  let workbench: OpenWorkbench;
  let page: Page;
  endSuiteAtFirstFailure();

  before(async () => {
    silence = await openSilentProxy();
    writeStory(dataDir, "Shasta", Date.now(), [...CHAPTERS, ...longStory(MORE)]);
    workbench = await openWorkbench({ dataDir, settings: networkSettings("Shasta", silence.url, `${silence.url}/2`) });
    ({ page } = workbench);
    await workbench.showFinality();
    await page.locator(".pane-header", { hasText: "Accounts" }).click();
    await row(`Final today (${FINAL})`).waitFor();
  });

  after(async () => {
    await workbench.close();
    await silence.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const row = (text: string): Locator => page.locator(".pane-body .monaco-list-row", { hasText: text });
  const spoken = (label: string): Locator => page.locator(`.pane-body .monaco-list-row[aria-label*="${label}"]`);

  /** Moves the focus to the first row of the list. */
  async function focusTop(): Promise<void> {
    await workbench.runCommand("Finality: Focus on Transactions View");
    await page.locator(".pane-body .monaco-list:focus").waitFor();
    await page.keyboard.press("Home");
    await waitForFocus(page, "Needs attention");
  }

  it("U26: begins each row with its state", async () => {
    assert.match((await row("Rent").locator(".label-name").textContent()) ?? "", /^Final · Rent · 1 coin/);
    assert.match(
      (await spoken("250 coins").locator(".label-name").textContent()) ?? "",
      /^Do not pay again · 250 coins/,
    );
  });

  it("U8: keeps the focus in the list while the selection is extended by Shift and an arrow key", async () => {
    const selected = page.locator(".pane-body .monaco-list-row.selected");
    await focusTop();
    for (let presses = 0; presses < 7; presses++) await page.keyboard.press("ArrowDown");
    await waitForFocus(page, "Rent");
    await page.keyboard.press("Enter");
    await timelinePage(page).locator("h1", { hasText: "Rent" }).waitFor();

    for (const count of [2, 3, 4]) {
      await page.keyboard.press("Shift+ArrowDown");
      await selected.nth(count - 1).waitFor();
      await page.locator(".pane-body .monaco-list:focus").waitFor();
    }

    await page.keyboard.press("ArrowDown");
    await workbench.screenshot("long-list-extended");
    await page.locator(".pane-body .monaco-list:focus").waitFor();
    await workbench.runCommand("View: Close All Editors");
    for (const count of [2, 3]) {
      await workbench.runCommand("Finality: Focus on Transactions View");
      await page.keyboard.press("Shift+ArrowDown");
      assert.ok((await selected.count()) >= count - 1);
      await page.locator(".pane-body .monaco-list:focus").waitFor();
    }
  });

  it("U9: removes several selected rows by Delete, after a dialog with their number, and shows them again", async () => {
    await focusTop();
    for (let presses = 0; presses < 7; presses++) await page.keyboard.press("ArrowDown");
    await waitForFocus(page, "Rent");
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Delete");
    await dialogOf(page).getByText(`Remove ${PAGE} transactions from the list?`).waitFor();
    await workbench.screenshot("long-list-remove");
    await dialogOf(page).getByRole("button", { name: "Remove", exact: true }).press("Enter");
    await row(`Final today (${FINAL - PAGE})`).waitFor();
    await page.locator(".notification-list-item", { hasText: `${PAGE} transactions removed from the list.` }).waitFor();

    await workbench.runCommand("Finality: Undo Remove");

    await row(`Final today (${FINAL})`).waitFor();
  });

  it("creates the rows of a long group page by page", async () => {
    await workbench.runCommand("Finality: Focus on Transactions View");
    await page.keyboard.press("End");
    await waitForFocus(page, "Older");
    await page.keyboard.press("ArrowUp");
    await waitForFocus(page, `Show ${FINAL - PAGE} More`);
    await page.keyboard.press("Enter");

    await row(`Show ${FINAL - PAGE} More`).waitFor({ state: "detached" });
  });

  it("stores a note, and finds it with its tag", async () => {
    await workbench.runCommand("Finality: Edit Note…");
    await pick(page, "Rent");
    await page.locator(".quick-input-message", { hasText: "Note on" }).waitFor();
    await page.keyboard.type("May #home");
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-message", { hasText: "Note on" }).waitFor({ state: "hidden" });
    await focusTop();
    await row("May #home").waitFor();

    await workbench.runCommand("Finality: Filter Transactions…");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Network: Shasta" }).waitFor();
    await page.keyboard.type("#home");
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: "Search for #home" }).waitFor();
    await page.keyboard.press("Enter");

    await row("Filter: “#home”")
      .filter({ hasText: `1 of ${FINAL + 5}` })
      .waitFor();
    await row("Final today (1)").waitFor();
    assert.equal(await page.locator('.pane-body .monaco-list-row[aria-level="2"]').count(), 1);
    await page.locator(".pane-header .description", { hasText: "“#home”" }).waitFor();
    await workbench.screenshot("long-list-filtered");
    await workbench.runCommand("Finality: Clear Filter");
    await row(`Final today (${FINAL})`).waitFor();
    await page.locator(".pane-header .description", { hasText: "“#home”" }).waitFor({ state: "detached" });
  });

  it("groups by day, and by state again", async () => {
    await workbench.runCommand("Finality: Group Transactions…");
    await pick(page, "Day");
    await row("Today").filter({ hasText: "need attention" }).waitFor();
    await workbench.screenshot("long-list-by-day");

    await workbench.runCommand("Finality: Group Transactions…");
    await pick(page, "State");

    await row(`Final today (${FINAL})`).waitFor();
  });

  it("U9: clears the final rows by a command, after a dialog with their number", async () => {
    await workbench.runCommand("Finality: Clear Final…");
    await dialogOf(page)
      .getByText(/Remove \d+ final transactions from the list\?/)
      .waitFor();
    await dialogOf(page).getByRole("button", { name: "Clear", exact: true }).press("Enter");

    await row("Final today (").waitFor({ state: "detached" });
    await row("Needs attention (2)").waitFor();
  });
});

/** Waits until a row of the list has the focus. */
async function waitForFocus(page: Page, label: string): Promise<void> {
  await page.locator(`.pane-body .monaco-list-row.focused[aria-label*="${label}"]`).waitFor();
}
