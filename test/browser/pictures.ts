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
