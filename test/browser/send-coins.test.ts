import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { type OpenWorkbench, openWorkbench } from "../support/workbench.ts";
import { takePicture } from "./pictures.ts";

const FINAL_WITHIN_MS = 60_000;
const FAST_CHAIN = { "finality.localChain.blockTime": 300 };

/** A row of a tree, by what a screen reader says of it. */
function row(page: Page, spoken: string): Locator {
  return page.locator(`.pane-body .monaco-list-row[aria-label*="${spoken}"]`).first();
}

async function openFinality(page: Page): Promise<void> {
  await page.locator('.activitybar [aria-label^="Finality"]').first().click();
}

async function startLocalChain(page: Page): Promise<void> {
  await page.locator(".pane-body .monaco-button", { hasText: "Start Local Chain" }).first().click();
  await row(page, "Alice").waitFor();
}

describe("Send Coins, as a person does it", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;

  before(async () => {
    workbench = await openWorkbench({ settings: FAST_CHAIN });
  });

  after(async () => {
    await workbench.close();
  });

  it("leads with the mouse from an empty view to a final transaction, with only recipient and amount to choose", async () => {
    const { page } = workbench;
    await openFinality(page);
    await startLocalChain(page);

    const alice = row(page, "Alice");
    await alice.hover();
    await alice.locator('[aria-label^="Send Coins"]').click();
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Bob" }).click();
    await page.locator(".quick-input-widget input").fill("1.5");
    const hint = page.locator(".quick-input-message");
    await hint.filter({ hasText: "1,500,000 sun" }).waitFor();
    await page.keyboard.press("Enter");

    const dialog = page.locator(".monaco-dialog-box");
    const review = (await dialog.textContent()) ?? "";
    for (const part of ["Send 1.5 to Bob?", "Alice", "1,500,000 sun", "fields match", "Local chain"]) {
      assert.ok(review.includes(part), `the review lacks "${part}":\n${review}`);
    }
    await takePicture(page, "send-coins-review");
    await dialog.getByRole("button", { name: "Sign and Send" }).click();

    await row(page, "1.5 to Bob. Final, successful").waitFor({ timeout: FINAL_WITHIN_MS });
    await takePicture(page, "send-coins-final");
  });

  it("works with the keyboard alone", async () => {
    const { page, runCommand } = workbench;

    await runCommand("Finality: Send Coins…");
    const input = page.locator(".quick-input-widget input");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Alice" }).waitFor();
    await page.keyboard.type("Alice");
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Bob" }).waitFor();
    await page.keyboard.type("Bob");
    await page.keyboard.press("Enter");
    await input.and(page.locator('[placeholder="1.5"]')).waitFor();
    await page.keyboard.type("2.25");
    await page.keyboard.press("Enter");
    await page.locator(".monaco-dialog-box").waitFor();
    await page.keyboard.press("Enter");

    await row(page, "2.25 to Bob. Final, successful").waitFor({ timeout: FINAL_WITHIN_MS });
  });

  it("signs nothing when the review is left with Escape", async () => {
    const { page, runCommand } = workbench;

    await runCommand("Finality: Send Coins…");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Alice" }).click();
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Bob" }).click();
    await page.locator('.quick-input-widget input[placeholder="1.5"]').fill("7");
    await page.keyboard.press("Enter");
    await page.locator(".monaco-dialog-box").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".monaco-dialog-box").waitFor({ state: "detached" });

    assert.equal(await row(page, "7 to Bob").count(), 0);
  });
});
