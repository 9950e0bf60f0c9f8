import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Locator, Page } from "playwright-core";
import { howOften } from "../support/random/how-often.ts";
import { buildUpgradeProject } from "../support/verified-code/upgrade-project.ts";
import {
  answer,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  openWorkbench,
  stepInput,
  tryAgain,
} from "../support/workbench/workbench.ts";
import { chooseTheme, type ThemeName } from "./choose-theme.ts";
import { ONCE, TWICE } from "./fit.ts";
import { speaker } from "./language.ts";
import { acceptByEnter, FAST_CHAIN } from "./local-flow.ts";
import { chooseInMenu, dialogOf, rowOf } from "./pay-by-hand.ts";
import { FOLLOWS_SYSTEM_THEME, takeBothPictures, takePicture } from "./pictures.ts";
import { shareLocalChain } from "./shared-workbench.ts";

const root = join(import.meta.dirname, "../..");
const SETTINGS = { ...FAST_CHAIN, ...FOLLOWS_SYSTEM_THEME };
const PARTS = ["artifacts", "contracts/VaultOne.sol", "node_modules"];

/** Accessible name of a final transaction. */
const FINAL = { en: "Final, successful", "zh-cn": "最终确定，执行成功" };
/** Name of the view, which is a text of the manifest. */
const CONTRACTS = { en: "Contracts", "zh-cn": "合约" };
const LANGUAGES = ["en", "zh-cn"] as const;

for (const language of LANGUAGES.slice(0, howOften(1, 2))) {
  const say = speaker(language);

  describe(`upgrades and comparison with the source, in ${language}`, function () {
    this.timeout(240_000);
    let workbench: OpenWorkbench;
    let page: Page;

    endSuiteAtFirstFailure();

    before(async () => {
      if (language === "en") workbench = await shareLocalChain();
      else {
        workbench = await openWorkbench({ settings: SETTINGS, language });
        await workbench.showFinality();
        await run("Start Local Chain");
        await rowOf(workbench.page, "Alice").waitFor();
      }
      ({ page } = workbench);
      buildUpgradeProject(workbench.folder, join(root, "node_modules"));
    });

    after(async () => {
      if (language !== "en") return await workbench.close();
      for (const part of PARTS) rmSync(join(workbench.folder, part), { recursive: true, force: true });
    });

    const run = (title: string) => workbench.runCommand(`Finality: ${say(title)}`);
    const IMPLEMENTATION = say("Which implementation? Choose a contract, or paste an address");
    const feeLimit = () => answer(page, say("Fee limit. Estimate: {0}", ""));
    const signer = () => take(say("From which account?"), "Alice");

    const focusedRow = (text: string) => page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text });

    /** Takes a row of a step. */
    async function take(placeholder: string, text: string, row = text): Promise<void> {
      await stepInput(page, placeholder).fill(text);
      await focusedRow(row).waitFor();
      await stepInput(page, placeholder).press("Enter");
    }

    it("deploys a contract of the workspace behind a proxy, by keyboard", async () => {
      // The command lists a new artifact as soon as the watcher has reported it.
      await tryAgain(page, async (timeout) => {
        await run("Deploy Behind Proxy…");
        await stepInput(page, IMPLEMENTATION).fill("VaultOne", { timeout });
        await focusedRow(say("deploys it first")).waitFor({ timeout });
      });
      await stepInput(page, IMPLEMENTATION).press("Enter");
      await take(say("Which function sets it up?"), "setUp");
      await answer(page, "first", "7");
      await signer();
      await feeLimit();
      await dialogOf(page).filter({ hasText: "VaultOne" }).waitFor();
      await acceptByEnter(page);
      await feeLimit();
      await dialogOf(page).filter({ hasText: "ERC1967Proxy" }).filter({ hasText: "setUp" }).waitFor();
      await takeBothPictures(page, `proxy-review-${language}`);
      await acceptByEnter(page);
      await rowOf(page, `${say("Deploy {0}", "ERC1967Proxy")}. ${FINAL[language]}`).waitFor();
    });

    it("keeps the deployed implementation if the upgrade is cancelled", async () => {
      await run("Upgrade Proxy…");
      await take(say("Which proxy? Choose a contract, or paste an address"), "ERC1967Proxy");
      await take(IMPLEMENTATION, "VaultTwo", say("deploys it first"));
      await signer();
      await feeLimit();
      await acceptByEnter(page);
      await feeLimit();
      const review = await dialogOf(page).filter({ hasText: "keeper" }).innerText();
      assert.match(review, /VaultTwo/);
      await takeBothPictures(page, `upgrade-review-${language}`);
      await page.keyboard.press("Escape");
      await page.locator(".notification-list-item", { hasText: "VaultTwo" }).first().waitFor();
    });

    /** A row of the Contracts view, which is opened for it. */
    async function contractRow(name: string): Promise<Locator> {
      const header = page.locator(".pane-header", { hasText: CONTRACTS[language] });
      const isOpen = (await header.getAttribute("aria-expanded")) === "true";
      // The icons of an open view are on the right.
      if (!isOpen) await header.click({ position: { x: 40, y: 10 } });
      return page.locator(".pane", { has: header }).locator(`.monaco-list-row[aria-label^="${name}"]`).first();
    }

    it("upgrades by mouse to the implementation that is deployed already", async () => {
      const row = await contractRow("ERC1967Proxy");
      await chooseInMenu(row, say("Upgrade Proxy…"), stepInput(page, IMPLEMENTATION));
      await take(IMPLEMENTATION, "VaultTwo", say("deploys it first"));
      await signer();
      await feeLimit();
      await dialogOf(page).filter({ hasText: "keeper" }).locator(".monaco-button").first().click();
      const called = '.pane-body .monaco-list-row[aria-label*="upgradeToAndCall"]';
      await page.locator(`${called}[aria-label*="${FINAL[language]}"]`).first().waitFor();
      const deployed = page.locator(`.pane-body .monaco-list-row[aria-label^="${say("Deploy {0}", "VaultTwo")}"]`);
      assert.equal(await deployed.count(), 1);
    });

    it("compares a contract with its source, and shows the page", async () => {
      const row = await contractRow("VaultTwo");
      // It takes longer than a menu that lost its click.
      const progress = new RegExp(`${say("Comparing with the source")}|VaultTwo\\.md`);
      const begun = page.locator(".monaco-workbench", { hasText: progress });
      await chooseInMenu(row, say("Compare with Source…"), begun);
      await reportPage(say("Equal: according to this gateway, the chain has the code of this source."));
      for (const theme of ["dark", "light", "high-contrast"] as const satisfies readonly ThemeName[]) {
        if (process.env.FINALITY_PICTURES === undefined) break;
        await chooseTheme(page, theme);
        await takePicture(page, `compare-${language}-${theme}`);
        await page.setViewportSize(TWICE);
        await takePicture(page, `compare-${language}-${theme}-twice`);
        await page.setViewportSize(ONCE);
      }
    });

    /** Waits for the page of a report in the preview. */
    async function reportPage(text: string): Promise<FrameLocator> {
      const frame = page.frameLocator("iframe.webview.ready").frameLocator("#active-frame");
      await frame.locator("body", { hasText: text }).waitFor();
      return frame;
    }

    if (howOften(0, 1) === 1)
      it("shows the page of the comparison again after a reload of the window", async () => {
        await workbench.runCommand("Developer: Reload Window");
        await reportPage(say("Equal: according to this gateway, the chain has the code of this source."));
      });
  });
}
