import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { endSuiteAtFirstFailure } from "../support/workbench/failed-screen.ts";
import { tryAgain } from "../support/workbench/patience.ts";
import { stepInput } from "../support/workbench/quick-input.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { openFile } from "./open-file.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";

const FINAL_WITHIN_MS = 60_000;
const FAST_CHAIN = { "finality.localChain.blockTime": 300 };

/** Whether the dialog of files has a name in it. */
const PROPOSED = `document.querySelector(".quick-input-widget input")?.value.endsWith(".tron.json") === true`;

describe("a transaction as a file, by keyboard alone", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await openWorkbench({ settings: FAST_CHAIN });
    await workbench.showFinality();
    await workbench.runCommand("Finality: Start Local Chain");
    await rowOf(workbench.page, "Alice").waitFor();
    await chooseTheme(workbench.page, "dark");
  });

  after(async () => {
    await workbench.close();
  });

  /** Types into a list, and takes the row that is found. */
  async function choose(placeholder: string, text: string): Promise<void> {
    const { page } = workbench;
    await stepInput(page, placeholder).waitFor();
    await page.keyboard.type(text);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** Exports a payment of Alice to Bob, and saves it where the dialog proposes. */
  async function exportPayment(coins: string, button: string, picture: string): Promise<string> {
    const { page, screenshot, folder } = workbench;
    const before = new Set(filesIn(folder));
    await workbench.runCommand("Finality: Export for Signature…");
    await choose("What should be signed?", "Send Coins");
    await choose("How long may signatures be collected?", "60 min");
    await choose("From which account?", "Alice");
    await choose("To whom?", "Bob");
    await stepInput(page, "1.5").waitFor();
    await page.keyboard.type(coins);
    await page.locator(".quick-input-message", { hasText: "sun" }).waitFor();
    await page.keyboard.press("Enter");
    await dialogOf(page).getByRole("button", { name: button }).waitFor();
    const review = await dialogOf(page).innerText();
    await screenshot(picture);
    assert.match(review, /It is not sent: it leaves as a file\./);
    assert.match(review, /Expires: 60 min after the chain's last block/);
    await dialogOf(page).getByRole("button", { name: button }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Save as File…" }).waitFor();
    await page.keyboard.press("Enter");
    await saveAsProposed(page);
    await rowOf(page, "Collects signatures").waitFor();
    return filesIn(folder).find((it) => !before.has(it)) ?? "";
  }

  function filesIn(folder: string): readonly string[] {
    return readdirSync(folder).filter((it) => it.endsWith(".tron.json"));
  }

  /** The dialog of files proposes a name; it takes Enter once it has looked at the folder. */
  async function saveAsProposed(page: Page): Promise<void> {
    const input = page.locator(".quick-input-widget input").first();
    await tryAgain(page, async (timeout) => {
      if (!(await input.isVisible())) return;
      await page.waitForFunction(PROPOSED, undefined, { timeout });
      await input.press("Enter", { timeout });
      await input.waitFor({ state: "hidden", timeout });
    });
  }

  async function final(label: string): Promise<void> {
    await rowOf(workbench.page, `${label}. Final, successful`).waitFor({ timeout: FINAL_WITHIN_MS });
  }

  it("exports a signed payment, whose row collects signatures", async () => {
    const { folder, screenshot, page } = workbench;
    const file = await exportPayment("2.5", "Sign and Export", "shared-export-review");

    const { signature, txID } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    assert.deepEqual([signature.length, txID.length], [1, 64]);
    await openFile(page, file);
    await page.locator(".codelens-decoration", { hasText: "2.5 → Bob · signed by Alice · expires in" }).waitFor();
    await screenshot("shared-lens");
  });

  it("takes it back from the open file, shows all of it, and sends it", async () => {
    const { page, screenshot } = workbench;
    await workbench.runCommand("Finality: Import Signed Transaction…");
    await choose("Where is the transaction?", "From the Active Editor");
    await dialogOf(page).getByRole("button", { name: "Broadcast" }).waitFor();
    const review = await dialogOf(page).innerText();
    await screenshot("shared-import-review");
    assert.match(review, /To: Bob · T\w{33}\n+Amount: 2\.5 \(2,500,000 sun\)/);
    assert.match(review, /Alice · T\w{33}: signed, weight 1/);
    assert.match(review, /Weight 1 of 1: enough\./);
    assert.match(review, /contract\[0\]\.parameter\.value\.amount: 2\.5 coins \(2500000 sun\)/);
    await page.keyboard.press("Enter");

    await final("2.5 to Bob");
  });

  it("exports without a signature, adds it in the open file, and sends when it is enough, in the light theme", async () => {
    const { page, screenshot, folder } = workbench;
    await chooseTheme(page, "light");
    const file = await exportPayment("3.5", "Export Unsigned", "shared-export-review-light");
    await openFile(page, file);
    await page.locator(".codelens-decoration", { hasText: "3.5 → Bob · nobody signed yet" }).waitFor();
    await screenshot("shared-lens-light");
    await workbench.runCommand("Finality: Add Signature…");
    await choose("Where is the transaction?", "From the Active Editor");
    await dialogOf(page).getByRole("button", { name: "Sign", exact: true }).waitFor();
    await screenshot("shared-add-review-light");
    assert.match(await dialogOf(page).innerText(), /Alice · T\w{33}: signs now, weight 1/);
    await page.keyboard.press("Enter");
    await dialogOf(page).getByRole("button", { name: "Broadcast" }).waitFor();
    await screenshot("shared-enough-light");
    await page.keyboard.press("Enter");

    await final("3.5 to Bob");
    assert.equal(JSON.parse(readFileSync(join(folder, file), "utf8")).signature.length, 1);
  });

  it("says why a file is not taken, above its text", async () => {
    const { page, screenshot, folder } = workbench;
    const [file = ""] = filesIn(folder);
    await openFile(page, file);
    await page.locator(".codelens-decoration", { hasText: "Review…" }).waitFor();
    await page.locator(".monaco-editor textarea, .monaco-editor .native-edit-context").first().focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("x");

    await page.locator(".codelens-decoration", { hasText: "This transaction is not taken: it is no JSON." }).waitFor();
    await screenshot("shared-lens-refused");
  });
});
