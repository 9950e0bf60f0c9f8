import { resolve } from "node:path";

/** Where the workbench keeps it: newer ones in the second of these databases of the browser. */
const DATABASES = ["vscode-web-state-db-global", "vscode-web-state-db-global-shared"];

/**
 * Has a new browser know that a folder is trusted, as after the answer on an earlier day: a window then opens at once.
 *
 * @param {import("playwright-core").Page} page
 * @param {string} url - of the workbench
 * @param {string} folder
 */
export async function trustBefore(page, url, folder) {
  const { host, search } = new URL(url);
  await page.goto(new URL(`/version${search}`, url).href);
  const uri = { $mid: 1, path: resolve(folder), scheme: "vscode-remote", authority: host };
  const trust = JSON.stringify({ uriTrustInfo: [{ uri, trusted: true }] });
  await page.evaluate(keep, { databases: DATABASES, trust });
}

/** Runs in the page. @param {{ databases: readonly string[], trust: string }} what */
async function keep({ databases, trust }) {
  for (const name of databases) {
    /** @type {IDBDatabase} */
    const database = await new Promise((done, fail) => {
      const opening = indexedDB.open(name);
      opening.onupgradeneeded = () => opening.result.createObjectStore("ItemTable");
      opening.onsuccess = () => done(opening.result);
      opening.onerror = () => fail(opening.error);
    });
    const writing = database.transaction("ItemTable", "readwrite");
    writing.objectStore("ItemTable").put(trust, "content.trust.model.key");
    await new Promise((done, fail) => {
      writing.oncomplete = done;
      writing.onerror = () => fail(writing.error);
    });
    database.close();
  }
}

/**
 * Answers the question that the first window of a folder asks.
 *
 * @param {import("playwright-core").Page} page
 * @param {boolean} yes
 */
export async function answerTrust(page, yes) {
  const dialog = page.locator(".monaco-dialog-box", { hasText: "Do you trust the authors" });
  await dialog.getByRole("button", { name: yes ? "Yes, I trust" : "No, I don't trust" }).click();
  await dialog.waitFor({ state: "detached" });
}
