import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import {
  chooseInStep,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  openWorkbench,
  stepInput,
  typeInStep,
} from "../support/workbench/workbench.ts";
import { openFile } from "./open-file.ts";
import { clickInRow, dialogOf, rowOf } from "./pay-by-hand.ts";
import { pictureFile } from "./pictures.ts";
import { animate, type Frame } from "./webp.ts";

const ANSWER = {
  code: "CONTRACT_VALIDATE_ERROR",
  message: Buffer.from("Validate TransferContract error, balance is not sufficient.").toString("hex"),
};

describe("first minute of the documentation", function () {
  this.timeout(240_000);
  const frames: Frame[] = [];
  let scratch: string;
  let workbench: OpenWorkbench;

  endSuiteAtFirstFailure();

  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), "finality-first-minute-"));
    const folder = join(scratch, "shop");
    mkdirSync(folder);
    writeFileSync(join(folder, "answer.json"), `${JSON.stringify(ANSWER, undefined, 2)}\n`);
    const settings = {
      "finality.localChain.blockTime": 300,
      "editor.minimap.enabled": false,
      "editor.wordWrap": "on",
      "workbench.hover.delay": 30,
    };
    workbench = await openWorkbench({ folder, settings, theme: "Default Dark Modern" });
    await workbench.page.setViewportSize({ width: 840, height: 520 });
  });

  after(async () => {
    await workbench.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Keeps what is on the screen. @param ms - how long a person wants to look at it */
  async function film(page: Page, ms: number): Promise<void> {
    frames.push({ png: await page.screenshot({ animations: "disabled" }), ms });
  }

  it("leads from an empty view to a final transaction", async () => {
    const { page } = workbench;
    await workbench.showFinality();
    const start = page.locator(".pane-body .monaco-button", { hasText: "Start Local Chain" }).first();
    await start.waitFor();
    await page.locator(".monaco-workbench.vs-dark").waitFor();
    await film(page, 2_500);
    await start.click();
    await rowOf(page, "Alice").waitFor();
    await film(page, 2_000);
    await clickInRow(rowOf(page, "Alice"), "Send Coins", stepInput(page, "Recipient?"));
    await film(page, 1_500);
    await chooseInStep(page, "Recipient?", "Bob");
    await typeInStep(page, "1.5", "1.5");
    await page.locator(".quick-input-message", { hasText: "1,500,000 sun" }).waitFor();
    await film(page, 2_000);
    await page.keyboard.press("Enter");
    await dialogOf(page).waitFor();
    await film(page, 4_000);
    await dialogOf(page).getByRole("button", { name: "Sign and Send" }).click();
    await rowOf(page, "1.5 coins to Bob").waitFor();
    // Away from the row, whose buttons would cover where it stands.
    await page.mouse.move(760, 470);
    await film(page, 1_500);
    await rowOf(page, "1.5 coins to Bob. Final, successful").waitFor();
    await film(page, 3_000);
  });

  it("ends with the hover of an explained error", async () => {
    const { page } = workbench;
    await openFile(page, "answer.json");
    await page.locator(".monaco-editor.focused .view-line", { hasText: "message" }).waitFor();
    await film(page, 2_000);
    for (const key of ["Control+Home", "ArrowDown", "End", "Control+k", "Control+i"]) await page.keyboard.press(key);
    await page.locator(".monaco-editor .monaco-hover:visible").getByText("Balance is not sufficient").first().waitFor();
    await film(page, 6_000);
  });

  it("is recorded as one small animated picture", async () => {
    const picture = await animate(workbench.page, frames);
    writeFileSync(pictureFile("first-minute.webp"), picture);

    assert.equal(picture.toString("latin1", 8, 16), "WEBPVP8X");
    assert.equal(picture.toString("latin1").split("ANMF").length - 1, frames.length);
  });
});
