import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, stepInput, tryAgain } from "../support/workbench/workbench.ts";
import { dialogOf } from "./pay-by-hand.ts";
import { takeBothPictures } from "./pictures.ts";
import { shareQuietWorkbench } from "./shared-workbench.ts";

/** Two addresses whose ends are the same. */
const [FRIEND, POISON] = ["TTZhLCRC5guGZAJyRkR2py6ZHGsgrpkU13", "TTZhLCRC5ZiKoSCbrZGUSTcBeaSEakkU13"] as const;
const HOME = "http://192.168.1.20:8090";

describe("address names and network import by keyboard", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let page: Page;

  endSuiteAtFirstFailure();

  before(async () => {
    parseAddress(FRIEND);
    workbench = await shareQuietWorkbench();
    ({ page } = workbench);
    writeFileSync(
      join(workbench.folder, "tronbox.js"),
      `module.exports = { networks: {
        nile: { privateKey: process.env.KEY, fullHost: "https://nile.trongrid.io" },
        home: { fullHost: "${HOME}" },
        development: { fullHost: "http://127.0.0.1:" + port } } };`,
    );
    await workbench.showFinality();
  });

  const WHICH = "Which address?";

  /** Pastes an address and waits for the question for its name. */
  async function askName(address: string): Promise<void> {
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: Name Address…");
      await stepInput(page, WHICH).fill(address, { timeout });
      await page.locator(".quick-input-list .monaco-list-row", { hasText: address }).first().waitFor({ timeout });
      await page.keyboard.press("Enter");
      await page.locator(".quick-input-message", { hasText: "Name for" }).waitFor({ timeout });
    });
  }

  it("names an address", async () => {
    await askName(FRIEND);
    await page.keyboard.type("Friend");
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });

    // The editor writes its settings in its own time.
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: Name Address…");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "Friend" }).waitFor({ timeout });
    });
    await page.keyboard.press("Escape");
  });

  it("warns about a similar address while it is typed, in each theme", async () => {
    await workbench.runCommand("Finality: Name Address…");
    await stepInput(page, WHICH).fill(POISON);
    await page.locator(".quick-input-list", { hasText: "Not Friend" }).waitFor();
    await takeBothPictures(page, "address-poison");
    await page.keyboard.press("Escape");

    await askName(POISON);
    const question = await page.locator(".quick-input-message").innerText();
    assert.match(question, new RegExp(`It is not Friend, ${FRIEND}: only the ends are the same`));
    await page.keyboard.type("friend");
    await page.locator(".quick-input-message", { hasText: "Another address has this name" }).waitFor();
    await page.keyboard.press("Escape");
  });

  it("imports networks from tronbox.js, and confirms the risk of http, in each theme", async () => {
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: Import Networks…");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "tronbox.js" }).waitFor({ timeout });
      await page.keyboard.press("Enter");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: "nile" }).waitFor({ timeout });
    });
    await takeBothPictures(page, "import-networks");
    await page.keyboard.press("Enter");
    const dialog = dialogOf(page);
    await dialog.waitFor();
    assert.match(await dialog.innerText(), /not encrypted[\s\S]*can change the answers/);
    await takeBothPictures(page, "plain-http");
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });

    await page.locator('.statusbar-item[id="status.notifications"]').click();
    const said = page.locator(".notification-list-item-message", { hasText: "Added: nile" }).first();
    assert.match(
      await said.innerText(),
      /Not home: http was not allowed for it\. Unknown, because the file computes it.*development/,
    );
    await page.keyboard.press("Escape");
  });
});
