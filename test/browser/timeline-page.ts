import assert from "node:assert/strict";
import type { Frame, FrameLocator, Page } from "playwright-core";
import { barriersIn } from "./barriers.ts";

/** Returns the timeline page in front. */
export function timelinePage(page: Page): FrameLocator {
  return page.frameLocator("iframe.webview.ready:visible").frameLocator("#active-frame");
}

export async function frameOf(page: Page): Promise<Frame> {
  const handle = await timelinePage(page).locator("body").elementHandle();
  const frame = await handle?.ownerFrame();
  assert.ok(frame);
  return frame;
}

/** Waits until the focus is where it should be, by the key of the element. */
export async function focusOn(page: Page, key: string): Promise<void> {
  await timelinePage(page).locator(`[data-key="${key}"]:focus`).waitFor();
}

/** Returns the violations that axe finds in the page. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  return await barriersIn(await frameOf(page), ["html"]);
}
