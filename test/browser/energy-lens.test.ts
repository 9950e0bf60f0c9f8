import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { copySamples } from "../support/samples/copy-samples.ts";
import { type OpenWorkbench, openWorkbench, tryAgain } from "../support/workbench/workbench.ts";
import { barriersIn, COLOURS_OF_THE_THEME } from "./barriers.ts";
import { chooseTheme, type ThemeName } from "./choose-theme.ts";
import { type HeldProxy, openHeldProxy } from "./held-proxy.ts";
import { takeChainBeside } from "./local-flow.ts";
import { openFile } from "./open-file.ts";
import { takePicture } from "./pictures.ts";

const samples = join(import.meta.dirname, "..", "..", "samples");
const CALL_FILE = "calls/story.finality.jsonc";
/** Pictures show what has come, not what is coming. */
const SETTINGS = { "workbench.reduceMotion": "on" };
const CALLS = `{
  "network": "Local chain",
  "calls": [
    {
      "label": "A first leaf for Frank",
      "contract": "Leaf",
      "function": "transfer",
      "arguments": ["Frank", "1000000"],
      "caller": "Bob",
      "feeLimit": 1000000
    },
    {
      "label": "Grace has no leaves",
      "contract": "Leaf",
      "function": "transfer",
      "arguments": ["Bob", "1000000"],
      "caller": "Grace",
      "feeLimit": 15000000
    },
    {
      "label": "Carol may take 5 of Bob's leaves",
      "contract": "Leaf",
      "function": "approve",
      "arguments": ["Carol", "5000000"],
      "caller": "Bob",
      "feeLimit": 15000000
    }
  ]
}
`;

const READS = `{
  "network": "Local chain",
  "calls": [
    { "contract": "Leaf", "function": "balanceOf", "arguments": ["Bob"] },
    { "contract": "Leaf", "function": "transfer", "arguments": ["Bob", "1000000"], "caller": "Grace", "feeLimit": 15000000 },
    { "contract": "Leaf", "function": "transfer", "arguments": ["Frank", "1000000"], "caller": "Bob", "feeLimit": 15000000 }
  ]
}
`;

const SCRIPT = `const leaf = await tronWeb.contract(artifact.abi, deployed("Leaf"));
await leaf.methods.transfer(Frank.address, amount).send({ feeLimit: 1_000_000 });
`;
const HALF_TYPED = `{
  "network": "Local chain",
  "calls": [
    {
      "label": "Leaves for a friend",
      "contract": "Leaf",
      "function": "tra"
    }
  ]
}
`;

const TOO_SMALL = /energy · .* · fee_limit 1 coin covers [\d,]+ \(\d+ %\)/;

/** A lens by what it says. */
function lens(page: Page, text: string | RegExp) {
  return page.locator(".codelens-decoration a", { hasText: text });
}

/**
 * Measures the position of all lines and lenses in one step, because a line that is redrawn in between
 * has no position.
 */
async function places(page: Page): Promise<readonly number[]> {
  return await page.evaluate<number[]>(`
    [...document.querySelectorAll(".editor-instance .view-line, .editor-instance .codelens-decoration")]
      .map((one) => Math.round(one.getBoundingClientRect().top))
      .sort((a, b) => a - b)`);
}

