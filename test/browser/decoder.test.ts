import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { encodeErrorResult, parseAbi } from "viem";
import { answerWith, HOSTILE_TEXTS, HUGE_TEXT } from "../support/failures/hostile-texts.ts";
import { type OpenWorkbench, openWorkbench, tryAgain } from "../support/workbench/workbench.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { editorsAreKept } from "./kept-editors.ts";
import { networkSettings } from "./network-settings.ts";
import { openFile } from "./open-file.ts";
import { takePicture } from "./pictures.ts";
import { type ChainProxy, openSilentProxy } from "./proxy.ts";
import { storyTxId, writeStory } from "./story.ts";
import { findBarriers, focusOn, frameOf, timelinePage } from "./timeline-page.ts";

const NETWORK = "Shasta";
/** Runs in the page of the decoder. */
const EXPLANATION_STANDS_BELOW = `
  document.querySelector(".result").getBoundingClientRect().top >=
  document.querySelector(".text-pane").getBoundingClientRect().bottom`;
const COPIED_WITHIN_MS = 20_000;
const POOR = "Contract validate error : Validate TransferContract error, balance is not sufficient.";

const abi = parseAbi([
  "struct Line { bytes32 sku; uint256 quantity; int64 discount; }",
  "struct Order { address maker; string note; Line[] lines; bool paid; }",
  "error OrderRefused(uint256 id, Order order, string reason)",
]);
/** ABI as a compiler writes it; viem's parser keeps the names of the components. */
const artifact = { contractName: "Orders", abi, bytecode: "0x" };
const nested = encodeErrorResult({
  abi,
  errorName: "OrderRefused",
  args: [
    77n,
    {
      maker: "0xdd791d6b49e190062d650e6a23c575510d35f2f9",
      note: "two boxes",
      lines: [
        { sku: `0x${"ab".repeat(32)}`, quantity: 3n, discount: -5n },
        { sku: `0x${"cd".repeat(32)}`, quantity: 12n, discount: 0n },
      ],
      paid: false,
    },
    "maker is blocked",
  ],
});

const collision = {
  contractName: "Vault",
  bytecode: "0x",
  abi: [
    { type: "error", name: "burn", inputs: [{ name: "amount", type: "uint256" }] },
    { type: "error", name: "collate_propagate_storage", inputs: [{ name: "place", type: "bytes16" }] },
  ],
};

const TEXTS = {
  "refused broadcast": refusalOf("rejected"),
  "nested error": nested,
  "out of energy": JSON.stringify({
    id: "5c21a0b7e84f93d2c6b10e7f4a98d35b2e6f70c1948da3b5e7f20c61d98b4a37",
    fee: 18_000_000,
    blockNumber: 71_204_118,
    blockTimeStamp: 1_763_716_800_000,
    contractResult: [""],
    receipt: { energy_fee: 18_000_000, energy_usage_total: 42_857, result: "OUT_OF_ENERGY" },
    result: "FAILED",
    resMessage: hexOf(
      "Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[42857], curOpEnergy[20000], usedEnergy[34100]",
    ),
  }),
  "truncated answer": refusalOf("rejected").slice(0, 160),
  "several readings": `0x42966c68${"ab".repeat(16)}${"00".repeat(16)}`,
} as const;

