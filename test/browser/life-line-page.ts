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
  return await barriersIn(await frameOf(page), "html");
}

/** The same for a part of the workbench itself, such as a hover. */
export async function findBarriersIn(page: Page, selector: string): Promise<readonly string[]> {
  return await barriersIn(page.mainFrame(), selector);
}

async function barriersIn(frame: Frame, selector: string): Promise<readonly string[]> {
  await frame.evaluate(AXE);
  return await frame.evaluate(async (root) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          root: string,
        ): Promise<{ violations: { id: string; nodes: { target: unknown[]; failureSummary: string }[] }[] }>;
      };
    };
    const { violations } = await axe.run(root);
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((it) => `${id}: ${it.target.join(" ")} ${it.failureSummary}`),
    );
  }, selector);
}

const LOOK_EVERY_MS = 250;
const KEPT_WITHIN_MS = 60_000;

/**
 * Waits until the workbench has written down which editors are open: it does so every few seconds.
 *
 * @param needle - a view type, or a part of what its page remembers
 */
export async function editorsAreKept(page: Page, needle: string): Promise<void> {
  // `waitForFunction` takes the promise itself for an answer.
  const search = `(${SEARCH})(${JSON.stringify(needle)})`;
  for (const end = Date.now() + KEPT_WITHIN_MS; !(await page.evaluate<boolean>(search)); ) {
    assert.ok(Date.now() < end, `The workbench did not write down "${needle}".`);
    await page.waitForTimeout(LOOK_EVERY_MS);
  }
}

/** Runs in the page of the workbench, whose types the tests do not have. */
const SEARCH = `async (needle) => {
  const read = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error);
    });
  for (const { name = "" } of await indexedDB.databases()) {
    if (!name.startsWith("vscode-web-state-db")) continue;
    const database = await read(indexedDB.open(name));
    const kept = await read(database.transaction("ItemTable").objectStore("ItemTable").getAll());
    database.close();
    if (kept.some((it) => String(it).includes(needle))) return true;
  }
  return false;
}`;
