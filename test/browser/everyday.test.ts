import assert from "node:assert/strict";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { endSuiteAtFirstFailure } from "../support/workbench/failed-screen.ts";
import { stepInput } from "../support/workbench/quick-input.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";
import { FOLLOWS_SYSTEM_THEME, takeBothPictures } from "./pictures.ts";

const FINAL_WITHIN_MS = 60_000;
const root = join(import.meta.dirname, "..", "..");
const SETTINGS = { "finality.localChain.blockTime": 300, ...FOLLOWS_SYSTEM_THEME };

describe("a newcomer's walk through stakes, by keyboard alone", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let folder: string;

  endSuiteAtFirstFailure();

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "finality-everyday-"));
    cpSync(join(root, "samples", "build"), join(folder, "build"), { recursive: true });
    workbench = await openWorkbench({ folder, settings: SETTINGS });
    await workbench.showFinality();
    await workbench.runCommand("Finality: Start Local Chain");
    await rowOf(workbench.page, "Alice").waitFor();
  });

  after(async () => {
    await workbench.close();
    rmSync(folder, { recursive: true, force: true });
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
    const { page } = workbench;
    await dialogOf(page).getByRole("button", { name: "Sign and Send" }).waitFor();
    const review = await dialogOf(page).innerText();
    await takeBothPictures(page, picture);
    for (const line of lines) assert.match(review, line);
    await page.keyboard.press("Enter");
    await dialogOf(page).waitFor({ state: "detached" });
  }

  async function final(label: string): Promise<void> {
    await rowOf(workbench.page, `${label}. Final, successful`).waitFor({ timeout: FINAL_WITHIN_MS });
  }

  /** Takes a row of a list that has no words of its own to ask with. */
  async function pick(entry: string): Promise<void> {
    const { page } = workbench;
    await page.locator(".quick-input-list .monaco-list-row", { hasText: entry }).first().waitFor();
    await page.keyboard.type(entry);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: entry }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** Answers the box that asks this; what stands there does, if nothing else is said. */
  async function answer(question: string, text?: string): Promise<void> {
    const { page } = workbench;
    await page.locator(".quick-input-widget", { hasText: question }).waitFor();
    if (text !== undefined) await page.locator(".quick-input-widget input").fill(text);
    await page.keyboard.press("Enter");
  }

  /** Bob reserves a seat for the n-th time, and reads in the review what it costs him. */
  async function reserve(time: number, picture: string, costs: RegExp): Promise<void> {
    const calls = '.pane-body .monaco-list-row[aria-label^="TeaHouse.reserve"][aria-label*="Final, successful"]';
    await workbench.runCommand("Finality: Call Contract…");
    await pick("TeaHouse");
    await pick("reserve");
    await answer("seats (uint256)", "1");
    await pick("Bob");
    await answer("Fee limit. Estimate:");
    await sign(picture, [costs]);
    await workbench.page
      .locator(calls)
      .nth(time - 1)
      .waitFor({ timeout: FINAL_WITHIN_MS });
  }

  it("reads what a friend's call costs who has no energy", async () => {
    await workbench.runCommand("Finality: Deploy Contract…");
    await pick("TeaHouse");
    await answer("leaf_ (address)", "Alice");
    await answer("price_ (uint256)", "2000000");
    await pick("Carol");
    await answer("How much of the energy does the caller pay?");
    await answer("How much energy do you pay at most");
    await answer("Fee limit. Estimate:");
    await sign("walk-deploy", [/Deploy “TeaHouse”\?/]);
    await final("Create TeaHouse");

    await reserve(1, "walk-call-paid", /Costs: [1-9][\d.]* coins\n/);
  });

  it("stakes for energy, and sees what it brings before it signs", async () => {
    await workbench.runCommand("Finality: Stake…");
    await choose("From which account?", "Alice");
    await choose("For what?", "energy");
    await typeCoins("5000", /5,000,000,000 sun · about 44,999 energy a day at today's weight/);
    await sign("stake-review", [
      /Stake 5,000 coins for energy\?/,
      /Brings: about (44,999) energy a day at today's weight: 0 → \1\n/,
      /14 days later the coins can be withdrawn/,
      /Costs: nothing \(\d+ bytes of free bandwidth\)/,
    ]);

    await final("Stake 5,000 for energy");
  });

  it("lends a part of it to the friend, whose next call pays for bandwidth alone", async () => {
    await workbench.runCommand("Finality: Delegate…");
    await choose("From which account?", "Alice");
    await choose("What to lend?", "energy");
    await choose("To whom?", "Bob");
    await typeCoins("4000", /receiver: 0 → [\d,]+ energy a day/);
    await choose("When may it be taken back?", "Whenever I want");
    await sign("delegate-review", [/To: Bob · T\w{33}/, /Receiver: 0 → [\d,]+ energy a day/, /Taken back: whenever/]);
    await final("Delegate 4,000 as energy to Bob");

    await reserve(
      2,
      "walk-call-covered",
      /Paid by staked energy: 5,589\nBandwidth: 312 bytes, 0\.312 coins\nCosts: 0\.312 coins\n/,
    );
  });

  it("takes it back, and unstakes", async () => {
    await workbench.runCommand("Finality: Undelegate…");
    await choose("From which account?", "Alice");
    await choose("What to take back?", "energy");
    await choose("From whom?", "Bob");
    await typeCoins("4000", /you: [\d,]+ → [\d,]+ energy a day/);
    await sign("undelegate-review", [/Receiver: [\d,]+ → 0 energy a day/]);
    await final("Take back 4,000 of energy from Bob");

    await workbench.runCommand("Finality: Unstake…");
    await choose("From which account?", "Alice");
    await choose("Of which stake?", "energy");
    await typeCoins("5000", /takes away about [\d,]+ energy a day/);
    await sign("unstake-review", [/Comes back: .*, 14 days from now by the chain's time/]);
    await final("Unstake 5,000 from energy");
  });

  it("is told that nothing has come back yet, with the harmless button first", async () => {
    const { page, runCommand } = workbench;
    await runCommand("Finality: Withdraw Unstaked…");
    await choose("From which account?", "Alice");
    const dialog = dialogOf(page);
    await dialog.getByRole("button", { name: "Do Not Send" }).waitFor();
    const review = await dialog.innerText();
    assert.match(review, /although the chain would refuse it\?/);
    assert.match(review, /Nothing has come back yet\./);
    assert.match(review, /Later: 5,000 coins on /);
    await takeBothPictures(page, "withdraw-too-early");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await rowOf(page, "Withdraw unstaked coins").count(), 0);
  });

  it("withdraws after the fortnight, and has every coin but what its transactions burned", async () => {
    await workbench.runCommand("Finality: Warp Time…");
    await answer("How far does chain time jump?", "15 d");
    await workbench.page.locator(".statusbar-item", { hasText: /solidified/ }).waitFor();
    await workbench.runCommand("Finality: Withdraw Unstaked…");
    await choose("From which account?", "Alice");
    await sign("withdraw-review", [/Withdraws: 5,000 coins \(5,000,000,000 sun\) that came back from stakes/]);

    await final("Withdraw unstaked coins");
    await rowOf(workbench.page, "Alice, 9,999.463 coins").waitFor();
  });
});
