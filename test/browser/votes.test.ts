import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../src/local-chain/main.ts";
import { endSuiteAtFirstFailure } from "../support/workbench/failed-screen.ts";
import { stepInput } from "../support/workbench/quick-input.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { networkSettings } from "./network-settings.ts";
import { accountOf, dialogOf, importAlice, rowOf } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";

const FINAL_WITHIN_MS = 60_000;
const TEN_MINUTES = 600_000;

describe("votes and what an account has, by keyboard alone", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let page: Page;
  let chain: LocalChain;

  endSuiteAtFirstFailure();

  before(async () => {
    chain = await startLocalChain({ seed: "votes by keyboard", blockTimeMs: 300 });
    workbench = await openWorkbench({ settings: networkSettings("Tea chain", chain.baseUrl) });
    ({ page } = workbench);
    await workbench.showFinality();
    await importAlice(workbench, chain);
  });

  after(async () => {
    await workbench.close();
    await chain.close();
  });

  const ask = async <T>(path: string, body: object): Promise<T> => {
    const answer = await fetch(`${chain.baseUrl}/${path}`, { method: "POST", body: JSON.stringify(body) });
    return (await answer.json()) as T;
  };
  const balance = async (): Promise<number> => {
    const { address } = accountOf(chain, 0);
    return (await ask<{ balance: number }>("walletsolidity/getaccount", { address, visible: true })).balance;
  };

  async function choose(placeholder: string, text: string): Promise<void> {
    await stepInput(page, placeholder).waitFor();
    await page.keyboard.type(text);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** Takes the number that stands there, or types another one, and reads what it leaves. */
  async function count(witness: string, number: string, hint: RegExp): Promise<void> {
    await page.locator(".quick-input-message", { hasText: witness }).waitFor();
    await page.keyboard.press("Control+a");
    await page.keyboard.type(number);
    await page.locator(".quick-input-message", { hasText: hint }).waitFor();
    await page.keyboard.press("Enter");
  }

  async function sign(lines: readonly RegExp[], ...pictures: readonly ("dark" | "light")[]): Promise<void> {
    await dialogOf(page).getByRole("button", { name: "Sign and Send" }).waitFor();
    const review = await dialogOf(page).innerText();
    for (const line of lines) assert.match(review, line);
    for (const theme of pictures) await takePicture(page, `vote-review-${theme}`);
    await page.keyboard.press("Enter");
    await dialogOf(page).waitFor({ state: "detached" });
  }

  const final = (label: string): Promise<void> =>
    rowOf(page, `${label}. Final, successful`).waitFor({ timeout: FINAL_WITHIN_MS });

  /** Chooses the first rows of the list of witnesses. */
  async function chooseWitnesses(howMany: number): Promise<void> {
    await stepInput(page, "Which witnesses?").waitFor();
    for (let at = 0; at < howMany; at++) {
      await page.keyboard.press("ArrowDown");
      await page.keyboard.press("Space");
    }
  }

  it("opens an account and sees what it has, before anything is staked", async () => {
    await workbench.runCommand("Finality: Focus on Accounts View");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowRight");

    await rowOf(page, "Energy, none: nothing is staked for it").waitFor();
    await rowOf(page, "Free bandwidth, 0 of 600 used").waitFor();
    await rowOf(page, "Votes, none: nothing is staked").waitFor();
  });

  it("stakes, and votes for two witnesses out of the list", async () => {
    await workbench.runCommand("Finality: Stake…");
    await choose("From which account?", "Alice");
    await choose("For what?", "votes");
    await page.locator('.quick-input-widget input[placeholder="100"]').waitFor();
    await page.keyboard.type("300");
    await page.keyboard.press("Enter");
    await sign([/Stake 300 coins for votes/]);
    await final("Stake 300 for votes");

    await workbench.runCommand("Finality: Vote…");
    await choose("From which account?", "Alice");
    await chooseWitnesses(2);
    await takePicture(page, "vote-list-dark");
    await page.keyboard.press("Enter");
    await count("http://witness-0.invalid", "100", /200 of 300 votes stay free/);
    await takePicture(page, "vote-count-dark");
    await count("http://witness-1.invalid", "200", /0 of 300 votes stay free/);
    await sign([/Give 300 votes to 2 witnesses\?/, /Replaces: nothing/, /rank 1 · makes blocks · keeps 20 %/], "dark");

    await final("Vote for 2 witnesses");
    await rowOf(page, "Votes, 300 of 300 votes used").waitFor();
  });

  it("is told what another vote replaces, with the former ones chosen already", async () => {
    await chooseTheme(page, "light");
    await workbench.runCommand("Finality: Vote…");
    await choose("From which account?", "Alice");
    await stepInput(page, "Which witnesses?").waitFor();
    await takePicture(page, "vote-list-light");
    await page.keyboard.press("Enter");
    await count("http://witness-0.invalid", "300", /0 of 300 votes stay free/);
    await page.locator(".quick-input-message", { hasText: "http://witness-1.invalid" }).waitFor();
    await page.keyboard.press("Escape");

    await workbench.runCommand("Finality: Vote…");
    await choose("From which account?", "Alice");
    await stepInput(page, "Which witnesses?").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await page.keyboard.press("Enter");
    await count("http://witness-0.invalid", "250", /50 of 300 votes stay free/);
    await sign([/Replaces: all former votes of this account, 100 for/, /Changes: .* 100 → 250, .* 200 → 0/], "light");
    await final("Vote for 1 witness");
    await rowOf(page, "Votes, 250 of 300 votes used").waitFor();
  });

  it("sees the reward come after the counts of votes, and withdraws it to the sun", async () => {
    for (let round = 0; round < 3; round++) {
      await ask("local/warp", { ms: TEN_MINUTES });
      await ask("local/mine", { blocks: 2 });
    }
    await workbench.runCommand("Finality: Refresh Accounts");
    await page.locator('.pane-body .monaco-list-row[aria-label^="Reward, "][aria-label*="waiting"]').waitFor();
    await takePicture(page, "account-details-light");
    const before = await balance();

    await workbench.runCommand("Finality: Withdraw Reward…");
    await choose("From which account?", "Alice");
    await sign([/Withdraws: [\d.,]+ coins \([\d,]+ sun\)/]);
    await final("Withdraw reward");

    const [sent] = await withdrawals();
    assert.ok(sent !== undefined && sent > 0);
    assert.equal(await balance(), before + sent);
    await chooseTheme(page, "dark");
    await rowOf(page, "Reward, none waiting").waitFor();
    await takePicture(page, "account-details-dark");
  });

  /** What solidified blocks paid out as rewards, sun. */
  async function withdrawals(): Promise<readonly number[]> {
    const { block_header: head } = await ask<{ block_header: { raw_data: { number: number } } }>(
      "walletsolidity/getnowblock",
      {},
    );
    const last = head.raw_data.number;
    const heights = Array.from({ length: 60 }, (_, back) => last - back).filter((it) => it > 0);
    const infos = await Promise.all(
      heights.map((num) => ask<{ withdraw_amount?: number }[]>("wallet/gettransactioninfobyblocknum", { num })),
    );
    return infos.flat().flatMap(({ withdraw_amount }) => withdraw_amount ?? []);
  }
});
