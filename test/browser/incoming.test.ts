import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  choose,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  stepInput,
  typeAndRead,
} from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { acceptByEnter, readReview } from "./local-flow.ts";
import { rowOf } from "./pay-by-hand.ts";
import { shareLocalChain } from "./shared-workbench.ts";

describe("incoming payment by keyboard", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let page: Page;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareLocalChain();
    ({ page } = workbench);
  });

  it("prompts for account, currency and amount, and shows the watch", async () => {
    await workbench.runCommand("Finality: Watch Incoming…");
    await choose(page, "Watch payments to which address? Choose an account or paste an address", "Bob");
    await choose(page, "Coins or a token? Choose one, or type a token", "Coins");
    await stepInput(page, "any amount").waitFor();
    await page.keyboard.type("2.5");
    await page
      .locator(".quick-input-message", { hasText: "2,500,000 sun in total, in one payment or several" })
      .waitFor();
    await workbench.screenshot("watch-incoming-amount");
    await page.keyboard.press("Enter");

    await rowOf(page, "Coins to Bob. 0 of 2.5 coins. Watching.").waitFor();
  });

  it("shows and announces the final payment and completes the watch, in each theme", async () => {
    const { screenshot } = workbench;
    await workbench.runCommand("Finality: Send Coins…");
    await choose(page, "From which account?", "Alice");
    await choose(page, "Recipient? Choose an account or paste an address", "Bob");
    await typeAndRead(page, "1.5", "2.5", /sun/);
    await readReview(page, "Sign and Send");
    await acceptByEnter(page);

    const row = rowOf(page, "Coins to Bob. 2.5 coins, final. 1 payment.");
    await row.waitFor();
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
