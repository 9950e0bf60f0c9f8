import { basename } from "node:path";
import type { Page } from "playwright-core";
import { tryAgain } from "../support/workbench/workbench.ts";

/** Opens a file of the workspace by its keys. */
export async function openFile(page: Page, path: string): Promise<void> {
  await tryAgain(page, async (timeout) => {
    await page.keyboard.press("Control+p");
    await page.locator(".quick-input-widget input").fill(path, { timeout });
    const row = page.locator(".quick-input-list .monaco-list-row.focused", { hasText: basename(path) });
    await row.waitFor({ timeout });
  });
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
}
