import assert from "node:assert/strict";
import { endSuiteAtFirstFailure } from "../support/workbench/failed-screen.ts";
import { stepInput } from "../support/workbench/quick-input.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";

const FINAL_WITHIN_MS = 60_000;
const FAST_CHAIN = { "finality.localChain.blockTime": 300 };

describe("a newcomer's walk through stakes, by keyboard alone", function () {
  this.timeout(240_000);
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

  /** Types into a step, and takes the row that is found. */
  async function choose(placeholder: string, text: string): Promise<void> {
    const { page } = workbench;
    await stepInput(page, placeholder).waitFor();
    await page.keyboard.type(text);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** Types coins, and reads what they bring before it goes on. */
  async function typeCoins(coins: string, hint: RegExp): Promise<void> {
    const { page } = workbench;
    await stepInput(page, "100").waitFor();
    await page.keyboard.type(coins);
    await page.locator(".quick-input-message", { hasText: hint }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** Reads the review, and signs with Enter. */
  async function sign(picture: string, lines: readonly RegExp[]): Promise<void> {
    const { page, screenshot } = workbench;
    await dialogOf(page).getByRole("button", { name: "Sign and Send" }).waitFor();
    const review = await dialogOf(page).innerText();
    await screenshot(picture);
    for (const line of lines) assert.match(review, line);
    await page.keyboard.press("Enter");
    await dialogOf(page).waitFor({ state: "detached" });
  }

  async function final(label: string): Promise<void> {
    await rowOf(workbench.page, `${label}. Final, successful`).waitFor({ timeout: FINAL_WITHIN_MS });
  }

  it("stakes for energy, and sees what it brings before it signs", async () => {
    await workbench.runCommand("Finality: Stake…");
    await choose("From which account?", "Alice");
    await choose("For what?", "energy");
    await typeCoins("500", /500,000,000 sun · about [\d,]+ energy a day at today's weight/);
    await sign("stake-review", [
      /Stake 500 coins for energy\?/,
      /Brings: about ([\d,]+) energy a day at today's weight: 0 → \1\n/,
      /14 days later the coins can be withdrawn/,
      /Costs: nothing \(\d+ bytes of free bandwidth\)/,
    ]);

    await final("Stake 500 for energy");
  });

  it("lends a part of it to a friend", async () => {
    await workbench.runCommand("Finality: Delegate…");
    await choose("From which account?", "Alice");
    await choose("What to lend?", "energy");
    await choose("To whom?", "Bob");
    await typeCoins("200", /receiver: 0 → [\d,]+ energy a day/);
    await choose("When may it be taken back?", "Whenever I want");
    await sign("delegate-review", [/To: Bob · T\w{33}/, /Receiver: 0 → [\d,]+ energy a day/, /Taken back: whenever/]);

    await final("Delegate 200 as energy to Bob");
  });

  it("takes it back, and unstakes", async () => {
    await workbench.runCommand("Finality: Undelegate…");
    await choose("From which account?", "Alice");
    await choose("What to take back?", "energy");
    await choose("From whom?", "Bob");
    await typeCoins("200", /you: [\d,]+ → [\d,]+ energy a day/);
    await sign("undelegate-review", [/Receiver: [\d,]+ → 0 energy a day/]);
    await final("Take back 200 of energy from Bob");

    await workbench.runCommand("Finality: Unstake…");
    await choose("From which account?", "Alice");
    await choose("Of which stake?", "energy");
    await typeCoins("100", /takes away about [\d,]+ energy a day/);
    await sign("unstake-review", [/Comes back: .*, 14 days from now by the chain's time/]);
    await final("Unstake 100 from energy");
  });

  it("is told that nothing has come back yet, with the harmless button first, in each theme", async () => {
    const { page, screenshot, runCommand } = workbench;
    for (const theme of ["light", "high-contrast"] as const) {
      await chooseTheme(page, theme);
      await runCommand("Finality: Withdraw Unstaked…");
      await choose("From which account?", "Alice");
      const dialog = dialogOf(page);
      await dialog.getByRole("button", { name: "Do Not Send" }).waitFor();
      const review = await dialog.innerText();
      assert.match(review, /although the chain would refuse it\?/);
      assert.match(review, /Nothing has come back yet\./);
      assert.match(review, /Later: 100 coins on /);
      await screenshot(`withdraw-review-${theme}`);
      await page.keyboard.press("Enter");
      await dialog.waitFor({ state: "detached" });
    }
    assert.equal(await rowOf(page, "Withdraw unstaked coins").count(), 0);
  });
});
