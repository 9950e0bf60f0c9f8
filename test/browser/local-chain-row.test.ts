import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { clickInRow, dialogOf } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";

describe("the local chain among the accounts, as a person sees it", function () {
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

  before(async () => {
    workbench = await openWorkbench({ settings: { "finality.localChain.blockTime": 1000 } });
    ({ page } = workbench);
    await workbench.showFinality();
    await workbench.runCommand("Finality: Start Local Chain");
    await row("Local chain, block").waitFor();
  });

  after(() => workbench.close());

  it("shows how high the chain is, and follows it while somebody looks", async () => {
    const first = (await row("Local chain, block").getAttribute("aria-label")) ?? "";
    await page.locator(`.monaco-list-row[aria-label="${first}"]`).waitFor({ state: "hidden" });
    await workbench.runCommand("Finality: Mine Blocks…");
    await answer("How many blocks?", "1500");
    await row("Local chain, block 1,5").waitFor();
  });

  it("opens to heights and snapshots, and asks before it goes back to one", async () => {
    await workbench.runCommand("Finality: Take Snapshot…");
    await answer("A name for it", "before lunch");
    await row("Local chain, block").locator(".monaco-tl-twistie").click();
    await row("before lunch, snapshot").hover();
    await row("Solidified, block 1,").waitFor();
    await workbench.runCommand("Finality: Mine Blocks…");
    await answer("How many blocks?", "3000");
    await row("Local chain, block 4,5").waitFor();

    const dialog = dialogOf(page);
    await clickInRow(row("before lunch, snapshot"), "Restore Snapshot", dialog);
    await dialog.filter({ hasText: 'goes back to the snapshot "before lunch"' }).waitFor();
    await dialog.getByRole("button", { name: "Restore Snapshot" }).click();

    await row("Local chain, block 1,5").waitFor();
  });

  for (const theme of ["dark", "light"] as const) {
    it(`is shown in the theme ${theme}`, async () => {
      await chooseTheme(page, theme);
      await row("Local chain, block").hover();

      assert.ok(await row("Local chain, block").isVisible());
      await takePicture(page, `local-chain-${theme}`, { x: 0, y: 34, width: 530, height: 680 });
    });
  }

  it("is gone when the chain is stopped", async () => {
    await workbench.runCommand("Finality: Stop Local Chain");
    await row("Local chain, block").waitFor({ state: "hidden" });
  });
});
