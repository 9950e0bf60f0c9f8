import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  answer,
  choose,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  pick,
  typeAndRead,
} from "../support/workbench/workbench.ts";
import { submitForm } from "./argument-form.ts";
import { acceptByEnter, readReview, untilFinal } from "./local-flow.ts";
import { rowOf } from "./pay-by-hand.ts";
import { takeBothPictures } from "./pictures.ts";
import { shareLocalChain } from "./shared-workbench.ts";

describe("staking by keyboard", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let page: Page;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareLocalChain();
    ({ page } = workbench);
  });

  /** Types coins, and reads what they bring before it goes on. */
  const typeCoins = (coins: string, hint: RegExp): Promise<void> => typeAndRead(page, "100", coins, hint);

  /** Reads the review, and signs with Enter. */
  async function sign(picture: string, lines: readonly RegExp[]): Promise<void> {
    await readReview(page, "Sign and Send", lines);
    await takeBothPictures(page, picture);
    await acceptByEnter(page);
  }

  /** Bob reserves a seat for the n-th time, and reads in the review what it costs him. */
  async function reserve(time: number, picture: string, costs: RegExp): Promise<void> {
    const calls =
      '.pane-body .monaco-list-row[aria-label^="Call reserve on TeaHouse"][aria-label*="Final, successful"]';
    await workbench.runCommand("Finality: Call Contract…");
    await pick(page, "TeaHouse");
    await pick(page, "reserve");
    await submitForm(page, "Call TeaHouse", { seats: "1" }, "Bob");
    await sign(picture, [costs]);
    await page
      .locator(calls)
      .nth(time - 1)
      .waitFor();
  }

  it("shows the cost of a call by an account without energy", async () => {
    await workbench.runCommand("Finality: Deploy Contract…");
    await pick(page, "TeaHouse");
    await submitForm(page, "Deploy TeaHouse", { leaf_: "Alice", price_: "2000000" }, "Carol");
    await sign("walk-deploy", [/Deploy “TeaHouse”\?/]);
    await untilFinal(page, "Deploy TeaHouse");

    await reserve(1, "walk-call-paid", /Costs: [1-9][\d.]* coins\n/);
  });

  it("stakes for energy, and shows the gain before signing", async () => {
    await workbench.runCommand("Finality: Stake…");
    await choose(page, "From which account?", "Alice");
    await choose(page, "Stake for what?", "energy");
    await typeCoins("5000", /5,000,000,000 sun · about 44,999 energy a day at the current total stake/);
    await sign("stake-review", [
      /Stake 5,000 coins for energy\?/,
      /Brings: about (44,999) energy a day at the current total stake: 0 → \1\n/,
      /14 days later the coins can be withdrawn/,
      /Costs: nothing \(\d+ bytes of free bandwidth\)/,
    ]);

    await untilFinal(page, "Stake 5,000 coins for energy");
  });

  it("delegates energy to an account, whose next call pays only for bandwidth", async () => {
    await workbench.runCommand("Finality: Delegate…");
    await choose(page, "From which account?", "Alice");
    await choose(page, "What to delegate?", "energy");
    await choose(page, "Recipient?", "Bob");
    await typeCoins("4000", /receiver: 0 → [\d,]+ energy a day/);
    await choose(page, "When can it be taken back?", "At any time");
    await sign("delegate-review", [
      /To: Bob · T\w{33}/,
      /Receiver: 0 → [\d,]+ energy a day/,
      /Taken back: at any time/,
    ]);
    await untilFinal(page, "Delegate 4,000 coins as energy to Bob");

    await reserve(
      2,
      "walk-call-covered",
      /Paid by staked energy: 5,589\nBandwidth: 312 bytes, 0\.312 coins\nCosts: 0\.312 coins\n/,
    );
  });

  it("reclaims the energy, and unstakes", async () => {
    await workbench.runCommand("Finality: Undelegate…");
    await choose(page, "From which account?", "Alice");
    await choose(page, "Which stake or delegation?", "energy");
    await choose(page, "Take back from which account?", "Bob");
    await typeCoins("4000", /you: [\d,]+ → [\d,]+ energy a day/);
    await sign("undelegate-review", [/Receiver: [\d,]+ → 0 energy a day/]);
    await untilFinal(page, "Take back 4,000 coins of energy from Bob");

    await workbench.runCommand("Finality: Unstake…");
    await choose(page, "From which account?", "Alice");
    await choose(page, "Of which stake?", "energy");
    await typeCoins("5000", /removes about [\d,]+ energy a day/);
    await sign("unstake-review", [/Available: .*, 14 days from now by the chain's time/]);
    await untilFinal(page, "Unstake 5,000 coins from energy");
  });

  it("warns that no unstake has finished yet, with the safe button first", async () => {
    await workbench.runCommand("Finality: Withdraw Unstaked…");
    await choose(page, "From which account?", "Alice");
    await readReview(page, "Do Not Send", [
      /although the chain would refuse it\?/,
      /No unstake has finished yet\./,
      /Later: 5,000 coins on /,
    ]);
    await takeBothPictures(page, "withdraw-too-early");
    await acceptByEnter(page);
    assert.equal(await rowOf(page, "Withdraw unstaked coins").count(), 0);
  });

  it("withdraws after 14 days, and has all coins except the burned fees", async () => {
    await workbench.runCommand("Finality: Warp Time…");
    await answer(page, "How far to advance chain time?", "15 d");
    await page.locator(".statusbar-item", { hasText: /solidified/ }).waitFor();
    await workbench.runCommand("Finality: Withdraw Unstaked…");
    await choose(page, "From which account?", "Alice");
    await sign("withdraw-review", [/Withdraws: 5,000 coins \(5,000,000,000 sun\) from finished unstakes/]);

    await untilFinal(page, "Withdraw unstaked coins");
    await rowOf(page, "Alice, 9,999.463 coins").waitFor();
  });
});
