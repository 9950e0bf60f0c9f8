import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { Page } from "playwright-core";
import {
  choose,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  tryAgain,
  typeAndRead,
} from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { readReview, untilFinal } from "./local-flow.ts";
import { openFile } from "./open-file.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";
import { shareLocalChain } from "./shared-workbench.ts";
import { timelinePage } from "./timeline-page.ts";

/** Script that returns true if the file dialog has a name in it. */
const PROPOSED = `document.querySelector(".quick-input-widget input")?.value.endsWith(".tron.json") === true`;

describe("transaction file by keyboard", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let page: Page;
  let exported: string;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareLocalChain();
    ({ page } = workbench);
    await chooseTheme(page, "dark");
  });

  /** Exports a payment of Alice to Bob, and saves it where the dialog proposes. */
  async function exportPayment(coins: string, button: string, picture: string): Promise<string> {
    const { screenshot } = workbench;
    await workbench.runCommand("Finality: Export for Signature…");
    await choose(page, "What to sign?", "Send Coins");
    await choose(page, "How long can signatures be collected?", "60 min");
    await choose(page, "From which account?", "Alice");
    await choose(page, "Recipient?", "Bob");
    await typeAndRead(page, "1.5", coins, /sun/);
    await readReview(page, button, [
      /It is not sent but exported as a file\./,
      /Expires: 60 min after the chain's last block/,
    ]);
    await screenshot(picture);
    await dialogOf(page).getByRole("button", { name: button }).focus();
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Save as File…" }).waitFor();
    await page.keyboard.press("Enter");
    const file = await saveAsProposed();
    await rowOf(page, button === "Export Unsigned" ? "Collecting signatures, none yet" : "Complete: 1 of 1").waitFor();
    return file;
  }

  /** The dialog of files proposes a name; it takes Enter once it has looked at the folder. @returns the name */
  async function saveAsProposed(): Promise<string> {
    const input = page.locator(".quick-input-widget input").first();
    await page.waitForFunction(PROPOSED);
    const name = basename(await input.inputValue());
    await tryAgain(page, async (timeout) => {
      if (await input.isHidden()) return;
      await input.press("Enter", { timeout });
      await input.waitFor({ state: "hidden", timeout });
    });
    return name;
  }

  it("exports a signed payment, and shows in its row that the signatures are complete", async () => {
    const { folder, screenshot } = workbench;
    const file = await exportPayment("2.5", "Sign and Export", "shared-export-review");

    exported = file;
    await openFile(page, file);
    await page.locator(".codelens-decoration", { hasText: "2.5 coins → Bob · signed by Alice · expires in" }).waitFor();
    const { signature, txID } = JSON.parse(readFileSync(join(folder, file), "utf8"));
    assert.deepEqual([signature.length, txID.length], [1, 64]);
    await screenshot("shared-lens");
  });

  it("U11: offers Send first when the signatures are complete", async () => {
    for (const theme of ["light", "dark"] as const) {
      await chooseTheme(page, theme);
      await rowOf(page, "Complete: 1 of 1").click();
      await timelinePage(page).getByText("omplete: 1 of 1").first().waitFor();
      assert.equal(await timelinePage(page).locator(".actions .primary").innerText(), "Send");
      await workbench.screenshot(`shared-complete-${theme}`);
    }
    await rowOf(page, "Complete: 1 of 1")
      .getByRole("button", { name: "Send Signed Transaction", exact: true })
      .waitFor();
    await openFile(page, exported);
  });

  it("imports the open file, shows all fields and sends it", async () => {
    const { screenshot } = workbench;
    await workbench.runCommand("Finality: Import Signed Transaction…");
    await choose(page, "Where is the transaction?", "From the Active Editor");
    await readReview(page, "Broadcast", [
      /To: Bob · T\w{33}\n+Amount: 2\.5 coins \(2,500,000 sun\)/,
      /Alice · T\w{33}: signed, weight 1/,
      /Weight 1 of 1: enough\./,
      /contract\[0\]\.parameter\.value\.amount: 2\.5 coins \(2500000 sun\)/,
    ]);
    await screenshot("shared-import-review");
    await page.keyboard.press("Enter");

    await untilFinal(page, "2.5 coins to Bob");
  });

  it("exports without a signature, adds one to the open file and sends when they suffice, in the light theme", async () => {
    const { screenshot, folder } = workbench;
    await chooseTheme(page, "light");
    const file = await exportPayment("3.5", "Export Unsigned", "shared-export-review-light");
    await openFile(page, file);
    await page.locator(".codelens-decoration", { hasText: "3.5 coins → Bob · no signatures yet" }).waitFor();
    await screenshot("shared-lens-light");
    await workbench.runCommand("Finality: Add Signature…");
    await choose(page, "Where is the transaction?", "From the Active Editor");
    await readReview(page, "Sign", [/Alice · T\w{33}: signs now, weight 1/]);
    await screenshot("shared-add-review-light");
    await page.keyboard.press("Enter");
    await dialogOf(page).getByRole("button", { name: "Broadcast" }).waitFor();
    await screenshot("shared-enough-light");
    await page.keyboard.press("Enter");

    await untilFinal(page, "3.5 coins to Bob");
    assert.equal(JSON.parse(readFileSync(join(folder, file), "utf8")).signature.length, 1);
  });

  it("shows the reason above the text of an invalid file", async () => {
    const { screenshot, folder } = workbench;
    const [file = ""] = readdirSync(folder).filter((it) => it.endsWith(".tron.json"));
    await openFile(page, file);
    await page.locator(".codelens-decoration", { hasText: "Review…" }).waitFor();
    await page.locator(".monaco-editor textarea, .monaco-editor .native-edit-context").first().focus();
    await page.keyboard.press("Control+End");
    await page.keyboard.type("x");

    await page.locator(".codelens-decoration", { hasText: "This transaction was refused: it is " }).waitFor();
    await screenshot("shared-lens-refused");
  });
});
