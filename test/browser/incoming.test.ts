import assert from "node:assert/strict";
import { endSuiteAtFirstFailure } from "../support/workbench/failed-screen.ts";
import { stepInput } from "../support/workbench/quick-input.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";

const FINAL_WITHIN_MS = 60_000;
const FAST_CHAIN = { "finality.localChain.blockTime": 300 };

describe("waiting for a payment, by keyboard alone", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await openWorkbench({ settings: FAST_CHAIN });
    await workbench.showFinality();
    await workbench.runCommand("Finality: Start Local Chain");
    await rowOf(workbench.page, "Alice").waitFor();
  });

  after(async () => {
    await workbench.close();
  });

  async function choose(placeholder: string, text: string): Promise<void> {
    const { page } = workbench;
    await stepInput(page, placeholder).waitFor();
    await page.keyboard.type(text);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text }).waitFor();
    await page.keyboard.press("Enter");
  }

  it("asks for whom, in what and how much, and shows who is waited for", async () => {
    const { page } = workbench;
    await workbench.runCommand("Finality: Watch Incoming…");
    await choose("Payments to whom? Choose an account or paste an address", "Bob");
    await choose("Paid in what? Coins, or type a token", "Coins");
    await stepInput(page, "whatever comes").waitFor();
    await page.keyboard.type("2.5");
    await page
      .locator(".quick-input-message", { hasText: "2,500,000 sun in all, in one payment or several" })
      .waitFor();
    await workbench.screenshot("watch-incoming-amount");
    await page.keyboard.press("Enter");

    await rowOf(page, "Coins to Bob. 0 of 2.5 coins. Watching.").waitFor();
  });

  it("shows the payment when it is final, says so, and is done, in each theme", async () => {
    const { page, screenshot } = workbench;
    await workbench.runCommand("Finality: Send Coins…");
    await choose("From which account?", "Alice");
    await choose("To whom? Choose an account or paste an address", "Bob");
    await stepInput(page, "1.5").waitFor();
    await page.keyboard.type("2.5");
    await page.keyboard.press("Enter");
    await dialogOf(page).getByRole("button", { name: "Sign and Send" }).waitFor();
    await page.keyboard.press("Enter");
    await dialogOf(page).waitFor({ state: "detached" });

    const row = rowOf(page, "Coins to Bob. 2.5 coins, final. 1 payment.");
    await row.waitFor({ timeout: FINAL_WITHIN_MS });
    await page.locator('.statusbar-item[id="status.notifications"]').click();
    const notices = page.locator(".notifications-center .notification-list-item");
    await notices.filter({ hasText: "Payment received, final: 2.5 coins to Bob." }).waitFor();
    await page.keyboard.press("Escape");
    await row.click();
    await page.keyboard.press("ArrowRight");
    const payment = rowOf(page, "2.5 coins from Alice. Final");
    await payment.waitFor();
    for (const theme of ["light", "dark"] as const) {
      await chooseTheme(page, theme);
      await screenshot(`incoming-final-${theme}`);
    }
    assert.equal(await payment.count(), 1);
  });
});