describe("energy lens by keyboard", function () {
  this.timeout(240_000);
  let chain: LocalChain;
  let workbench: OpenWorkbench;
  let page: Page;
  let folder: string;
  let proxy: HeldProxy;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "finality-lens-"));
    copySamples(samples, folder, ["build", "calls", "contracts", "scripts"]);
    chain = await startLocalChain({ seed: "lens", blockTimeMs: 0, startTime: Date.now() });
    const { deploy } = await import(join(samples, "scripts", "deploy.mjs"));
    mkdirSync(join(folder, "deployments"));
    writeFileSync(join(folder, "deployments", "local.json"), JSON.stringify(await deploy(chain.baseUrl)));
    proxy = await openHeldProxy(chain.baseUrl, chain.ready.proof);
    writeFileSync(join(folder, CALL_FILE), CALLS);
    writeFileSync(join(folder, "calls", "reads.finality.jsonc"), READS);
    writeFileSync(join(folder, "scripts", "pay.js"), SCRIPT);
    writeFileSync(join(folder, "calls", "new.finality.jsonc"), HALF_TYPED);
    const env = { FINALITY_DEV_CHAIN: JSON.stringify({ ...chain.ready, baseUrl: proxy.url }) };
    workbench = await openWorkbench({ folder, env, settings: SETTINGS });
    ({ page } = workbench);
    await show(CALL_FILE);
    await lens(page, "Estimate energy").filter({ visible: true }).first().waitFor();
    await workbench.runCommand("Finality: Start Local Chain");
    await takeChainBeside(page);
    await page.locator(".statusbar-item", { hasText: "Local chain" }).first().waitFor();
  });
  after(async () => {
    await workbench?.close();
    await proxy?.close();
    await chain?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function show(path: string): Promise<void> {
    await openFile(page, path);
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
    proxy?.release();
    if (this.currentTest?.state === "failed") await workbench.screenshot("energy-lens-failed");
  });

  const hover = (text: string) => page.locator(".monaco-hover-content", { hasText: text }).first();
  /** Shows the hover at the cursor by its keys, and repeats that because a redrawn lens closes it. */
  async function showHover(text: string): Promise<void> {
    await tryAgain(page, async (timeout) => {
      await page.keyboard.press("Control+k");
      await page.keyboard.press("Control+i");
      await hover(text).waitFor({ timeout });
    });
  }
  const asked = (): number => chain.simulation.requests.report().paths["/wallet/triggerconstantcontract"] ?? 0;

  it("sends no request before it is activated, and then warns that fee_limit is too small", async () => {
    await goTo(lineOf(CALL_FILE, "A first leaf for Frank"));
    await lens(page, "Estimate energy").filter({ visible: true }).first().waitFor();
    assert.equal(asked(), 0);
    const before = await places(page);

    proxy.hold();
    await workbench.runCommand("Finality: Estimate Energy at Cursor");
    await lens(page, "estimating…").waitFor();
    assert.deepEqual(await places(page), before, "no line moved while the chain is asked");
    proxy.release();
    await lens(page, TOO_SMALL).waitFor();

    assert.equal(asked(), 1);
    assert.deepEqual(await places(page), before, "no line moved");
    await page.locator(".squiggly-warning").first().waitFor();
  });

  it("shows every figure with its source in a hover, readable in each theme", async () => {
    for (const theme of ["light", "high-contrast", "high-contrast-light", "dark"] as ThemeName[]) {
      await chooseTheme(page, theme);
      await showHover("triggerconstantcontract");
      await takePicture(page, `energy-hover-${theme}`);
      assert.deepEqual(
        await barriersIn(page, [".codelens-decoration", ".monaco-hover-content"], COLOURS_OF_THE_THEME),
        [],
      );
      const text = ((await hover("triggerconstantcontract").textContent()) ?? "").replaceAll(/\s/g, " ");
      for (const part of ["getEnergyFee", "fee_limit needed", "estimateenergy", "Leaf is at T", "Choose Caller…"])
        assert.ok(text.includes(part), `${part} in ${text}`);
      await page.keyboard.press("Escape");
    }
  });

  it("refreshes all estimates of a file, and stops on Cancel", async () => {
    const before = asked();
    proxy.hold();
    await workbench.runCommand("Finality: Refresh Estimates in File");
    await lens(page, "estimating…").nth(2).waitFor();
    await page.locator('.statusbar-item[id="status.notifications"]').click();
    const progress = page.locator(".notifications-center .notification-list-item", { hasText: "Estimating 3 calls" });

    await progress.getByRole("button", { name: "Cancel" }).click();
    await progress.waitFor({ state: "hidden" });
    await lens(page, "estimating…").first().waitFor({ state: "hidden" });
    proxy.release();

    assert.equal(asked(), before, "nobody waits for what was cancelled");
    await workbench.runCommand("Finality: Refresh Estimates in File");
    await lens(page, "would REVERT: NotEnoughLeaves").waitFor();
    await lens(page, "Estimate energy").first().waitFor({ state: "hidden" });
    assert.equal(asked() - before, 3);
    assert.ok(!/energy/.test((await lens(page, "would REVERT").textContent()) ?? ""), "no number for what would fail");
    await takePicture(page, "energy-lens-dark");
  });

  /**
   * The editor closes a list that comes while it still draws the cursor at its new place: then a person presses the
   * keys again.
   */
  async function offerFixes(text: string): Promise<void> {
    const row = page.locator(".action-widget .monaco-list-row", { hasText: text }).first();
    for (let tries = 0; tries < 10 && !(await row.isVisible()); tries++) {
      await page.keyboard.press("Control+.");
      await row.waitFor({ timeout: 3_000 }).catch(() => undefined);
    }
    await row.waitFor();
  }

  it("sets a sufficient limit by a quick fix without a request", async () => {
    await goTo(lineOf(CALL_FILE, '"feeLimit": 1000000'));
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    const before = asked();
    await offerFixes("Show estimate details");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await hover("triggerconstantcontract").waitFor();
    await page.keyboard.press("Escape");

    await goTo(lineOf(CALL_FILE, '"feeLimit": 1000000'));
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    await offerFixes("Set fee_limit to");
    await takePicture(page, "energy-lens-quick-fix");
    await page.keyboard.press("Enter");

    await lens(page, "fee_limit 1 coin covers").waitFor({ state: "hidden" });
    await lens(page, /[\d,]+ energy · [\d.]+ coins\s*$/)
      .first()
      .waitFor();
    assert.equal(asked(), before);
  });

  it("completes functions with their types", async () => {
    const path = "calls/new.finality.jsonc";
    await show(path);
    await goTo(lineOf(path, '"tra"'));
    await page.keyboard.press("End");
    await page.keyboard.press("ArrowLeft");
    const offered = page.locator(".suggest-widget .monaco-list-row", { hasText: "transferFrom" }).first();
    await tryAgain(page, async (timeout) => {
      await page.keyboard.press("Control+Space");
      await offered.waitFor({ timeout });
    });
    await takePicture(page, "energy-call-file-completion");
    assert.match((await offered.textContent()) ?? "", /address from, address to, uint256 value/);
    await page.keyboard.press("Enter");
    await page.keyboard.press("Control+s");
    await page
      .locator(".view-line", { hasText: /"transfer(From)?"/ })
      .first()
      .waitFor();
  });

  it("prompts once for values that the source does not contain, and remembers them until they are reset", async () => {
    await show("scripts/pay.js");
    await goTo(2);
    await workbench.runCommand("Finality: Estimate Energy at Cursor");
    const input = page.locator(".quick-input-widget input");
    await page.locator(".quick-input-widget", { hasText: "transfer: value (uint256)" }).waitFor();
    await takePicture(page, "energy-lens-question");
    await input.fill("1000000");
    await page.keyboard.press("Enter");
    await lens(page, TOO_SMALL).waitFor();

    await workbench.runCommand("Finality: Estimate Energy at Cursor");
    await lens(page, TOO_SMALL).waitFor();
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await showHover("value is 1000000, as you entered");
    await page.keyboard.press("Escape");
    await workbench.runCommand("Finality: Forget Estimate Answers");
    await lens(page, "an answer is missing: transfer: value (uint256)").waitFor();
  });

  const toast = (text: string) => page.locator(".notifications-toasts .notification-list-item", { hasText: text });
  const dialog = (text: string) => page.locator(".monaco-dialog-box", { hasText: text });

  it("U3: calls a view function, and shows its result", async () => {
    await workbench.runCommand("View: Show Explorer");
    await show("calls/reads.finality.jsonc");
    await lens(page, "Read").first().click();

    await toast("Leaf.balanceOf(").waitFor();
    await takePicture(page, "energy-lens-read");
    await workbench.runCommand("Notifications: Clear All Notifications");
  });

  it("U6: shows the reason with its values in the review of a call that would fail", async () => {
    for (const theme of ["light", "dark"] as ThemeName[]) {
      await chooseTheme(page, theme);
      await lens(page, "Send…").first().click();
      await dialog("Call “transfer” on “Leaf” although it would fail?").waitFor();
      const text = await dialog("although it would fail?").innerText();
      assert.match(text, /⚠ Estimate: would REVERT: NotEnoughLeaves\(\w+: Grace, .*1000000\)\./);
      await takePicture(page, `call-file-would-revert-${theme}`);
      await page.keyboard.press("Escape");
      await dialog("although it would fail?").waitFor({ state: "hidden" });
    }
    await lens(page, "Send…").first().click();
    await dialog("although it would fail?").getByRole("button", { name: "Decode" }).click();
    await page.locator('.tab[aria-label^="Decode"]').waitFor();
  });

  it("U3: reviews a call before it signs, and shows the result while the Explorer is open", async () => {
    await show("calls/reads.finality.jsonc");
    await lens(page, "Send…").nth(1).click();
    await dialog("Call “transfer” on “Leaf”?").waitFor();
    await takePicture(page, "call-file-review");
    await page.keyboard.press("Enter");
    await toast("Accepted by the node, not final").waitFor();
    await takePicture(page, "call-file-sent");

    await toast("Accepted by the node").getByRole("button", { name: "Show" }).click();
    await page.locator('.pane-body .monaco-list-row[aria-label*="Call transfer on"]').first().waitFor();
    await takePicture(page, "call-file-shown");
  });

  it("is shown at the end of its line, without moving text, when the setting says so", async () => {
    await show(CALL_FILE);
    await lens(page, / energy · /)
      .first()
      .waitFor();
    mkdirSync(join(folder, ".vscode"));
    writeFileSync(join(folder, ".vscode", "settings.json"), JSON.stringify({ "finality.energy.display": "inlayHint" }));
    await page
      .locator(".view-line", { hasText: /\d\senergy\s·/ })
      .first()
      .waitFor();
    await lens(page, /./).first().waitFor({ state: "hidden" });
    await goTo(lineOf(CALL_FILE, "Carol may take 5"));
    const before = await places(page);

    proxy.hold();
    await workbench.runCommand("Finality: Estimate Energy at Cursor");
    await page.locator(".view-line", { hasText: "estimating…" }).waitFor();
    assert.deepEqual(await places(page), before);
    proxy.release();
    await page.locator(".view-line", { hasText: "estimating…" }).waitFor({ state: "hidden" });
    assert.deepEqual(await places(page), before);
    assert.equal(await lens(page, /./).count(), 0, "no lens stays beside the hints");
    await takePicture(page, "energy-inlay-hint");
  });
});
