import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answerTrust } from "../../scripts/workbench/trust.mjs";
import {
  chooseInStep,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  openWorkbench,
  stepInput,
} from "../support/workbench/workbench.ts";

/** A project of each tool, with a network that its file writes out. */
const PROJECTS = [
  {
    file: "tronbox.js",
    text: 'module.exports = { networks: { tea: { fullHost: "https://tea.example" } } };\n',
    network: "tea",
  },
  {
    file: "hardhat.config.ts",
    text: 'export default { networks: { cups: { url: "https://cups.example" } } };\n',
    network: "cups",
  },
  { file: "foundry.toml", text: '[rpc_endpoints]\nleaf = "https://leaf.example"\n', network: "leaf" },
];

describe("first step in a tool's project", function () {
  this.timeout(240_000);
  let scratch: string;
  let workbench: OpenWorkbench;

  endSuiteAtFirstFailure();

  const folderOf = (file: string): string => join(scratch, file.replaceAll(".", "-"));

  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), "finality-tools-"));
    for (const { file, text } of PROJECTS) {
      mkdirSync(folderOf(file));
      writeFileSync(join(folderOf(file), file), text);
    }
    workbench = await openWorkbench({ folder: folderOf("tronbox.js") });
  });

  after(async () => {
    await workbench.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  /** Button of an empty list. */
  const button = (title: string) => workbench.page.locator(".pane-body .monaco-button", { hasText: title }).first();

  for (const { file, network } of PROJECTS) {
    it(`offers the networks of ${file} beside the local chain`, async () => {
      const { page } = workbench;
      if (file !== "tronbox.js") {
        const there = new URL(page.url());
        there.searchParams.set("folder", folderOf(file));
        await page.goto(there.href);
        await answerTrust(page, true);
      }
      await workbench.showFinality();
      await button("Start Local Chain").waitFor();
      await button("Import Networks…").click();

      await chooseInStep(page, "Import from which file?", file);
      await stepInput(page, "Which networks?").waitFor();
      await page.locator(".quick-input-list .monaco-list-row", { hasText: network }).waitFor();
      if (network !== "leaf") await page.keyboard.press("Escape");
    });
  }

  it("leads to a network and then to a key, and offers no action without a key", async () => {
    const { page } = workbench;
    await page.keyboard.press("Enter");

    await button("Generate Signing Key…").waitFor();
    assert.equal(await button("Send Coins…").count(), 0);
    await page.locator(".statusbar-item", { hasText: "leaf" }).first().waitFor();
    await workbench.screenshot("welcome-no-signer");
  });
});
