import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import {
  chooseInStep,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  stepInput,
  typeInStep,
} from "../support/workbench/workbench.ts";
import { clickInRow } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";
import { shareEmptyView } from "./shared-workbench.ts";

/** A row of a tree, by what a screen reader says of it. */
function row(page: Page, spoken: string): Locator {
  return page.locator(`.pane-body .monaco-list-row[aria-label*="${spoken}"]`).first();
}

async function startLocalChain(page: Page): Promise<void> {
  await page.locator(".pane-body .monaco-button", { hasText: "Start Local Chain" }).first().click();
  await row(page, "Alice").waitFor();
}

describe("Send Coins", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareEmptyView();
  });

  it("leads by mouse from an empty view to a final transaction, with prompts only for recipient and amount", async () => {
    const { page } = workbench;
    await workbench.showFinality();
    await startLocalChain(page);

    await clickInRow(row(page, "Alice"), "Send Coins", stepInput(page, "Recipient?"));
    await chooseInStep(page, "Recipient?", "Bob");
    await typeInStep(page, "1.5", "1.5");
    const hint = page.locator(".quick-input-message");
    await hint.filter({ hasText: "1,500,000 sun" }).waitFor();
    await page.keyboard.press("Enter");

    const dialog = page.locator(".monaco-dialog-box");
    await dialog.waitFor();
    const review = (await dialog.textContent()) ?? "";
    for (const part of [
      "Valid for 60 s…",
      "Send 1.5 coins to Bob?",
      "Alice",
      "1,500,000 sun",
      "fields match",
      "Local chain",
    ]) {
      assert.ok(review.includes(part), `the review lacks "${part}":\n${review}`);
    }
    await takePicture(page, "send-coins-review");
    await dialog.getByRole("button", { name: "Sign and Send" }).click();

    await row(page, "1.5 coins to Bob. Final, successful").waitFor();
    await row(page, "Bob, 10,001.5 coins").waitFor();
    await takePicture(page, "send-coins-final");
  });

  async function typeByKeys(placeholder: string, text: string): Promise<void> {
    const { page } = workbench;
    await stepInput(page, placeholder).waitFor();
    await page.keyboard.type(text);
    const answer = page.locator(".quick-input-message", { hasText: "sun" });
    const choice = page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text });
    await (placeholder === "1.5" ? answer : choice).waitFor();
    await page.keyboard.press("Enter");
  }

  it("works by keyboard", async () => {
    const { page, runCommand } = workbench;

    await runCommand("Finality: Send Coins…");
    await typeByKeys("From which account?", "Alice");
    await typeByKeys("Recipient?", "Bob");
    await typeByKeys("1.5", "2.25");
    const dialog = page.locator(".monaco-dialog-box");
    await dialog.getByRole("button", { name: "Valid for 60 s…" }).press("Enter");
    await stepInput(page, "How long may it wait").waitFor();
    await page.keyboard.type("5 min");
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: "a proof then reads about" }).waitFor();
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Valid for 5 min…" }).waitFor();
    assert.match((await dialog.textContent()) ?? "", /Expires: 5 min after the chain's last block/);
    await page.keyboard.press("Enter");

    await row(page, "2.25 coins to Bob. Final, successful").waitFor();
  });

  it("signs nothing when the review is dismissed", async () => {
    const { page, runCommand } = workbench;

    await runCommand("Finality: Send Coins…");
    await chooseInStep(page, "From which account?", "Alice");
    await chooseInStep(page, "Recipient?", "Bob");
    await typeInStep(page, "1.5", "7");
    await page.keyboard.press("Enter");
    await page.locator(".monaco-dialog-box").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".monaco-dialog-box").waitFor({ state: "detached" });

    assert.equal(await row(page, "7 coins to Bob").count(), 0);
  });
});
