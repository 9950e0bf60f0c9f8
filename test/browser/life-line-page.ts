import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame, FrameLocator, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The page of the life line that is in front. */
export function lifeLinePage(page: Page): FrameLocator {
  return page.frameLocator("iframe.webview.ready:visible").frameLocator("#active-frame");
}

async function frameOf(page: Page): Promise<Frame> {
  const handle = await lifeLinePage(page).locator("body").elementHandle();
  const frame = await handle?.ownerFrame();
  assert.ok(frame);
  return frame;
}

/** What axe finds wrong in the page, as rule and place. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  const frame = await frameOf(page);
  await frame.evaluate(AXE);
  return await frame.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((it) => `${id}: ${it.target.join(" ")} ${it.failureSummary}`),
    );
  });
}
