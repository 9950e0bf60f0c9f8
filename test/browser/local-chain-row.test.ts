import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { OpenWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { clickInRow, dialogOf } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";
import { shareLocalChain } from "./shared-workbench.ts";

const HEAD = "Local chain, block";
/** Runs in the page: the height that the row says. */
const HEIGHT = `Number(document
  .querySelector('.pane-body .monaco-list-row[aria-label*="${HEAD}"]')
  ?.ariaLabel.match(/block ([\\d,]+)/)[1].replaceAll(",", ""))`;

describe("local chain row of the accounts view", function () {
  this.timeout(120_000);
  let workbench: OpenWorkbench;
  let page: Page;

  const row = (words: string): Locator => page.locator(`.pane-body .monaco-list-row[aria-label*="${words}"]`).first();

  async function answer(question: string, text: string): Promise<void> {
    await page.locator(".quick-input-message", { hasText: question }).waitFor();
    await page.locator(".quick-input-widget input").fill(text);
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  async function height(words = HEAD): Promise<number> {
    const spoken = (await row(words).getAttribute("aria-label")) ?? "";
    return Number((/block ([\d,]+)/.exec(spoken)?.[1] ?? assert.fail(spoken)).replaceAll(",", ""));
  }

  /** @param bound - e.g. `> 1500` */
  async function untilHeight(bound: string): Promise<void> {
    await page.waitForFunction(`${HEIGHT} ${bound}`);
  }

  before(async () => {
    workbench = await shareLocalChain();
    ({ page } = workbench);
    await row(HEAD).waitFor();
  });

  it("shows the height of the chain, and updates it while visible", async () => {
    const before = await height();
    await untilHeight(`> ${before}`);
    await workbench.runCommand("Finality: Mine Blocks…");
    await answer("How many blocks?", "1500");
    await untilHeight(`> ${before + 1500}`);
  });

  it("expands to heights and snapshots, and confirms before it restores one", async () => {
    await workbench.runCommand("Finality: Take Snapshot…");
    await answer("Name (optional)", "before lunch");
    await row(HEAD).locator(".monaco-tl-twistie").click();
    await row("before lunch, snapshot").hover();
    await row("Solidified, block").waitFor();
    assert.ok((await height("Solidified, block")) > 1_000);
    const before = await height();
    await workbench.runCommand("Finality: Mine Blocks…");
    await answer("How many blocks?", "3000");
    await untilHeight(`> ${before + 3000}`);

    const dialog = dialogOf(page);
    await clickInRow(row("before lunch, snapshot"), "Restore Snapshot", dialog);
    await dialog.filter({ hasText: 'returns to the snapshot "before lunch"' }).waitFor();
    await dialog.getByRole("button", { name: "Restore Snapshot" }).click();

    await untilHeight(`< ${before + 100}`);
  });

  for (const theme of ["dark", "light"] as const) {
    it(`is shown in the theme ${theme}`, async () => {
      await chooseTheme(page, theme);
      await row(HEAD).hover();

      assert.ok(await row(HEAD).isVisible());
      await takePicture(page, `local-chain-${theme}`, { x: 0, y: 34, width: 530, height: 680 });
    });
  }

  it("shows that the chain is not running after the user stopped it and confirmed it", async () => {
    await workbench.runCommand("Finality: Stop Local Chain");
    await dialogOf(page).filter({ hasText: "Its accounts, contracts and transactions are stored" }).waitFor();
    await dialogOf(page).getByRole("button", { name: "Stop Local Chain" }).click();
    await row("Local chain, not running").waitFor();
    await row("Alice").waitFor();
  });
});
