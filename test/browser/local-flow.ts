import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { ChainBeside } from "../support/chain/chain-beside.ts";
import { type OpenWorkbench, openWorkbench, type WorkbenchOptions } from "../support/workbench/workbench.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";

/** Blocks that come quickly. */
export const FAST_CHAIN = { "finality.localChain.blockTime": 300 };

/** Opens a workbench, and starts a local chain in it whose blocks come quickly. */
export async function openOnLocalChain(options: WorkbenchOptions = {}): Promise<OpenWorkbench> {
  const settings = { ...FAST_CHAIN, ...options.settings };
  const workbench = await openWorkbench({ ...options, settings });
  await workbench.showFinality();
  await workbench.runCommand("Finality: Start Local Chain");
  await rowOf(workbench.page, "Alice").waitFor();
  return workbench;
}

/** Takes the chain that runs beside the editor, when it is offered. */
export async function takeChainBeside(page: Page): Promise<void> {
  const dialog = dialogOf(page).filter({ hasText: "Use the local chain that runs at" });
  await dialog.getByRole("button", { name: "Use It" }).click();
}

/** Reads the review, which has this button, and leaves it on the screen. */
export async function readReview(page: Page, button: string, lines: readonly RegExp[] = []): Promise<string> {
  await dialogOf(page).getByRole("button", { name: button, exact: true }).waitFor();
  const review = await dialogOf(page).innerText();
  for (const line of lines) assert.match(review, line);
  return review;
}

/**
 * Presses Enter on the first button of a dialog after focusing it. The workbench returns the focus to
 * a page in two steps. On a busy machine the second step comes late and takes the focus from the dialog.
 */
export async function pressFirstButton(page: Page): Promise<void> {
  await dialogOf(page).locator(".monaco-button:not(.secondary)").press("Enter");
}

/** Takes the first button of a dialog that no other dialog follows. */
export async function acceptByEnter(page: Page): Promise<void> {
  await pressFirstButton(page);
  await dialogOf(page).waitFor({ state: "detached" });
}

/** Waits until a transaction is final, and was executed as it should. */
export async function untilFinal(page: Page, label: string): Promise<void> {
  await rowOf(page, `${label}. Final, successful`).waitFor();
}

/** The chain of this workbench, asked beside it: where it is, the list of networks tells. */
export async function chainBeside({ page, runCommand }: OpenWorkbench): Promise<ChainBeside> {
  await runCommand("Finality: Switch Network…");
  const row = page.locator(".quick-input-list .monaco-list-row", { hasText: "http://127.0.0.1:" });
  const [baseUrl] = /http:\/\/127\.0\.0\.1:\d+/.exec(await row.innerText()) ?? assert.fail("no address in the list");
  await page.keyboard.press("Escape");
  return new ChainBeside(baseUrl);
}

/** The address of an account in the list, base58. */
export async function addressOf(page: Page, name: string): Promise<string> {
  const spoken = await page.locator(`.pane-body .monaco-list-row[aria-label^="${name}, "]`).getAttribute("aria-label");
  return /T\w{33}$/.exec(spoken ?? "")?.[0] ?? assert.fail(`${spoken} has no address`);
}
