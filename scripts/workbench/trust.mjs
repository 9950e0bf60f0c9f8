/**
 * Answers the question that the first window of a folder asks, and waits until the browser keeps the answer.
 *
 * @param {import("playwright-core").Page} page
 * @param {boolean} yes
 */
export async function answerTrust(page, yes) {
  const dialog = page.locator(".monaco-dialog-box", { hasText: "Do you trust the authors" });
  await dialog.getByRole("button", { name: yes ? "Yes, I trust" : "No, I don't trust" }).click();
  await dialog.waitFor({ state: "detached" });
  if (yes) await page.waitForFunction(isKept);
}

/** Runs in the page: the workbench writes some time later what it has to remember. */
async function isKept() {
  /** @type {IDBDatabase} */
  const database = await new Promise((resolve, reject) => {
    const opening = indexedDB.open("vscode-web-state-db-global");
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  try {
    const reading = database.transaction("ItemTable").objectStore("ItemTable").get("content.trust.model.key");
    const trusted = await new Promise((resolve) => {
      reading.onsuccess = () => resolve(reading.result);
      reading.onerror = () => resolve(undefined);
    });
    return String(trusted).includes('"trusted":true');
  } finally {
    database.close();
  }
}
