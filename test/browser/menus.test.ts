import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { endSuiteAtFirstFailure, type OpenWorkbench, tryAgain } from "../support/workbench/workbench.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { ONCE } from "./fit.ts";
import { openOnLocalChain } from "./local-flow.ts";
import { rowOf } from "./pay-by-hand.ts";

/** A window of 1920 × 1080 at 150 %. */
const ENLARGED = { width: 1280, height: 720 };
const SIDE_BAR = 300;

describe("menus by mouse", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let page: Page;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await openOnLocalChain({ settings: { "window.autoDetectColorScheme": false } });
    ({ page } = workbench);
  });
  after(async () => await workbench?.close());

  const statusItem = (): Locator => page.locator(".statusbar-item", { hasText: "Local chain" }).first();
  const listRows = (): Locator => page.locator(".quick-input-list .monaco-list-row");
  const entries = (): Locator => page.locator(".monaco-menu .action-label:visible");
  const entry = (name: string): Locator => entries().filter({ hasText: name }).first();
  const pane = (name: string): Locator =>
    page.locator(".pane", { has: page.locator(".pane-header", { hasText: name }) });

  /** Opens the context menu of a row and returns its entries. */
  async function menuOf(row: Locator, first: string): Promise<readonly string[]> {
    await tryAgain(page, async (timeout) => {
      await row.click({ button: "right", timeout });
      await entry(first).waitFor({ timeout });
    });
    return (await entries().allInnerTexts()).map((it) => it.trim()).filter((it) => it !== "");
  }

  async function closeMenu(): Promise<void> {
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await entries().first().waitFor({ state: "detached" });
  }

  async function leaveInput(): Promise<void> {
    await page.keyboard.press("Escape");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  it("opens a menu at the status bar item, and runs the chosen command", async () => {
    // A status bar that is drawn again loses a click.
    await tryAgain(page, async (timeout) => {
      await statusItem().click({ timeout });
      await listRows().filter({ hasText: "Send Coins…" }).first().waitFor({ timeout });
    });
    const shown = (await listRows().allInnerTexts()).join("\n");
    for (const command of [
      "Switch Network…",
      "Test Connection",
      "Local Chain Faults…",
      "Open Documentation…",
      "Show Log",
    ])
      assert.ok(shown.includes(command), `${command} is not in:\n${shown}`);
    await workbench.screenshot("menus-status");

    await listRows().filter({ hasText: "Send Coins…" }).first().click();
    await page.locator(".quick-input-title", { hasText: "Send Coins" }).first().waitFor();
    await leaveInput();
  });

  it("sends, stakes and calls with the account of a row", async () => {
    const shown = await menuOf(rowOf(page, "Alice"), "Send Coins…");
    for (const command of ["Send Tokens (TRC-10)…", "Stakes and Votes", "Copy Address", "Edit Permissions…"])
      assert.ok(
        shown.some((it) => it.startsWith(command)),
        `${command} is not in: ${shown.join(", ")}`,
      );
    await workbench.screenshot("menus-account");

    await entry("Stakes and Votes").click();
    await entry("Unstake…").waitFor();
    await workbench.screenshot("menus-account-stakes");
    await entry("Stake…").click();

    await page.locator('.quick-input-widget input[placeholder^="Stake for what?"]').waitFor();
    await leaveInput();
  });

  it("acts on the details of an account", async () => {
    await rowOf(page, "Alice").locator(".monaco-tl-twistie").click();
    const votes = page.locator('.pane-body .monaco-list-row[aria-label^="Votes"]').first();
    await votes.waitFor();
    const shown = await menuOf(votes, "Vote…");

    assert.ok(shown.length <= 2, shown.join(", "));
    await closeMenu();
    await rowOf(page, "Alice").locator(".monaco-tl-twistie").click();
  });

  it("lists the networks, with the actions of each", async () => {
    await pane("Networks").locator(".pane-header").click();
    const row = pane("Networks").locator('.monaco-list-row[aria-label^="Local chain, active"]');
    await row.waitFor();
    const shown = await menuOf(row, "Test Connection");

    assert.ok(shown.includes("Stop Local Chain"), shown.join(", "));
    assert.ok(!shown.some((it) => /^(Edit|Remove) Network/.test(it)), shown.join(", "));
    await closeMenu();
    await pane("Networks").locator(".pane-header").hover();
    await pane("Networks").locator('.actions-container [aria-label^="Add Network"]').waitFor();
  });

  it("fits a side bar of 300 px at 150 % in each theme", async () => {
    await page.setViewportSize(ENLARGED);
    await setSideBar(page, SIDE_BAR);
    for (const theme of Object.keys(THEMES) as ThemeName[]) {
      await chooseTheme(page, theme);
      await menuOf(rowOf(page, "Alice"), "Send Coins…");
      await workbench.screenshot(`menus-${theme}`);
      const isWhole = await isInside(page.locator(".monaco-menu:visible").first());
      await closeMenu();
      assert.ok(isWhole, theme);
    }
    await page.setViewportSize(ONCE);
  });
});

/** Returns whether a menu is inside of the enlarged window. */
async function isInside(menu: Locator): Promise<boolean> {
  const { x, y, width, height } = (await menu.boundingBox()) ?? assert.fail("no menu");
  return x >= 0 && y >= 0 && x + width <= ENLARGED.width && y + height <= ENLARGED.height;
}

/** Drags the edge of the side bar until it has this width. */
async function setSideBar(page: Page, width: number): Promise<void> {
  const bar = (await page.locator(".part.sidebar").boundingBox()) ?? assert.fail("no side bar");
  await page.mouse.move(bar.x + bar.width, 300);
  await page.mouse.down();
  await page.mouse.move(bar.x + width, 300, { steps: 5 });
  await page.mouse.up();
}
