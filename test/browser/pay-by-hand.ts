import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import type { LocalChain } from "../../packages/local-chain/src/main.ts";
import {
  choose,
  chooseInStep,
  HOST_QUESTION,
  type OpenWorkbench,
  stepInput,
  tryAgain,
  typeInStep,
} from "../support/workbench/workbench.ts";

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
  const amount = coins === "1" ? "1 coin" : `${coins} coins`;
  return page.locator(`.pane-body .monaco-list-row[aria-label^="${amount} to"][aria-label*="${state}"]`).first();
}

/** The dialog on the screen; the question of the host, which the workbench of tests answers, is none. */
export function dialogOf(page: Page): Locator {
  return page.locator(".monaco-dialog-box").filter({ hasNotText: HOST_QUESTION });
}

/** Imports the key of the chain's first account, as Alice. */
export async function importAlice(workbench: OpenWorkbench, chain: LocalChain): Promise<void> {
  await importAccount(workbench, accountOf(chain, 0).privateKey, "Alice");
}

/**
 * Goes by the palette as far as the question what there is to import. A new window in a browser asks first whether it may
 * store a key at all.
 */
export async function beginImport({ page, runCommand }: OpenWorkbench): Promise<void> {
  await runCommand("Finality: Import Signing Key…");
  await storeAllTheSame(page, stepInput(page, "What to import?"));
}

/** Confirms that the browser may store a key, if it asks before this step. */
export async function storeAllTheSame(page: Page, next: Locator): Promise<void> {
  const store = dialogOf(page).locator(".monaco-button", { hasText: "Store Key" });
  await store.or(next).first().waitFor();
  if (await store.isVisible()) await store.click();
  await next.waitFor();
}

/** Imports a key by the palette of the first window. */
export async function importAccount(workbench: OpenWorkbench, key: string, name: string): Promise<void> {
  const { page } = workbench;
  await beginImport(workbench);
  await choose(page, "What to import?", "Private Key");
  await page.locator('.quick-input-widget input[type="password"]').fill(key);
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-message", { hasText: "name" }).waitFor();
  await page.locator(".quick-input-widget input").fill(name);
  await page.keyboard.press("Enter");
  await rowOf(page, name).waitFor();
}

/** Sends coins from Alice to the second account, up to the first question, which is a dialog. */
export async function askForPayment(page: Page, chain: LocalChain, coins: string): Promise<void> {
  const { address } = accountOf(chain, 1);
  await clickInRow(rowOf(page, "Alice"), "Send Coins", stepInput(page, "Recipient?"));
  await typeInStep(page, "Recipient?", address);
  await chooseInStep(page, "Recipient?", address);
  await typeInStep(page, "1.5", coins);
  await page.locator(".quick-input-message", { hasText: "sun" }).waitFor();
  await page.keyboard.press("Enter");
  await dialogOf(page).waitFor();
}

/**
 * Clicks a button of a row, and tries once more if the click had no effect. A row that is redrawn
 * at that moment ignores the click, or its command prompts for the row.
 */
export async function clickInRow(row: Locator, action: string, then: Locator): Promise<void> {
  await tryAgain(row.page(), async (timeout) => {
    if (await then.isVisible()) return;
    await row.hover({ timeout });
    await row.locator(`[aria-label^="${action}"]`).click({ timeout });
    await then.waitFor({ timeout });
  });
}

/** Chooses an entry of the menu of a row, until the result is visible. */
export async function chooseInMenu(row: Locator, entry: string, then: Locator): Promise<void> {
  const page = row.page();
  await tryAgain(page, async (timeout) => {
    if (await then.isVisible()) return;
    await row.click({ button: "right", timeout });
    // A menu ignores clicks in its first moments.
    await page.locator(".monaco-menu:visible .action-menu-item", { hasText: entry }).hover({ timeout });
    await page.keyboard.press("Enter");
    await then.waitFor({ timeout });
  });
}

/** Lets the chain, whose blocks come on demand, make blocks. */
export async function mine(chain: LocalChain, blocks: number): Promise<void> {
  await fetch(new URL("/local/mine", chain.baseUrl), { method: "POST", body: JSON.stringify({ blocks }) });
}

/** Returns the solidified balance of the second account; sun. */
export async function paidTo(chain: LocalChain): Promise<number> {
  const { address } = accountOf(chain, 1);
  const body = JSON.stringify({ address, visible: true });
  const answer = await fetch(new URL("/walletsolidity/getaccount", chain.baseUrl), { method: "POST", body });
  return ((await answer.json()) as { balance: number }).balance;
}
