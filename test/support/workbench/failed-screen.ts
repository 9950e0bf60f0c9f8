import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";

const FOLDER = join(import.meta.dirname, "..", "..", "..", ".cache", "screenshots", "failed");
/** What a person would look at first, and what no message of a locator says. */
const TELLING = ".quick-input-widget, .monaco-dialog-box, .notification-list-item, .pane-body .monaco-list-row";
/** The element that takes the keys; an iframe is a page that took the focus. */
const FOCUS =
  "document.hasFocus() ? [document.activeElement?.tagName.toLowerCase(), document.activeElement?.className].join('.') : 'no element'";
const LOOK_MS = 5_000;
const open = new Set<Page>();

/** From now on a test that fails tells what this page showed. */
export function watchScreen(page: Page): void {
  open.add(page);
  page.once("close", () => open.delete(page));
}

/**
 * For a suite whose tests go on from where the one before ended: the first that fails is the last that runs. Each of
 * the others would wait in vain for what cannot come any more.
 */
export function endSuiteAtFirstFailure(): void {
  afterEach(function () {
    if (this.currentTest?.state === "failed")
      throw new Error("The tests after it go on from there: they were not run.");
  });
}

afterEach(async function () {
  if (this.currentTest?.state !== "failed") return;
  this.timeout(4 * LOOK_MS);
  for (const page of open)
    await tell(page, this.currentTest.title).catch((error: unknown) => process.stderr.write(`${error}\n`));
});

async function tell(page: Page, title: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const name = title.replace(/[^a-z0-9]+/gi, "-").slice(0, 80);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), timeout: LOOK_MS });
  const typed = page.locator(".quick-input-widget input").filter({ visible: true });
  const values = (await typed.count()) === 0 ? [] : [`typed: ${await typed.first().inputValue({ timeout: LOOK_MS })}`];
  const texts = await page.locator(TELLING).filter({ visible: true }).allInnerTexts();
  const focus = await page.evaluate<string>(FOCUS);
  const lines = [`On the screen, focus in ${focus}:`, ...values, ...texts.map((text) => text.replace(/\s+/g, " "))];
  process.stderr.write(`${lines.join("\n      · ")}\n`);
}
