import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { copySamples } from "../support/samples/copy-samples.ts";
import { answer, type OpenWorkbench, openWorkbench, pick, tryAgain } from "../support/workbench/workbench.ts";
import { submitForm } from "./argument-form.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { takePicture } from "./pictures.ts";
import { findBarriers, timelinePage } from "./timeline-page.ts";

const REASON = "NotEnoughLeaves(holder: Grace, balance: 0, needed: 5)";
const root = join(import.meta.dirname, "..", "..");

describe("failed call", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let page: Page;
  let folder: string;

  const row = (spoken: string): Locator => page.locator(`.pane-body .monaco-list-row[aria-label*="${spoken}"]`).first();
  const pageInFront = () => timelinePage(page);

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "finality-failed-call-"));
    copySamples(join(root, "samples"), folder, ["build"]);
    // Slow enough to leave the list before the outcome is final there, however busy the machine is.
    workbench = await openWorkbench({ folder, settings: { "finality.localChain.blockTime": 2_000 } });
    ({ page } = workbench);
    await workbench.showFinality();
    await page.locator(".pane-body .monaco-button", { hasText: "Start Local Chain" }).first().click();
    await row("Alice").waitFor();
  });

  after(async () => {
    await workbench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A page that is drawn late takes the focus, and the list that was asked for closes: it is asked for again. */
  async function showTimeline(): Promise<void> {
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: Show Transaction");
      await pick(page, "transfer", { timeout });
    });
  }

  async function press(button: string): Promise<void> {
    await page.locator(".monaco-dialog-box .monaco-button", { hasText: button }).click();
  }

  async function notice(): Promise<Locator> {
    const center = page.locator(".notifications-center:visible");
    if ((await center.count()) === 0) await page.locator('.statusbar-item[id="status.notifications"]').click();
    const found = center.locator(".notification-list-item", { hasText: REASON });
    await found.waitFor();
    return found;
  }

  it("shows the contract's error with values and account names in the list", async () => {
    await workbench.runCommand("Finality: Deploy Contract…");
    await pick(page, "Leaf");
    await submitForm(page, "Deploy Leaf", { supply: "1000000000" }, "Alice");
    await press("Sign and Send");
    await row("Deploy Leaf. Final, successful").waitFor();

    await workbench.runCommand("Finality: Call Contract…");
    await pick(page, "Leaf");
    await pick(page, "transfer(");
    const form = await submitForm(page, "Call Leaf", { "to address": "Alice", value: "5" }, "Grace");
    await form.locator(".status", { hasText: "would REVERT" }).waitFor();
    await form.getByLabel("Fee limit").fill("100 coins");
    await page.keyboard.press("Enter");
    await press("Sign and Send Anyway");
    // A visible row causes no notification. Sending shows the list with the row selected, so the test leaves the list
    // after that.
    await page.locator('.pane-body .monaco-list-row.selected[aria-label*="transfer"]').waitFor();
    await workbench.runCommand("View: Show Explorer");
    await page.locator(".composite.title", { hasText: "Explorer" }).first().waitFor();
    await notice();

    await workbench.showFinality();
    await row(`Final, failed: ${REASON}`).waitFor();
  });

  it("shows the error in the notification, with the source of its name", async () => {
    assert.match((await (await notice()).textContent()) ?? "", /named by Leaf \(build\/contracts\/Leaf\.json\)/);
  });

  it("shows the error in the timeline, and in the decoder with the call and its cost", async () => {
    await showTimeline();
    await pageInFront().getByText(REASON).first().waitFor();
    const ids = pageInFront().getByText(/^[0-9a-f]{64}$/);
    const txId = (await ids.last().textContent()) ?? "";
    assert.deepEqual(await findBarriers(page), []);

    await workbench.runCommand("Finality: Decode This Transaction…");
    await answer(page, "The txID of any transaction", txId);

    await pageInFront().locator(".head h1", { hasText: "Reverted: NotEnoughLeaves(holder: T" }).waitFor();
    await pageInFront().getByText("Final, but failed: NotEnoughLeaves(holder: Grace").first().waitFor();
  });

  for (const theme of ["dark", "light", "high-contrast"] as const satisfies readonly ThemeName[]) {
    it(`is readable in the theme ${THEMES[theme].label}`, async () => {
      await chooseTheme(page, theme);
      await pageInFront().locator(".head h1").waitFor();
      await takePicture(page, `failed-call-decoder-${theme}`);
      await showTimeline();
      await notice();
      await pageInFront().getByText(REASON).first().waitFor();
      await takePicture(page, `failed-call-${theme}`);
      await workbench.runCommand("Finality: Open Decoder");
    });
  }

  it("retries the call by keyboard after its cause is fixed, with the earlier failure in the review", async () => {
    const successes = page.locator(
      '.pane-body .monaco-list-row[aria-label*="transfer"][aria-label*="Final, successful"]',
    );
    await workbench.showFinality();
    await workbench.runCommand("Finality: Call Contract…");
    await pick(page, "Leaf");
    await pick(page, "transfer(");
    await submitForm(page, "Call Leaf", { "to address": "Grace", value: "5", "Fee limit": "" }, "Alice");
    await press("Sign and Send");
    await successes.first().waitFor();

    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: Retry as New Transaction…");
      await pick(page, "transfer", { timeout });
    });
    await answer(page, "Fee limit. Estimate:");
    const review = page.locator(".monaco-dialog-box");
    await review.filter({ hasText: "it failed with" }).filter({ hasText: "NotEnoughLeaves" }).waitFor();
    await takePicture(page, "do-it-again-review");
    await page.keyboard.press("Enter");

    await successes.nth(1).waitFor();
    assert.equal(await row(`Final, failed: ${REASON}`).count(), 1, "the old one stays what it was");
  });

  it("shows call, arguments, cost, result and events of the successful call on its page", async () => {
    const success = page.locator(
      '.pane-body .monaco-list-row[aria-label*="transfer"][aria-label*="Final, successful"]',
    );
    await workbench.showFinality();
    await success.first().locator(".label-name").click();

    const shown = pageInFront();
    await shown.getByRole("heading", { name: "Events", level: 2 }).waitFor();
    const call = shown.getByRole("region", { name: "Call", exact: true });
    await call.getByText("transfer(address,uint256)").waitFor();
    await call
      .getByRole("table", { name: "Arguments" })
      .getByRole("row", { name: /value uint256 5/ })
      .waitFor();
    await shown.getByRole("region", { name: "Cost" }).getByText("Estimated energy when signed").waitFor();
    const result = shown.getByRole("table", { name: "Returned Values" });
    await result.getByRole("row", { name: /bool true/ }).waitFor();
    const event = shown.getByRole("region", { name: "Events" }).getByRole("table", { name: "Transfer" });
    await event.getByRole("row", { name: /address Grace \(T\w{33}\)/ }).waitFor();
    await page.locator(".pane-body .monaco-list:focus").waitFor();
    assert.deepEqual(await findBarriers(page), []);
  });

  for (const theme of ["dark", "light", "high-contrast"] as const satisfies readonly ThemeName[]) {
    it(`shows that page in the theme ${THEMES[theme].label} and in a narrow window`, async () => {
      await chooseTheme(page, theme);
      const size = page.viewportSize() ?? { width: 1_400, height: 900 };
      await page.setViewportSize({ width: size.width, height: 2_400 });
      await pageInFront().getByRole("heading", { name: "Raw", level: 2 }).waitFor();
      await workbench.screenshot(`page-of-call-${theme}`);
      await page.setViewportSize({ width: 680, height: 900 });
      assert.deepEqual(await findBarriers(page), []);
      await workbench.screenshot(`page-of-call-narrow-${theme}`);
      await page.setViewportSize(size);
    });
  }

  it("shows the contract address of the deployment with its actions, in the same tab", async () => {
    const tabs = page.locator(".tabs-container .tab");
    const before = await tabs.count();
    await row("Deploy Leaf. Final, successful").locator(".label-name").click();

    const result = pageInFront().getByRole("region", { name: "Result" });
    await result.getByText("Contract address").waitFor();
    await result.getByText(/^T\w{33}$/).waitFor();
    await result.getByRole("button", { name: "Call Contract" }).waitFor();
    const given = pageInFront().getByRole("table", { name: "Constructor Arguments" });
    await given.getByRole("row", { name: /supply uint256 1,?000,?000,?000/ }).waitFor();
    assert.equal(await tabs.count(), before, "the form of the deployment has a tab of its own");
    assert.equal(await tabs.filter({ hasText: "transfer" }).count(), 0);
    assert.deepEqual(await findBarriers(page), []);
    await workbench.screenshot("page-of-deployment");
  });
});
