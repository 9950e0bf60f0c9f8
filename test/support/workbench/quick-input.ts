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
  await rowsOfList(page, entry).first().click();
}

/** Types into a step, and takes the row that is found. */
export async function choose(page: Page, placeholder: string, text: string, row = text): Promise<void> {
  await stepInput(page, placeholder).waitFor();
  await takeRow(page, text, row);
}

/** Takes a row of a list that has no words of its own to ask with: it is typed once it is there. */
export async function pick(page: Page, entry: string, patience: { readonly timeout?: number } = {}): Promise<void> {
  await rowsOfList(page, entry).first().waitFor(patience);
  await takeRow(page, entry, entry, patience);
}

async function takeRow(page: Page, text: string, row: string, patience = {}): Promise<void> {
  await page.keyboard.type(text);
  await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: row }).waitFor(patience);
  await page.keyboard.press("Enter");
}

function rowsOfList(page: Page, entry: string): Locator {
  return page.locator(".quick-input-list .monaco-list-row", { hasText: entry });
}

/** Answers the box that asks this; what stands there does, if nothing else is said. */
export async function answer(page: Page, question: string, text?: string): Promise<void> {
  await page.locator(".quick-input-widget", { hasText: question }).waitFor();
  if (text !== undefined) await page.locator(".quick-input-widget input").fill(text);
  await page.keyboard.press("Enter");
}

/** Types over what stands in a step, and reads what it means before it goes on. */
export async function typeAndRead(page: Page, placeholder: string, text: string, meaning: RegExp): Promise<void> {
  await stepInput(page, placeholder).waitFor();
  await typeOver(page, text, meaning);
}

/** Types over the number that a box proposes, by the words of the box, and reads what it means before it goes on. */
export async function countAndRead(page: Page, prompt: string | RegExp, text: string, meaning: RegExp): Promise<void> {
  await saysInBox(page, prompt);
  await typeOver(page, text, meaning);
}

async function typeOver(page: Page, text: string, meaning: RegExp): Promise<void> {
  await page.keyboard.press("Control+A");
  await page.keyboard.type(text);
  await saysInBox(page, meaning);
  await page.keyboard.press("Enter");
}

async function saysInBox(page: Page, words: string | RegExp): Promise<void> {
  await page.locator(".quick-input-message", { hasText: words }).waitFor();
}
