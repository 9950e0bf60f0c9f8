import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Interface } from "ethers";
import type { FrameLocator, Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { ChainBeside } from "../support/chain/chain-beside.ts";
import { copySamples } from "../support/samples/copy-samples.ts";
import { type OpenWorkbench, openWorkbench, pick } from "../support/workbench/workbench.ts";
import { argumentForm, fillByKeyboard, messageOf } from "./argument-form.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { misfitsOf, TWICE } from "./fit.ts";
import { networkSettings } from "./network-settings.ts";
import { openFile } from "./open-file.ts";
import { importAlice, rowOf } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";
import { findBarriers, focusOn, frameOf, timelinePage } from "./timeline-page.ts";

/** Window with an editor of 300 px beside the activity bar. */
const NARROW = { width: 348, height: 900 };
const samples = join(import.meta.dirname, "..", "..", "samples");
const uint = (name: string) => ({ name, type: "uint256" });
/** An artifact whose constructor has each kind of field. */
const ORDERS = {
  contractName: "Orders",
  bytecode: "0x6000600055",
  abi: [
    {
      type: "constructor",
      stateMutability: "payable",
      inputs: [
        { name: "shop", type: "address" },
        {
          name: "order",
          type: "tuple",
          internalType: "struct Shop.Order",
          components: [
            { name: "note", type: "string" },
            { name: "paid", type: "bool" },
            { name: "lines", type: "tuple[]", components: [{ name: "sku", type: "bytes4" }, uint("cups")] },
          ],
        },
        uint("price"),
      ],
    },
  ],
};

/** An artifact whose constructor has lists and structs in each other. */
const MENU = {
  contractName: "Menu",
  bytecode: "0x00",
  abi: [
    {
      type: "constructor",
      stateMutability: "nonpayable",
      inputs: [
        {
          name: "days",
          type: "tuple[]",
          components: [{ name: "prices", type: "uint256[]" }, { name: "isOpen", type: "bool" }, uint("seats")],
        },
        { name: "title", type: "string" },
      ],
    },
  ],
};

describe("page of the argument form", function () {
  this.timeout(240_000);
  let folder: string;
  let workbench: OpenWorkbench;
  let page: Page;
  let chain: LocalChain;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "finality-argument-form-"));
    copySamples(samples, folder, ["build"]);
    writeFileSync(join(folder, "build", "contracts", "Orders.json"), JSON.stringify(ORDERS));
    writeFileSync(join(folder, "build", "contracts", "Menu.json"), JSON.stringify(MENU));
    writeFileSync(join(folder, "notes.txt"), "notes\n");
    chain = await startLocalChain({ seed: "argument form", blockTimeMs: 300, startTime: Date.now() });
    workbench = await openWorkbench({ folder, settings: networkSettings("Shop", chain.baseUrl) });
    ({ page } = workbench);
    await workbench.showFinality();
    await importAlice(workbench, chain);
  });

  after(async () => {
    await workbench?.close();
    await chain?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function open(): Promise<FrameLocator> {
    await workbench.runCommand("Finality: Deploy Contract…");
    await pick(page, "Orders");
    return await argumentForm(page, "Deploy Orders");
  }

  it("completes an address by the name of an account, with the keyboard", async () => {
    const form = await open();
    await form.locator("legend", { hasText: /^order Order$/ }).waitFor();
    await focusOn(page, "field a.0");
    await form.locator('[data-key="field from"] option', { hasText: "Alice" }).waitFor({ state: "attached" });
    await page.keyboard.type("al");
    await form.locator(".option", { hasText: "Alice" }).waitFor();
    await takePicture(page, "argument-form-names");
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");

    await messageOf(form, "a.0", /^Alice = T/);
    assert.match(await form.locator('[data-key="field a.0"]').inputValue(), /^T\w{33}$/);
  });

  it("adds and removes rows of structs, and names each field", async () => {
    const form = timelinePage(page);
    await form.getByRole("button", { name: "Add Row to lines" }).press("Enter");
    await focusOn(page, "field a.1.2.0.0");
    await page.keyboard.type("0x00");
    await messageOf(form, "a.1.2.0.0", "Write exactly 4 bytes in hex.");
    await form.getByRole("button", { name: "Add Row to lines" }).press("Enter");
    await focusOn(page, "field a.1.2.1.0");
    await form.getByRole("button", { name: "Remove lines[1]" }).press("Enter");
    await focusOn(page, "field a.1.2.0.0");

    assert.deepEqual(await form.locator("legend").allInnerTexts(), [
      "order Order",
      "lines: 1 row (bytes4,uint256)[]",
      "lines[0] (bytes4,uint256)",
    ]);
    await form.locator('[data-key="unit a.2"]').selectOption("coins");
    await form.locator('[data-key="field a.2"]').fill("1.5");
    await messageOf(form, "a.2", "1,500,000");
  });

  it("restores the draft after another editor covered it", async () => {
    await openFile(page, "notes.txt");
    await page.keyboard.press("Control+PageUp");
    const form = await argumentForm(page, "Deploy Orders");
    assert.equal(await form.locator('[data-key="field a.1.2.0.0"]').inputValue(), "0x00");
    assert.equal(await form.locator('[data-key="field a.2"]').inputValue(), "1.5");
    assert.equal(await form.locator('[data-key="unit a.2"]').inputValue(), "coins");
  });

  for (const theme of Object.keys(THEMES) as ThemeName[])
    it(`is readable in the theme ${THEMES[theme].label}`, async () => {
      await chooseTheme(page, theme);
      const form = await open();
      await form.locator('[data-key="field a.1.0"]').press("Enter");
      await messageOf(form, "a.1.1", "Choose a value.");
      await takePicture(page, `argument-form-${theme}`);

      assert.deepEqual(await findBarriers(page), []);
    });

  it("fits a window in which everything is twice as large", async () => {
    const before = page.viewportSize();
    await page.setViewportSize(TWICE);
    await argumentForm(page, "Deploy Orders");

    assert.deepEqual(await misfitsOf(page), []);
    await takePicture(page, "argument-form-twice");
    if (before !== null) await page.setViewportSize(before);
  });

  it("fits an editor of 300 px", async () => {
    const before = page.viewportSize();
    await workbench.runCommand("View: Toggle Primary Side Bar Visibility");
    await page.setViewportSize(NARROW);
    await argumentForm(page, "Deploy Orders");

    assert.deepEqual(await misfitsOf(page), []);
    await takePicture(page, "argument-form-narrow");
    if (before !== null) await page.setViewportSize(before);
    await workbench.showFinality();
  });

  it("deploys with the values that were entered with the keyboard alone, encoded as by ethers", async () => {
    await workbench.runCommand("Finality: Deploy Contract…");
    await pick(page, "Menu");
    const form = await argumentForm(page, "Deploy Menu");
    await form.locator('[data-key="field from"] option', { hasText: "Alice" }).waitFor({ state: "attached" });
    const text = (value: string) => ({ text: value });
    const day = (isOpen: string) => ({
      items: [{ items: [text("7"), text("1,000")] }, text(isOpen), { text: "1.5", unit: "coins" }],
    });
    await fillByKeyboard(page, await frameOf(page), [{ items: [day("true"), day("false")] }, text("Tea")], "A");
    await page.locator(".monaco-dialog-box", { hasText: "Deploy “Menu”?" }).waitFor();
    await page.keyboard.press("Enter");
    await rowOf(page, "Deploy Menu. Final").waitFor();

    const beside = new ChainBeside(chain.baseUrl);
    const deployment = (await beside.executedSince(0)).find(({ type }) => type === "CreateSmartContract");
    const sent = JSON.stringify(await beside.ask("wallet/gettransactionbyid", { value: deployment?.txId ?? "" }));
    const days = [true, false].map((isOpen) => [[7n, 1_000n], isOpen, 1_500_000n]);
    const encoded = new Interface(MENU.abi).encodeDeploy([days, "Tea"]).slice(2);
    assert.ok(sent.includes(`00${encoded}"`), sent);
  });
});
