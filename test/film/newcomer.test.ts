import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "playwright-core";
import { speaker } from "../browser/language.ts";
import { openFile } from "../browser/open-file.ts";
import { clickInRow, dialogOf, rowOf } from "../browser/pay-by-hand.ts";
import { animate, type Frame } from "../browser/webp.ts";
import { endSuiteAtFirstFailure } from "../support/workbench/failed-screen.ts";
import { tryAgain } from "../support/workbench/patience.ts";
import { chooseInStep, pick, stepInput, typeInStep } from "../support/workbench/quick-input.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";

const root = join(import.meta.dirname, "..", "..");
const LIMIT_MS = 180_000;
const FINAL_WITHIN_MS = 120_000;
/** How long the next step of a dialog may take to come. */
const STEP_MS = 1_500;
/** A million leaves, which have six decimals. */
const SUPPLY = "1000000000000";
const TO_WHOM = "To whom? Choose an account or paste an address";
const ANSWER = {
  code: "CONTRACT_VALIDATE_ERROR",
  message: Buffer.from("Validate TransferContract error, balance is not sufficient.").toString("hex"),
};
/** What a screen reader hears of a final payment. */
const FINAL = { en: "Final, successful", "zh-cn": "最终确定，执行成功" };

for (const language of ["en", "zh-cn"] as const) {
  describe(`the walk of a newcomer, filmed from an empty profile, in ${language}`, function () {
    this.timeout(300_000);
    const say = speaker(language);
    const frames: Frame[] = [];
    let scratch: string;
    let workbench: OpenWorkbench;
    let began = 0;

    endSuiteAtFirstFailure();

    before(async () => {
      scratch = mkdtempSync(join(tmpdir(), "finality-film-"));
      const folder = join(scratch, "shop");
      mkdirSync(folder);
      for (const part of ["build", "calls", "contracts"])
        cpSync(join(root, "samples", part), join(folder, part), { recursive: true });
      writeFileSync(join(folder, "answer.json"), `${JSON.stringify(ANSWER, undefined, 2)}\n`);
      workbench = await openWorkbench({ folder, ...(language === "en" ? {} : { language }) });
      const signThere = dialogOf(workbench.page).getByRole("button", { name: say("Sign There") });
      void signThere.click({ timeout: 0 }).catch(() => undefined);
      began = Date.now();
    });

    after(async () => {
      await workbench?.close();
      rmSync(scratch, { recursive: true, force: true });
    });

    /** Keeps what is on the screen. @param ms - how long a person wants to look at it */
    async function film(ms: number): Promise<void> {
      frames.push({ png: await workbench.page.screenshot({ animations: "disabled" }), ms });
    }

    const run = (title: string): Promise<void> => workbench.runCommand(`Finality: ${say(title)}`);
    const payment = (coins: string, spoken: string): Locator =>
      workbench.page.locator(`.pane-body .monaco-list-row[aria-label*="${coins}"][aria-label*="${spoken}"]`).first();

    async function pay(coins: string): Promise<void> {
      const { page } = workbench;
      await clickInRow(rowOf(page, "Alice"), say("Send Coins…").replace("…", ""), stepInput(page, say(TO_WHOM)));
      await chooseInStep(page, say(TO_WHOM), "Bob");
      await typeInStep(page, "1.5", coins);
      await page.locator(".quick-input-message", { hasText: "sun" }).waitFor();
      await page.keyboard.press("Enter");
      const sign = dialogOf(page).getByRole("button", { name: say("Sign and Send"), exact: true });
      await sign.waitFor();
      await film(3_000);
      await sign.click();
    }

    /** Takes what each step of the deployment proposes, up to its review, and signs. */
    async function deploy(contract: string, from: string): Promise<void> {
      const { page } = workbench;
      await run("Deploy Contract…");
      await pick(page, contract);
      await page.locator(".quick-input-widget", { hasText: "supply" }).waitFor();
      await page.locator(".quick-input-widget input").fill(SUPPLY);
      await page.keyboard.press("Enter");
      await pick(page, from);
      const review = dialogOf(page);
      for (let steps = 0; steps < 8 && !(await review.isVisible()); steps++) {
        await page.keyboard.press("Enter");
        await review.waitFor({ timeout: STEP_MS }).catch(() => undefined);
      }
      await film(3_000);
      await page.keyboard.press("Enter");
      await review.waitFor({ state: "detached" });
    }

    it("goes by the walkthrough to a chain of its own, and sends coins until they are final", async () => {
      const { page } = workbench;
      const step = page.locator(".getting-started-step").first();
      await tryAgain(page, async (timeout) => {
        await run("Open Walkthrough");
        await step.waitFor({ timeout });
      });
      await film(2_000);
      await step.locator(".monaco-button").first().click();
      await page.locator('.activitybar [aria-label^="Finality"]').first().click();
      await rowOf(page, "Alice").waitFor();
      await film(2_000);
      await pay("1.5");
      await payment("1.5", FINAL[language]).waitFor({ timeout: FINAL_WITHIN_MS });
      await film(2_000);
    });

    it("hovers an error, and sees what a call costs on its line", async () => {
      const { page } = workbench;
      await openFile(page, "answer.json");
      await page.locator(".monaco-editor.focused .view-line", { hasText: "message" }).waitFor();
      for (const key of ["Control+Home", "ArrowDown", "End", "Control+k", "Control+i"]) await page.keyboard.press(key);
      await page
        .locator(".monaco-editor .monaco-hover:visible")
        .getByText(say("Balance is not sufficient"))
        .first()
        .waitFor();
      await film(3_000);
      await page.keyboard.press("Escape");
      await deploy("Leaf", "Bob");
      await openFile(page, "calls/leaf.finality.jsonc");
      const lens = page.locator(".codelens-decoration a");
      await lens
        .filter({ hasText: say("Estimate energy") })
        .first()
        .click();
      await lens.filter({ hasText: /\d/ }).first().waitFor();
      await film(3_000);
    });

    it("took less than three minutes", async () => {
      const took = Date.now() - began;
      const folder = join(root, ".cache", "film");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, `newcomer-${language}.webp`), await animate(workbench.page, frames));
      process.stdout.write(`      ${Math.round(took / 1_000)} s\n`);
      assert.ok(took < LIMIT_MS, `${took} ms`);
    });
  });
}