describe("decoder page", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let silence: ChainProxy;
  let page: Page;
  let scratch: string;

  const decoder = () => timelinePage(page);
  const title = () => decoder().locator(".head h1");

  before(async () => {
    silence = await openSilentProxy();
    scratch = mkdtempSync(join(tmpdir(), "finality-decoder-"));
    const dataDir = join(scratch, "data");
    const folder = join(scratch, "shop");
    mkdirSync(join(folder, "build", "contracts"), { recursive: true });
    writeFileSync(join(folder, "build", "contracts", "Orders.json"), JSON.stringify(artifact));
    writeFileSync(join(folder, "build", "contracts", "Vault.json"), JSON.stringify(collision));
    writeStory(dataDir, NETWORK, Date.now());
    const settings = networkSettings(NETWORK, silence.url);
    workbench = await openWorkbench({ dataDir, folder, settings });
    ({ page } = workbench);
    await workbench.showFinality();
    await page.locator(".pane-body .monaco-list-row", { hasText: "Rent" }).waitFor();
    await workbench.runCommand("Finality: Open Decoder");
    await decoder().locator(".example").first().waitFor();
  });

  after(async () => {
    await workbench.close();
    await silence.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Puts a text there as the clipboard does: at once. */
  async function write(text: string): Promise<void> {
    await decoder().locator("textarea").fill("");
    await decoder().locator(".example").first().waitFor();
    await decoder().locator("textarea").fill(text);
    await title().waitFor();
  }

  async function barriersIn(tabs: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const tab of tabs) {
      await decoder().locator(`#tab-${tab}`).click();
      found.push(...(await findBarriers(page)));
    }
    await decoder().locator("#tab-cause").click();
    return found;
  }

  it("shows an accessible empty state", async () => {
    assert.equal(await decoder().locator(".example").count(), 4);
    assert.deepEqual(await findBarriers(page), []);
    await picture("decoder-empty");
  });

  it("explains the text while it is typed", async () => {
    await decoder().locator("textarea").focus();
    await page.keyboard.type("SIGERROR");
    // The text before the last letter is explained, too.
    await decoder()
      .locator(".badge", { hasText: /^Validation$/ })
      .waitFor();

    assert.match(await decoder().locator(".verdict").innerText(), /Do not send the same bytes again/);
    for (let step = 0; step < 3; step++) await page.keyboard.press("Tab");
    await focusOn(page, "tab cause");
    await page.keyboard.press("ArrowRight");
    await focusOn(page, "tab fields");
    await page.keyboard.press("ArrowRight");
    await decoder().locator("pre.raw", { hasText: "SIGERROR" }).waitFor();
    await page.keyboard.press("Home");
    await focusOn(page, "tab cause");
  });

  it("navigates the tree of a nested error by keyboard, and shows the bytes of each value", async () => {
    await write(nested);
    assert.match(await title().innerText(), /^Reverted: OrderRefused\(id: 77/);
    assert.match(await decoder().locator(".sources").innerText(), /Orders/);
    await decoder().locator("#tab-cause").focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Tab");
    await focusOn(page, "field 0");

    await page.keyboard.press("ArrowDown");
    await focusOn(page, "field 1");
    await page.keyboard.press("ArrowRight");
    await focusOn(page, "field 1.0");
    await decoder()
      .locator("mark.looked-at", { hasText: /^dd791d6b49e190062d650e6a23c575510d35f2f9$/ })
      .waitFor();
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");

    await decoder().locator('[data-key="field 1"][aria-expanded="false"]').waitFor();
    await page.keyboard.press("ArrowRight");
    await decoder().locator('[data-key="field 1"][aria-expanded="true"]').waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await picture("decoder-nested-error");
  });

  for (const [name, text] of Object.entries(TEXTS)) {
    it(`shows a ${name} with accessible tabs`, async () => {
      await write(text);

      await workbench.screenshot(`decoder-${name.replaceAll(" ", "-")}`);

      assert.deepEqual(await barriersIn(["cause", "fields", "raw"]), []);
    });
  }

  it("reports a truncated answer", async () => {
    await write(TEXTS["truncated answer"]);

    assert.match(await decoder().locator(".result").innerText(), /cut off|ends before/);
  });

  it("lets the user choose an interpretation, and keeps choice and focus", async () => {
    await write(TEXTS["several readings"]);
    await decoder().locator("#tab-cause").click();
    await decoder().locator("#choice-0").focus();
    await page.keyboard.press("ArrowDown");

    await decoder().locator(".code", { hasText: "collate_propagate_storage(bytes16)" }).waitFor();

    await focusOn(page, "choice-1");
    assert.ok(await decoder().locator("#choice-1").isChecked());
    await picture("decoder-readings");
  });

  /** Brings the page of the decoder to the front, whatever its buttons led to. */
  async function comeBack(): Promise<void> {
    // A page that has just opened takes the focus, and with it the palette that is open.
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: Open Decoder");
      await page.locator(".tab.active", { hasText: "Decoder" }).waitFor({ timeout });
    });
    await decoder().locator("textarea").waitFor();
  }

  it("offers the permitted actions of a tracked transaction, and reveals it", async () => {
    await write(refusalOf("rejected"));
    await decoder().locator(".standing").waitFor();

    assert.match(await decoder().locator(".standing").innerText(), /Refused: CONTRACT_VALIDATE_ERROR\s+20,000 coins →/);
    assert.equal(await decoder().locator(".actions .primary").innerText(), "Send Same Bytes Again");
    await decoder().getByRole("button", { name: "Show Transaction" }).press("Enter");
    await timelinePage(page)
      .locator("dd", { hasText: storyTxId("rejected") })
      .waitFor();
    await comeBack();
  });

  it("offers no action that could pay twice for a final transaction", async () => {
    await write(refusalOf("final"));
    await decoder().locator(".standing", { hasText: "Final" }).waitFor();

    assert.deepEqual(await decoder().locator(".actions button").allInnerTexts(), [
      "Show Transaction",
      "Show in List",
      "Decode This Transaction",
      "Copy Report",
      "Copy Plain Text",
    ]);
    assert.match(await decoder().locator(".verdict").innerText(), /Nothing to do/);
  });

  for (const theme of Object.keys(THEMES) as ThemeName[]) {
    it(`is readable in the theme ${THEMES[theme].label}`, async () => {
      await page.locator(".pane-header", { hasText: "Accounts" }).click();
      await chooseTheme(page, theme);
      await write(refusalOf("rejected"));
      await decoder().locator(".standing").waitFor();

      await picture(`decoder-${theme}`);
      assert.deepEqual(await barriersIn(["cause", "fields", "raw"]), []);
    });
  }

  for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
    it(`shows hostile text as plain text: ${name}`, async () => {
      for (const input of [text, answerWith(text)]) {
        await write(input);
        for (const tab of ["cause", "fields", "raw"]) {
          await decoder().locator(`#tab-${tab}`).click();
          assert.equal(await decoder().locator(".result :is(img, script, b, a, iframe)").count(), 0);
        }
        await decoder().locator("#tab-cause").click();
      }
      const report = await copyReport();
      assert.match(report, /^# The contract was refused\n/);
      assert.doesNotMatch(report, /[^\P{Cc}\n\t]|\p{Cf}/u);
      assert.doesNotMatch(report.replace(/^(`{3,})text\n[\s\S]*?\n\1$/gm, "").replace(/`[^`\n]*`/g, ""), /(?<!\\)[<[]/);
      const hacked = await decoder()
        .locator("body")
        .evaluate(() => "hacked" in globalThis);
      assert.equal(hacked, false);
    });
  }

  async function copyReport(): Promise<string> {
    await page.evaluate("navigator.clipboard.writeText('')");
    await decoder().getByRole("button", { name: "Copy Report" }).press("Enter");
    for (const end = Date.now() + COPIED_WITHIN_MS; Date.now() < end; ) {
      const text = await page.evaluate<string>("navigator.clipboard.readText()");
      if (text !== "") return text;
    }
    return assert.fail("nothing copied");
  }

  it("stays responsive with a text of one megabyte", async () => {
    await write(answerWith(HUGE_TEXT).slice(0, 1_000_000));
    assert.ok((await decoder().locator(".result").innerText()).length < 20_000);

    await write("SIGERROR");
    await decoder().locator(".code", { hasText: "SIGERROR" }).waitFor();
  });

  it("stacks both panes when the page is narrow", async () => {
    await write(TEXTS["out of energy"]);
    const { width = 1400, height = 900 } = page.viewportSize() ?? {};
    await page.setViewportSize({ width: 900, height });

    // The page in the frame learns of its new size after the window.
    await (await frameOf(page)).waitForFunction(EXPLANATION_STANDS_BELOW);
    assert.deepEqual(await findBarriers(page), []);
    await workbench.screenshot("decoder-narrow");
    await page.setViewportSize({ width, height });
  });

  it("U1: explains the text of the last command when its page was hidden", async () => {
    await write(TEXTS["out of energy"]);
    await openFile(page, "Orders.json");
    await page.locator(".tab.active", { hasText: "Orders.json" }).waitFor();

    await workbench.runCommand("Finality: Decode Selection");
    await page.locator(".quick-input-widget input").fill("SIGERROR");
    await page.keyboard.press("Enter");

    await decoder().locator(".code", { hasText: "SIGERROR" }).waitFor();
    assert.equal(await decoder().locator("textarea").inputValue(), "SIGERROR");
  });

  /** A picture of the page alone. */
  async function picture(name: string): Promise<void> {
    const box = await page.locator("iframe.webview.ready:visible").boundingBox();
    assert.ok(box !== null);
    await takePicture(page, name, { ...box, height: Math.min(box.height, 720) });
  }
});

describe("decoder page after a restart", function () {
  this.timeout(180_000);
  let dataDir: string;
  let workbench: OpenWorkbench | undefined;

  before(() => {
    dataDir = mkdtempSync(join(tmpdir(), "finality-decoder-"));
  });

  after(async () => {
    await workbench?.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it("restores its text and interpretation", async () => {
    const folder = join(dataDir, "shop");
    const text = TEXTS["out of energy"];
    mkdirSync(folder);
    workbench = await openWorkbench({ dataDir, folder });
    const port = Number(new URL(workbench.url).port);
    await workbench.showFinality();
    await workbench.page.locator(".pane-body", { hasText: "Start Local Chain" }).first().waitFor();
    await workbench.runCommand("Finality: Open Decoder");
    await timelinePage(workbench.page).locator("textarea").fill(text);
    await timelinePage(workbench.page).locator(".head h1").waitFor();
    await editorsAreKept(workbench.page, "71204118");

    await workbench.close();
    workbench = await openWorkbench({ dataDir, folder, port });

    await timelinePage(workbench.page).locator(".head h1", { hasText: "Out of energy" }).waitFor();
    assert.equal(await timelinePage(workbench.page).locator("textarea").inputValue(), text);
  });
});

function refusalOf(story: string): string {
  return JSON.stringify({ code: "CONTRACT_VALIDATE_ERROR", txid: storyTxId(story), message: hexOf(POOR) });
}

function hexOf(text: string): string {
  return Buffer.from(text, "utf8").toString("hex");
}
