import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, PageScreenshotOptions } from "playwright-core";

/** Set, it puts the pictures where the documentation shows them. */
const FOLDER = process.env.FINALITY_DOC_IMAGES ?? join(import.meta.dirname, "../../.cache/screenshots");

/** Takes a picture for the documentation. @returns its size in bytes */
export async function takePicture(page: Page, name: string, clip?: PageScreenshotOptions["clip"]): Promise<number> {
  const picture = await page.screenshot(clip === undefined ? {} : { clip });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `${name}.png`), picture);
  return picture.length;
}

/** For a workbench whose theme follows that of the system: with it a picture can be taken of an open question. */
export const FOLLOWS_SYSTEM_THEME = { "window.autoDetectColorScheme": true };

/** Takes a picture in the light and one in the dark theme, of whatever is on the screen. */
export async function takeBothPictures(page: Page, name: string): Promise<void> {
  for (const [colorScheme, shown] of [
    ["dark", ".vs-dark"],
    ["light", ".vs"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`.monaco-workbench${shown}[class*="-json"]`).waitFor();
    await takePicture(page, `${name}-${colorScheme}`);
  }
}
