import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { type OpenWorkbench, pick } from "../support/workbench/workbench.ts";
import { argumentForm, chooseSigner, messageOf } from "./argument-form.ts";
import { takePicture } from "./pictures.ts";
import { shareLocalChain } from "./shared-workbench.ts";
import { findBarriers, focusOn, frameOf, timelinePage } from "./timeline-page.ts";

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
    const form = await argumentForm(page, "Deploy TeaHouse");
    await focusOn(page, "field a.0");
    await page.keyboard.type("Alice");
    await messageOf(form, "a.0", /^Alice = T/);
    await page.keyboard.press("Tab");
    await focusOn(page, "field a.1");
    await page.keyboard.type("2000000");
    await messageOf(form, "a.1", "2,000,000");
    await chooseSigner(form, "Alice");
    await takePicture(page, "argument-form");
    await page.keyboard.press("Control+Enter");
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
    await row(page, "Deploy TeaHouse. Final, successful").waitFor();
  });

  it("validates arguments while they are typed, and warns before signing when the call would revert", async () => {
    const { page, runCommand } = workbench;

    await runCommand("Finality: Call Contract…");
    await pick(page, "TeaHouse");
    await pick(page, "reserve");
    const form = await argumentForm(page, "Call TeaHouse");
    await focusOn(page, "field a.0");
    await page.keyboard.press("Enter");
    await messageOf(form, "a.0", "Enter a value.");
    await messageOf(form, "from", "Choose an account.");
    await page.keyboard.type("many");
    await messageOf(form, "a.0", /^Write a whole number, .* Allowed: 0 to 2\^256 − 1\.$/);
    // The workbench passes Ctrl+A on to the page a second time, and later.
    await page.keyboard.press("Shift+Home");
    await page.keyboard.type("99");
    await chooseSigner(form, "Bob");
    await page.keyboard.press("Enter");
    await form.locator(".status", { hasText: "would REVERT" }).waitFor();
    await focusOn(page, "field feeLimit");
    await page.keyboard.type("100 coins");
    await takePicture(page, "call-form-would-revert");
    await page.keyboard.press("Enter");
    const text = await review();

    assert.match(text, /Call “reserve” on “TeaHouse” although it would fail\?/);
    assert.match(text, /The tea house has twelve seats\./);
    await takePicture(page, "call-would-revert");
    await page.keyboard.press("Enter");
    await page.locator(".monaco-dialog-box").waitFor({ state: "detached" });
    assert.equal(await row(page, "Call reserve on TeaHouse").count(), 0, "nothing was signed");
  });

  it("warns when the fee limit is too small, and Enter accepts the sufficient one", async () => {
    const { page, runCommand } = workbench;

    // The title of an open form is no sign that the command has shown it.
    await runCommand("View: Close All Editors");
    await runCommand("Finality: Call Contract…");
    await pick(page, "TeaHouse");
    await pick(page, "reserve");
    const form = await argumentForm(page, "Call TeaHouse");
    await form.getByLabel("seats").first().fill("4");
    await form.getByLabel("Fee limit").fill("");
    await chooseSigner(form, "Bob");
    await form.getByRole("button", { name: "Estimate" }).press("Enter");
    await messageOf(form, "feeLimit", /^Estimate: [\d,]+ energy/);
    await form.getByLabel("Fee limit").fill("1 coin");
    await page.keyboard.press("Enter");
    assert.match(
      await review(),
      /although its costs are not covered\?.*fee_limit 1 coin pays for .* Set fee_limit to/s,
    );
    await takePicture(page, "call-fee-limit-too-small");
    await page.keyboard.press("Enter");
    await page.locator(".monaco-dialog-box", { hasText: "Call “reserve” on “TeaHouse”?" }).waitFor();
    await page.keyboard.press("Enter");
    const call = page.locator('.pane-body .monaco-list-row[aria-label^="Call reserve on TeaHouse"]');
    await call.and(page.locator('[aria-label*="Final, successful"]')).waitFor();
    await runCommand("View: Close All Editors");
    // The tooltip of the row under the pointer would take the click.
    await page.mouse.move(900, 400);
    await call.locator(".label-name").click();
    const shown = timelinePage(page);
    await shown.getByRole("row", { name: "seats uint256 4" }).waitFor();
    await shown.getByRole("region", { name: "Cost" }).waitFor();
    await takePicture(page, "transaction-page");
    assert.deepEqual(await findBarriers(page), []);
  });

  it("scrolls the page of a transaction to its result with Show Result", async () => {
    const { page, runCommand } = workbench;
    const whole = page.viewportSize() ?? assert.fail("the window has no size");
    const top = 'document.getElementById("result-title").getBoundingClientRect().top';
    const frame = await frameOf(page);
    await page.setViewportSize({ ...whole, height: 400 });
    try {
      assert.ok((await frame.evaluate<number>(top)) > 100);

      await runCommand("Finality: Show Result");
      await pick(page, "reserve");

      while (Math.abs(await frame.evaluate<number>(top)) > 40) await page.waitForTimeout(100);
    } finally {
      await page.setViewportSize(whole);
    }
  });

  it("reads a view function without a transaction", async () => {
    const { page, runCommand } = workbench;

    await runCommand("Finality: Read Contract…");
    await pick(page, "TeaHouse");
    await pick(page, "price()");

    const form = await argumentForm(page, "Read TeaHouse");
    await form.getByRole("row", { name: "2000000" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
  });
});
