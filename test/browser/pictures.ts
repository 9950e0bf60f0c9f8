import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page, PageScreenshotOptions } from "playwright-core";
import { encodePicture } from "./webp.ts";

const root = join(import.meta.dirname, "../..");
const SCREENSHOTS = join(root, ".cache/screenshots");
/** Set (`npm run pictures`), the pictures that the documentation shows are taken for it. */
const FOR_DOCUMENTATION = process.env.FINALITY_DOC_IMAGES !== undefined;
/** True if pictures are turned on. The tests of a whole run need none, and each takes time. */
const TAKES_PICTURES = FOR_DOCUMENTATION || process.env.FINALITY_PICTURES !== undefined;

/** Takes a picture if pictures are turned on. Stores it in the documentation if a page of the documentation shows it. */
export async function takePicture(page: Page, name: string, clip?: PageScreenshotOptions["clip"]): Promise<void> {
  if (!TAKES_PICTURES) return;
  // A page that was hidden loads its icons again.
  const loaded = page.frames().map((frame) => frame.evaluate("document.fonts.ready.then(() => undefined)"));
  await Promise.allSettled(loaded);
  const picture = await page.screenshot(clip === undefined ? {} : { clip });
  mkdirSync(SCREENSHOTS, { recursive: true });
  writeFileSync(join(SCREENSHOTS, `${name}.png`), picture);
  const file = `images/${name}.webp`;
  if (FOR_DOCUMENTATION && isShown(file)) writeFileSync(join(root, "docs", file), await encodePicture(page, picture));
}

/** Returns true if a page of the documentation shows the picture. */
function isShown(file: string): boolean {
  const pages = readdirSync(join(root, "docs")).filter((it) => it.endsWith(".md"));
  return pages.some((page) => readFileSync(join(root, "docs", page), "utf8").includes(`(${file})`));
}

/** Returns the path of an animated picture of the documentation. */
export function pictureFile(name: string): string {
  mkdirSync(SCREENSHOTS, { recursive: true });
  return FOR_DOCUMENTATION ? join(root, "docs/images", name) : join(SCREENSHOTS, name);
}

/** For a workbench whose theme follows that of the system: with it a picture can be taken of an open question. */
export const FOLLOWS_SYSTEM_THEME = { "window.autoDetectColorScheme": true };

/** Takes a picture in the light and one in the dark theme, if pictures are turned on. */
export async function takeBothPictures(page: Page, name: string): Promise<void> {
  if (!TAKES_PICTURES) return;
  for (const [colorScheme, shown] of [
    ["dark", ".vs-dark"],
    ["light", ".vs"],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.locator(`.monaco-workbench${shown}[class*="-json"]`).waitFor();
    await takePicture(page, `${name}-${colorScheme}`);
  }
}
