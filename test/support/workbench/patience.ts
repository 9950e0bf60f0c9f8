import { errors, type Page } from "playwright-core";

/**
 * How long the first attempt may take, in ms. Each further one has twice the time of the one before: a minute in all.
 */
const FIRST_MS = 2_000;
const ATTEMPTS = 5;

/**
 * Does again, after Escape, what the workbench swallowed or what came too early for it: soon at first, for that is a
 * matter of a moment on an idle machine, and with ever more patience, for a busy one.
 */
export async function tryAgain(page: Page, step: (timeout: number) => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step(FIRST_MS * 2 ** (attempt - 1));
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof errors.TimeoutError)) throw error;
    }
    await page.keyboard.press("Escape");
  }
}
