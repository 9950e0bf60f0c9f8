import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { answer, type OpenWorkbench, pick } from "../support/workbench/workbench.ts";
import { takePicture } from "./pictures.ts";
import { shareLocalChain } from "./shared-workbench.ts";

const FINAL_WITHIN_MS = 60_000;

function row(page: Page, spoken: string): Locator {
  return page.locator(`.pane-body .monaco-list-row[aria-label*="${spoken}"]`).first();
}

describe("contract deployment and calls by keyboard", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;

  before(async () => {
    workbench = await shareLocalChain();
  });

  async function review(): Promise<string> {
    const dialog = workbench.page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    return (await dialog.textContent()) ?? "";
  }

  it("deploys an artifact, with its fee limit from the estimate", async () => {
    const { page, runCommand } = workbench;

    await runCommand("Finality: Deploy Contract…");
    await pick(page, "TeaHouse");
    await answer(page, "leaf_ (address)", "Alice");
    await answer(page, "price_ (uint256)", "2000000");
    await pick(page, "Alice");
    await answer(page, "Percentage of the energy that the caller pays?");
    await answer(page, "Maximum energy you pay");
    await answer(page, "Fee limit. Estimate:");
    const text = await review();

    for (const part of [
      "Deploy “TeaHouse”?",
      "“price_”: 2000000",
      "Estimate: ",
      "energy",
      "fields match",
      "Local chain",
    ])
      assert.ok(text.includes(part), `the review lacks "${part}":\n${text}`);
    await takePicture(page, "deploy-review");
    await page.keyboard.press("Enter");
    await row(page, "Create TeaHouse. Final, successful").waitFor({ timeout: FINAL_WITHIN_MS });
  });

  it("validates arguments while they are typed, and warns before signing when the call would revert", async () => {
    const { page, runCommand } = workbench;

    await runCommand("Finality: Call Contract…");
    await pick(page, "TeaHouse");
    await pick(page, "reserve");
    await page.locator(".quick-input-widget", { hasText: "seats (uint256)" }).waitFor();
    await page.locator(".quick-input-widget input").fill("many");
    await page.locator(".quick-input-message", { hasText: "write a whole number" }).waitFor();
    await page.locator(".quick-input-widget input").fill("99");
    await page.keyboard.press("Enter");
    await pick(page, "Bob");
    await answer(page, "Fee limit. Estimate: would REVERT", "100 coins");
    const text = await review();

    assert.match(text, /Call “reserve” on “TeaHouse” although it would fail\?/);
    assert.match(text, /The tea house has twelve seats\./);
    await takePicture(page, "call-would-revert");
    await page.keyboard.press("Enter");
    await page.locator(".monaco-dialog-box").waitFor({ state: "detached" });
    assert.equal(await row(page, "TeaHouse.reserve").count(), 0, "nothing was signed");
  });

  it("warns when the fee limit is too small, and Enter accepts the sufficient one", async () => {
    const { page, runCommand } = workbench;

    await runCommand("Finality: Call Contract…");
    await pick(page, "TeaHouse");
    await pick(page, "reserve");
    await answer(page, "seats (uint256)", "4");
    await pick(page, "Bob");
    await page.locator(".quick-input-widget", { hasText: "Fee limit. Estimate:" }).waitFor();
    await page.locator(".quick-input-widget input").fill("1 coin");
    await page.locator(".quick-input-message", { hasText: "too small" }).waitFor();
    await page.keyboard.press("Enter");
    assert.match(
      await review(),
      /although its costs are not covered\?.*fee_limit 1 coin pays for .* Set fee_limit to/s,
    );
    await takePicture(page, "call-fee-limit-too-small");
    await page.keyboard.press("Enter");
    await page.locator(".monaco-dialog-box", { hasText: "Call “reserve” on “TeaHouse”?" }).waitFor();
    await page.keyboard.press("Enter");
    const call = page.locator('.pane-body .monaco-list-row[aria-label^="TeaHouse.reserve"]');
    await call.and(page.locator('[aria-label*="Final, successful"]')).waitFor({ timeout: FINAL_WITHIN_MS });
  });

  it("reads a view function without a transaction", async () => {
    const { page, runCommand } = workbench;

    await runCommand("Finality: Read Contract…");
    await pick(page, "TeaHouse");
    await pick(page, "price()");

    await page.locator('.statusbar-item[id="status.notifications"]').click();
    await page
      .locator(".notifications-center .notification-list-item", { hasText: "TeaHouse.price() = 2000000" })
      .waitFor();
  });
});
