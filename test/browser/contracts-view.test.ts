import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { type OpenWorkbench, pick } from "../support/workbench/workbench.ts";
import { argumentForm, submitForm } from "./argument-form.ts";
import { takePicture } from "./pictures.ts";
import { shareLocalChain } from "./shared-workbench.ts";

const FINAL_WITHIN_MS = 60_000;

function rowIn(page: Page, view: string, spoken: string): Locator {
  const pane = page.locator(".pane", { has: page.locator(".pane-header", { hasText: view }) });
  return pane.locator(`.monaco-list-row[aria-label*="${spoken}"]`).first();
}

describe("Contracts view", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  const inView = (spoken: string): Locator => rowIn(workbench.page, "Contracts", spoken);

  before(async () => {
    workbench = await shareLocalChain();
    const { page, runCommand } = workbench;
    await runCommand("Finality: Deploy Contract…");
    await pick(page, "Leaf");
    await submitForm(page, "Deploy Leaf", { supply: "1000000000" }, "Alice");
    await page.locator(".monaco-dialog-box", { hasText: "Deploy “Leaf”?" }).waitFor();
    await page.keyboard.press("Enter");
    await rowIn(page, "Transactions", "Deploy Leaf. Final, successful").waitFor({ timeout: FINAL_WITHIN_MS });
    await runCommand("View: Close All Editors");
  });

  it("shows the address of a deployed contract in the row of its transaction", async () => {
    const spoken = await rowIn(workbench.page, "Transactions", "Deploy Leaf").getAttribute("aria-label");

    assert.match(spoken ?? "", /Contract T\w{33}\./);
  });

  it("lists the deployment with its code, functions and transactions", async () => {
    const { page, runCommand } = workbench;
    await runCommand("Finality: Focus on Contracts View");
    // The view needs the height of the others, whose icons are on the right of their headers.
    for (const view of ["Transactions", "Accounts"])
      await page.locator(".pane-header", { hasText: view }).click({ position: { x: 40, y: 10 } });
    await inView("Leaf, ").click();

    await inView("Code: same code as").waitFor();
    await inView("Balance: 0").waitFor();
    await inView("Transactions, 1").waitFor();
    await takePicture(page, "contracts-view");
  });

  it("shows the value of a function in its row after a click", async () => {
    const { page } = workbench;
    await inView("Read, ").click();
    await inView("decimals()").click();

    await inView("decimals() = 6").waitFor();
    await takePicture(page, "contracts-view-value");
  });

  it("opens the form of a function with parameters", async () => {
    const { page, runCommand } = workbench;
    await inView("balanceOf(").click();

    await argumentForm(page, "Read Leaf");
    await runCommand("View: Close All Editors");
  });

  it("removes a contract from the list, and lists it again after it was added", async () => {
    const { page, runCommand } = workbench;
    const spoken = (await inView("Leaf, ").getAttribute("aria-label")) ?? "";
    const [address = ""] = /T\w{33}/.exec(spoken) ?? [];
    await runCommand("Finality: Remove Contract…");
    await pick(page, "Leaf");
    await inView("Leaf, ").waitFor({ state: "detached" });
    await runCommand("Finality: Add Contract…");
    await page.locator(".quick-input-widget input[placeholder='T…']").fill(address);
    await page.keyboard.press("Enter");
    await pick(page, "As found");
    await page.locator(".quick-input-widget input[placeholder='such as Tea House']").press("Enter");

    await inView("Leaf, ").waitFor();
  });
});
