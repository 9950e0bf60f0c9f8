import assert from "node:assert/strict";
import type { FrameLocator, Page } from "playwright-core";
import { barriersIn } from "./barriers.ts";

/** The page of the life line that is in front. */
export function lifeLinePage(page: Page): FrameLocator {
  return page.frameLocator("iframe.webview.ready:visible").frameLocator("#active-frame");
}

/** What axe finds wrong in the page. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  const handle = await lifeLinePage(page).locator("body").elementHandle();
  const frame = await handle?.ownerFrame();
  assert.ok(frame);
  return await barriersIn(frame, ["html"]);
}
