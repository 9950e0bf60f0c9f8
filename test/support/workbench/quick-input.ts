import type { Locator, Page } from "playwright-core";

/**
 * The steps of a dialog share one input, and each stays on the screen until the next takes its place. So a test names
 * the step by its placeholder before it types: what is typed a moment too early belongs to the step before, and is
 * lost.
 */
export async function typeInStep(page: Page, placeholder: string, text: string): Promise<void> {
  await stepInput(page, placeholder).fill(text);
}

/** The input of a step, by how its placeholder begins. */
export function stepInput(page: Page, placeholder: string): Locator {
  return page.locator(`.quick-input-widget input[placeholder^="${placeholder}"]`);
}

/** Chooses in a list by the mouse. */
export async function chooseInStep(page: Page, placeholder: string, entry: string): Promise<void> {
  await stepInput(page, placeholder).waitFor();
  await page.locator(".quick-input-list .monaco-list-row", { hasText: entry }).first().click();
}
