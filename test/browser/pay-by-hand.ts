import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { LocalChain } from "../../src/local-chain/main.ts";
import { chooseInStep, stepInput, typeInStep } from "../support/quick-input.ts";
import type { OpenWorkbench } from "../support/workbench.ts";

/** The menu of a row is drawn when the pointer is above it, and a row that is drawn anew at that moment swallows the click. */
const CLICK_AGAIN_MS = 10_000;

/** One of the accounts that the chain made for people. */
export function accountOf(chain: LocalChain, index: number): LocalChain["ready"]["accounts"][number] {
  const found = chain.ready.accounts[index];
  assert.ok(found);
  return found;
}

/** A row of a tree, by a part of what a screen reader says of it. */
export function rowOf(page: Page, spoken: string): Locator {
  return page.locator(`.pane-body .monaco-list-row[aria-label*="${spoken}"]`).first();
}

/** The row of a payment in a state, by its amount. */
export function paymentRow(page: Page, coins: string, state: string): Locator {
  return page.locator(`.pane-body .monaco-list-row[aria-label^="${coins} to"][aria-label*="${state}"]`).first();
}

export function dialogOf(page: Page): Locator {
  return page.locator(".monaco-dialog-box");
}

/** Imports the key of the chain's first account, as Alice. */
export async function importAlice({ page, runCommand }: OpenWorkbench, chain: LocalChain): Promise<void> {
  await runCommand("Finality: Import Signing Key…");
  await page.locator('.quick-input-widget input[type="password"]').fill(accountOf(chain, 0).privateKey);
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-message", { hasText: "name" }).waitFor();
  await page.locator(".quick-input-widget input").fill("Alice");
  await page.keyboard.press("Enter");
  await rowOf(page, "Alice").waitFor();
}

/** Sends coins from Alice to the second account, up to the first question, which is a dialog. */
export async function askForPayment(page: Page, chain: LocalChain, coins: string): Promise<void> {
  const { address } = accountOf(chain, 1);
  await clickInRow(rowOf(page, "Alice"), "Send Coins", stepInput(page, "To whom?"));
  await typeInStep(page, "To whom?", address);
  await chooseInStep(page, "To whom?", address);
  await typeInStep(page, "1.5", coins);
  await page.locator(".quick-input-message", { hasText: "sun" }).waitFor();
  await page.keyboard.press("Enter");
  await dialogOf(page).waitFor();
}

async function clickInRow(row: Locator, action: string, then: Locator): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    await row.hover();
    await row.locator(`[aria-label^="${action}"]`).click();
    const timeout = attempt < 3 ? CLICK_AGAIN_MS : 3 * CLICK_AGAIN_MS;
    const isThere = then.waitFor({ timeout }).then(
      () => true,
      (error: unknown) => again(error, attempt),
    );
    if (await isThere) return;
  }
}

function again(error: unknown, attempt: number): false {
  if (attempt >= 3) throw error;
  return false;
}

/** Lets the chain, whose blocks come on demand, make blocks. */
export async function mine(chain: LocalChain, blocks: number): Promise<void> {
  await fetch(new URL("/local/mine", chain.baseUrl), { method: "POST", body: JSON.stringify({ blocks }) });
}

/** What the second account has in solidified data, sun. */
export async function paidTo(chain: LocalChain): Promise<number> {
  const { address } = accountOf(chain, 1);
  const body = JSON.stringify({ address, visible: true });
  const answer = await fetch(new URL("/walletsolidity/getaccount", chain.baseUrl), { method: "POST", body });
  return ((await answer.json()) as { balance: number }).balance;
}
