import assert from "node:assert/strict";
import type { Locator } from "playwright-core";
import { endSuiteAtFirstFailure, type OpenWorkbench, tryAgain } from "../support/workbench/workbench.ts";
import { takeBothPictures } from "./pictures.ts";
import { shareQuietWorkbench } from "./shared-workbench.ts";

describe("walkthrough", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareQuietWorkbench();
  });

  const steps = (): Locator => workbench.page.locator(".getting-started-step");

  const done = (step: number): Locator => steps().nth(step).locator(".codicon-getting-started-step-checked");

  /** Opens the walkthrough as a user without our command does: from the list of the editor. */
  async function openFromWelcome(): Promise<void> {
    const { page, runCommand } = workbench;
    await tryAgain(page, async (timeout) => {
      await runCommand("Welcome: Open Walkthrough...");
      const entry = page.locator(".quick-input-list .monaco-list-row", { hasText: "Finality" }).first();
      await entry.click({ timeout });
      await steps().filter({ hasText: "Start a chain" }).waitFor({ timeout });
    });
  }

  async function openWalkthrough(): Promise<void> {
    await tryAgain(workbench.page, async (timeout) => {
      await workbench.runCommand("Finality: Open Walkthrough");
      // Older editors have one of their own open.
      await steps().filter({ hasText: "Start a chain" }).waitFor({ timeout });
    });
  }

  it("U22: completes a step by what was done before the walkthrough was opened", async () => {
    const { page } = workbench;
    await workbench.runCommand("Finality: Decode Selection");
    await page.locator(".quick-input-widget input").fill("SIGERROR");
    await page.keyboard.press("Enter");
    await page.locator(".tab", { hasText: "Decoder" }).first().waitFor();

    await openFromWelcome();

    await done(3).first().waitFor();
    await workbench.screenshot("walkthrough-done");
    assert.equal(await done(4).count(), 0);
  });

  it("opens by its command with six steps, each with a picture", async () => {
    const { page } = workbench;
    await openWalkthrough();

    assert.equal(await steps().count(), 6);
    for (const [index, title] of [
      "Start a chain",
      "Send coins",
      "Watch it",
      "Hover an error",
      "See the cost",
    ].entries()) {
      const step = steps().nth(index);
      await tryAgain(page, async (timeout) => {
        await step.click({ timeout });
        await step.locator(".step-description-container").first().waitFor({ timeout });
      });
      assert.match((await step.textContent()) ?? "", new RegExp(title));
      await page.frameLocator("iframe.webview").frameLocator("#active-frame").locator("svg title").waitFor({
        state: "attached",
      });
      await takeBothPictures(page, `walkthrough-${index + 1}`);
    }
  });

  it("completes its first step when the local chain runs", async () => {
    const first = steps().first();
    assert.equal(await done(0).count(), 0);

    await first.click();
    await first.locator(".monaco-button", { hasText: "Start Local Chain" }).click();

    await done(0).first().waitFor();
  });

  it("U22: completes no step by a click on it", async () => {
    await steps().nth(4).click();

    assert.equal(await done(4).count(), 0);
  });

  it("links to the documentation page about call costs", async () => {
    const { page } = workbench;
    await steps().nth(4).click();
    await steps().nth(4).locator(".monaco-button", { hasText: "Read About Energy" }).click();

    await page.locator(".tab", { hasText: "Preview energy.md" }).waitFor();
  });
});
