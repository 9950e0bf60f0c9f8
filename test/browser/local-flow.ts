import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type OpenWorkbench, openWorkbench, type WorkbenchOptions } from "../support/workbench/workbench.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";

const FINAL_WITHIN_MS = 60_000;

/** Opens a workbench, and starts a local chain in it whose blocks come quickly. */
export async function openOnLocalChain(options: WorkbenchOptions = {}): Promise<OpenWorkbench> {
  const settings = { "finality.localChain.blockTime": 300, ...options.settings };
  const workbench = await openWorkbench({ ...options, settings });
  await workbench.showFinality();
  await workbench.runCommand("Finality: Start Local Chain");
  await rowOf(workbench.page, "Alice").waitFor();
  return workbench;
}

/** Reads the review, which has this button, and leaves it on the screen. */
export async function readReview(page: Page, button: string, lines: readonly RegExp[] = []): Promise<string> {
  await dialogOf(page).getByRole("button", { name: button, exact: true }).waitFor();
  const review = await dialogOf(page).innerText();
  for (const line of lines) assert.match(review, line);
  return review;
}

/** Takes the first button of a dialog. */
export async function acceptByEnter(page: Page): Promise<void> {
  await page.keyboard.press("Enter");
  await dialogOf(page).waitFor({ state: "detached" });
}

/** Waits until a transaction is final, and was executed as it should. */
export async function untilFinal(page: Page, label: string): Promise<void> {
  await rowOf(page, `${label}. Final, successful`).waitFor({ timeout: FINAL_WITHIN_MS });
}
