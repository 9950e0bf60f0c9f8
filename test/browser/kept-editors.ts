import assert from "node:assert/strict";
import type { Page } from "playwright-core";

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
