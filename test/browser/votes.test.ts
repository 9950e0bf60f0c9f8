import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { textAsHex } from "../support/chain/build-and-send.ts";
import { askOf, doneBy } from "../support/chain/chain-beside.ts";
import {
  choose,
  countAndRead,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  openWorkbench,
  stepInput,
  tryAgain,
  typeAndRead,
} from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { acceptByEnter, readReview, untilFinal } from "./local-flow.ts";
import { networkSettings } from "./network-settings.ts";
import { accountOf, importAlice, rowOf } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";

const TEN_MINUTES = 600_000;
const COIN = 1_000_000;
const BLOCKS_A_DAY = 28_800;

interface Head {
  readonly block_header: { readonly raw_data: { readonly number: number; readonly timestamp: number } };
}

describe("votes and account details by keyboard", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let page: Page;
  let chain: LocalChain;

  endSuiteAtFirstFailure();

  before(async () => {
    chain = await startLocalChain({ keySeed: "votes by keyboard", blockTimeMs: 300 });
    await livelyAccount();
    workbench = await openWorkbench({ settings: networkSettings("Tea chain", chain.baseUrl) });
    ({ page } = workbench);
    await workbench.showFinality();
    await importAlice(workbench, chain);
  });

  after(async () => {
    await chain.close();
    await workbench.close();
  });

  const ask = <T>(path: string, body: object): Promise<T> => askOf<T>(chain, path, body);

  /** Alice stakes, lends to a friend and borrows from it, unstakes, and has a token. */
  async function livelyAccount(): Promise<void> {
    const [alice, friend] = [accountOf(chain, 0).hex, accountOf(chain, 1).hex];
    const stake = { frozen_balance: 500 * COIN, resource: "ENERGY" };
    await doneBy(chain, 0, "freezebalancev2", stake);
    await doneBy(chain, 0, "freezebalancev2", { frozen_balance: 100 * COIN, resource: "BANDWIDTH" });
    const delegation = { resource: "ENERGY", receiver_address: friend, balance: 200 * COIN };
    await doneBy(chain, 0, "delegateresource", { ...delegation, lock: true, lock_period: BLOCKS_A_DAY });
    await doneBy(chain, 0, "unfreezebalancev2", { unfreeze_balance: 50 * COIN, resource: "ENERGY" });
    await doneBy(chain, 1, "freezebalancev2", stake);
    await doneBy(chain, 1, "delegateresource", { ...delegation, receiver_address: alice, balance: 70 * COIN });
    const { block_header: head } = await ask<Head>("wallet/getnowblock", {});
    const start_time = head.raw_data.timestamp + 86_400_000;
    const token = { name: textAsHex("TeaLeaf"), abbr: textAsHex("TEA"), url: textAsHex("http://tea.invalid") };
    const sale = { total_supply: 1_000_000, trx_num: 1, num: 1, start_time, end_time: start_time + 86_400_000 };
    await doneBy(chain, 1, "createassetissue", { ...token, ...sale, precision: 2 });
    await doneBy(chain, 1, "transferasset", { to_address: alice, asset_name: textAsHex("1000001"), amount: 1_234 });
  }
  const balance = async (): Promise<number> => {
    const { address } = accountOf(chain, 0);
    return (await ask<{ balance: number }>("walletsolidity/getaccount", { address, visible: true })).balance;
  };

  async function sign(lines: readonly RegExp[], ...pictures: readonly ("dark" | "light")[]): Promise<void> {
    await readReview(page, "Sign and Send", lines);
    for (const theme of pictures) await takePicture(page, `vote-review-${theme}`);
    await acceptByEnter(page);
  }

  /** Chooses the first rows of the list of witnesses. */
  async function chooseWitnesses(howMany: number): Promise<void> {
    await stepInput(page, "Which witnesses?").waitFor();
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "http://witness-1.invalid" }).waitFor();
    for (let at = 0; at < howMany; at++) {
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Space");
      await page.locator(".quick-input-count", { hasText: `${at + 1} Selected` }).waitFor();
    }
  }

  /** Collapses or expands the view of transactions: all rows of an account need its height. */
  const toggleTransactions = (): Promise<void> =>
    page.locator(".pane-header", { hasText: "Transactions" }).click({ position: { x: 60, y: 8 } });

  /** Waits for a row of the account. */
  async function untilRow(spoken: string): Promise<void> {
    await toggleTransactions();
    await rowOf(page, spoken).waitFor();
    await toggleTransactions();
  }

  /** Opens every row below the first account. */
  async function openAll(timeout: number): Promise<void> {
    const focused = page.locator(".pane-body .monaco-list-row.focused");
    await page.keyboard.press("Home");
    for (let at = 0; at < 16; at++) {
      await page.keyboard.press("ArrowDown");
      if ((await focused.getAttribute("aria-expanded")) !== "false") continue;
      await page.keyboard.press("ArrowRight");
      await focused.and(page.locator('[aria-expanded="true"]')).waitFor({ timeout });
    }
  }

  it("reads the account details as text", async () => {
    await toggleTransactions();
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: Focus on Accounts View");
      await page.keyboard.press("Home");
      await page.locator('.pane-body .monaco-list-row.focused[aria-label^="Alice"]').waitFor({ timeout });
      // A row that was expanded during a redraw is empty until it is collapsed and expanded.
      await page.keyboard.press("ArrowLeft");
      await page.keyboard.press("ArrowRight");
      await rowOf(page, "Bandwidth, ").waitFor({ timeout });
    });
    const rows = [
      "of 600 used, recovers in 24 h",
      "Staked, 550 coins",
      "Delegated out, 200 coins",
      "200 coins as energy, locked for 24 h",
      "Delegated in, 70 coins",
      "70 coins as energy, not locked",
      "50 coins, from energy, available in 14 days",
      "Votes, none available",
      "Token 1000001, 1,234 units, calls itself “TeaLeaf”",
    ];
    // A row that is opened while its account is drawn again may stay shut.
    await tryAgain(page, async (timeout) => {
      await openAll(timeout);
      for (const spoken of rows) await rowOf(page, spoken).waitFor({ timeout });
    });
    const spoken = await page
      .locator(".pane-body .monaco-list-row[aria-label]")
      .evaluateAll((all) => all.map((it) => it.getAttribute("aria-label") ?? ""));
    assert.ok(spoken.every((it) => !/[▰▱]/.test(it)));
  });

  it("is shown in each theme", async () => {
    await page.mouse.move(351, 300);
    await page.mouse.down();
    await page.mouse.move(640, 300);
    await page.mouse.up();
    for (const theme of ["light", "high-contrast", "dark"] as const) {
      await chooseTheme(page, theme);
      await takePicture(page, `account-details-${theme}`, { x: 0, y: 34, width: 650, height: 860 });
    }
    await rowOf(page, "Bandwidth, ").hover();
    await page.locator(".monaco-hover", { hasText: "coins staked in total" }).waitFor();
    await takePicture(page, "account-hover-dark");
    await toggleTransactions();
  });

  it("U17: reports that an account has no votes before the prompt for witnesses", async () => {
    await workbench.runCommand("Finality: Vote…");
    await choose(page, "From which account?", "Alice");

    await page.locator(".notification-list-item", { hasText: "Alice has no votes" }).waitFor();
    await page.locator(".notification-list-item").getByRole("button", { name: "Stake…" }).waitFor();
    await workbench.runCommand("Notifications: Clear All Notifications");
  });

  it("stakes, and votes for two listed witnesses", async () => {
    await workbench.runCommand("Finality: Stake…");
    await choose(page, "From which account?", "Alice");
    await choose(page, "Stake for what?", "votes");
    await typeAndRead(page, "100", "300", /sun/);
    await sign([/Stake 300 coins for votes/]);
    await untilFinal(page, "Stake 300 coins for votes");

    await workbench.runCommand("Finality: Vote…");
    await choose(page, "From which account?", "Alice");
    await chooseWitnesses(2);
    await takePicture(page, "vote-list-dark");
    await page.keyboard.press("Enter");
    await countAndRead(page, "http://witness-0.invalid", "200", /100 of 300 votes remain unused/);
    await takePicture(page, "vote-count-dark");
    await countAndRead(page, "http://witness-1.invalid", "100", /0 of 300 votes remain unused/);
    await sign(
      [/Give 300 votes to 2 witnesses\?/, /Replaces: nothing/, /rank 1 · produces blocks · keeps 20 %/],
      "dark",
    );

    await untilFinal(page, "Vote for 2 witnesses");
    await untilRow("Votes, 300 of 300 votes used");
  });

  it("shows what a new vote replaces, with the former witnesses preselected", async () => {
    await chooseTheme(page, "light");
    await workbench.runCommand("Finality: Vote…");
    await choose(page, "From which account?", "Alice");
    await stepInput(page, "Which witnesses?").waitFor();
    await takePicture(page, "vote-list-light");
    await page.keyboard.press("Enter");
    await countAndRead(page, "http://witness-0.invalid", "300", /0 of 300 votes remain unused/);
    await page.locator(".quick-input-message", { hasText: "http://witness-1.invalid" }).waitFor();
    await page.keyboard.press("Escape");

    await workbench.runCommand("Finality: Vote…");
    await choose(page, "From which account?", "Alice");
    await stepInput(page, "Which witnesses?").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await countAndRead(page, "http://witness-0.invalid", "250", /50 of 300 votes remain unused/);
    await sign([/Replaces: all previous votes of this account, 200 for/, /Changes: .* 200 → 250, .* 100 → 0/], "light");
    await untilFinal(page, "Vote for 1 witness");
    await untilRow("Votes, 250 of 300 votes used");
  });

  it("shows the reward after the vote counts, and withdraws all of it", async () => {
    for (let round = 0; round < 3; round++) {
      await ask("local/warp", { ms: TEN_MINUTES });
      await ask("local/mine", { blocks: 2 });
    }
    await workbench.runCommand("Finality: Refresh Accounts");
    await toggleTransactions();
    await page
      .locator('.pane-body .monaco-list-row[aria-label^="Reward, "][aria-label*="coins to withdraw"]')
      .waitFor();
    await toggleTransactions();
    const before = await balance();

    await workbench.runCommand("Finality: Withdraw Reward…");
    await choose(page, "From which account?", "Alice");
    await sign([/Withdraws: [\d.,]+ coins \([\d,]+ sun\)/]);
    await untilFinal(page, "Withdraw reward");

    const [sent] = await withdrawals();
    assert.ok(sent !== undefined && sent > 0);
    assert.equal(await balance(), before + sent);
    await chooseTheme(page, "dark");
    await untilRow("Reward, none to withdraw");
  });

  /** Returns the rewards that solidified blocks paid; sun. */
  async function withdrawals(): Promise<readonly number[]> {
    const { block_header: head } = await ask<Head>("walletsolidity/getnowblock", {});
    const last = head.raw_data.number;
    const heights = Array.from({ length: 60 }, (_, back) => last - back).filter((it) => it > 0);
    const infos = await Promise.all(
      heights.map((num) => ask<{ withdraw_amount?: number }[]>("wallet/gettransactioninfobyblocknum", { num })),
    );
    return infos.flat().flatMap(({ withdraw_amount }) => withdraw_amount ?? []);
  }
});
