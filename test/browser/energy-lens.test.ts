import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../src/local-chain/main.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench.ts";
import { chooseTheme, type ThemeName } from "./choose-theme.ts";
import { takePicture } from "./pictures.ts";

const samples = join(import.meta.dirname, "..", "..", "samples");
const CALL_FILE = "calls/leaf.finality.jsonc";

/** A lens by what it says. */
function lens(page: Page, text: string | RegExp) {
  return page.locator(".codelens-decoration a", { hasText: text });
}

/** Where every line of text and every row of lenses is drawn. */
async function places(page: Page): Promise<readonly string[]> {
  const drawn = await page.locator(".editor-instance .view-line, .editor-instance .codelens-decoration").all();
  const tops = await Promise.all(drawn.map(async (one) => (await one.boundingBox())?.y ?? -1));
  return tops.map((top) => `${Math.round(top)}`).sort();
}

describe("an energy lens, as a person sees it with the keyboard alone", function () {
  this.timeout(240_000);
  let chain: LocalChain;
  let workbench: OpenWorkbench;
  let page: Page;
  let folder: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "finality-lens-"));
    for (const part of ["build", "calls", "contracts", "scripts"])
      cpSync(join(samples, part), join(folder, part), { recursive: true });
    chain = await startLocalChain({ seed: "lens", blockTimeMs: 0, startTime: Date.now() });
    const { deploy } = await import(join(samples, "scripts", "deploy.mjs"));
    mkdirSync(join(folder, "deployments"));
    writeFileSync(join(folder, "deployments", "local.json"), JSON.stringify(await deploy(chain.baseUrl)));
    const env = { FINALITY_DEV_CHAIN: JSON.stringify(chain.ready) };
    workbench = await openWorkbench({ folder, env, settings: { "security.workspace.trust.enabled": false } });
    ({ page } = workbench);
    await openFile(CALL_FILE);
    await lens(page, "Estimate energy").filter({ visible: true }).first().waitFor();
    await workbench.runCommand("Finality: Start Local Chain");
    await page.locator(".statusbar-item", { hasText: "Local chain" }).first().waitFor();
  });
  after(async () => {
    await workbench?.close();
    await chain?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function openFile(path: string): Promise<void> {
    await page.keyboard.press("Control+p");
    await page.locator(".quick-input-widget input").fill(path);
    await page
      .locator(".quick-input-list .monaco-list-row", { hasText: path.split("/").at(-1) ?? path })
      .first()
      .waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await page.locator(".editor-instance .view-line").first().waitFor();
  }

  async function goTo(line: number): Promise<void> {
    await page.keyboard.press("Control+g");
    await page.locator(".quick-input-widget input").fill(`:${line}`);
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
  }

  /** The number of the line that has a text. */
  function lineOf(path: string, text: string): number {
    return (
      readFileSync(join(folder, path), "utf8")
        .split("\n")
        .findIndex((line) => line.includes(text)) + 1
    );
  }

  afterEach(async function () {
    if (this.currentTest?.state === "failed") await workbench.screenshot("energy-lens-failed");
  });

  const asked = (): number => chain.simulation.requests.report().paths["/wallet/triggerconstantcontract"] ?? 0;

  it("asks nothing before it is asked, and then says in its place that fee_limit is too small", async () => {
    await goTo(lineOf(CALL_FILE, "A fee limit that is too small"));
    await lens(page, "Estimate energy").filter({ visible: true }).first().waitFor();
    assert.equal(asked(), 0);
    const before = await places(page);

    await workbench.runCommand("Finality: Estimate Energy at Cursor");
    await lens(page, /energy · .* · fee_limit 1 covers [\d,]+ \(\d+ %\)/).waitFor();

    assert.equal(asked(), 1);
    assert.deepEqual(await places(page), before, "no line moved");
    await page.locator(".squiggly-warning").first().waitFor();
    await takePicture(page, "energy-lens-too-small");
  });

  for (const theme of ["light", "high-contrast", "dark"] as ThemeName[]) {
    it(`can be read in the theme ${theme}`, async () => {
      await chooseTheme(page, theme);
      await lens(page, "fee_limit 1 covers").waitFor();
      await takePicture(page, `energy-lens-${theme}`);
    });
  }

  it("shows every figure with its source in a hover", async () => {
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+i");
    const hover = page.locator(".monaco-hover-content", { hasText: "triggerconstantcontract" }).first();
    await hover.waitFor();
    const text = ((await hover.textContent()) ?? "").replaceAll(/\s/g, " ");
    for (const part of ["getEnergyFee", "fee_limit needed", "estimateenergy", "Leaf is at T"])
      assert.ok(text.includes(part), `${part} in ${text}`);
    await takePicture(page, "energy-lens-hover");
    await page.keyboard.press("Escape");
  });

  it("sets a limit that does by a quick fix, and asks nothing for it", async () => {
    const [line] = [lineOf(CALL_FILE, '"feeLimit": 1000000')];
    await goTo(line);
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    const before = asked();
    await page.keyboard.press("Control+.");
    await page.locator(".action-widget .monaco-list-row", { hasText: "Set fee_limit to" }).first().waitFor();
    await takePicture(page, "energy-lens-quick-fix");
    await page.keyboard.press("Enter");

    await lens(page, "fee_limit 1 covers").waitFor({ state: "hidden" });
    await lens(page, /[\d,]+ energy · [\d.]+\s*$/)
      .first()
      .waitFor();
    assert.equal(asked(), before);
  });

  it("says why a call would revert, and shows no number for it", async () => {
    await goTo(lineOf(CALL_FILE, "Grace has no leaves"));
    await workbench.runCommand("Finality: Estimate Energy at Cursor");
    const failing = lens(page, "would REVERT: NotEnoughLeaves");
    await failing.waitFor();
    assert.ok(!/energy/.test((await failing.textContent()) ?? ""));
    await takePicture(page, "energy-lens-revert");
  });
});
