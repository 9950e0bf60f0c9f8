/** How long the workbench may take to write down what it was told. It does so within five seconds when it has time; ms. */
const KEPT_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 100;

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
  if (!yes) return;
  // `waitForFunction` takes the promise of an answer for the answer.
  for (const began = Date.now(); !(await page.evaluate(isKept)); await page.waitForTimeout(LOOK_EVERY_MS)) {
    if (Date.now() - began > KEPT_WITHIN_MS) throw new Error("The browser does not keep that the folder is trusted.");
  }
}

/** Runs in the page: the workbench writes some time later what it has to remember, newer ones into another database. */
async function isKept() {
  const databases = await indexedDB.databases();
  for (const { name } of databases) {
    if (name?.startsWith("vscode-web-state-db-global") !== true) continue;
    /** @type {IDBDatabase} */
    const database = await new Promise((resolve, reject) => {
      const opening = indexedDB.open(name);
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error);
    });
    try {
      const reading = database.transaction("ItemTable").objectStore("ItemTable").get("content.trust.model.key");
      const trusted = await new Promise((resolve) => {
        reading.onsuccess = () => resolve(reading.result);
        reading.onerror = () => resolve(undefined);
      });
      if (String(trusted).includes('"trusted":true')) return true;
    } finally {
      database.close();
    }
  }
  return false;
}
