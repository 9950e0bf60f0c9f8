import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import type { FrameLocator, Page } from "playwright-core";
import { workbenchServer } from "../../scripts/install/workbench.mjs";
import { packedOnce } from "../../scripts/package/pack.mjs";
import { openBrowser } from "../../scripts/workbench/browser.mjs";
import { startWorkbench } from "../../scripts/workbench/server.mjs";
import { runCommand } from "../support/workbench/workbench.ts";
import { takePicture } from "./pictures.ts";
import { frameOf, timelinePage } from "./timeline-page.ts";

const START_MS = 120_000;

/** Installs the package as `code --install-extension finality-0.2.0.vsix` does. */
function install(file: string, dataDir: string): string {
  const folders = ["--server-data-dir", dataDir, "--extensions-dir", join(dataDir, "extensions")];
  const options = ["--accept-server-license-terms", ...folders, "--install-extension", file];
  return spawnSync(process.execPath, [workbenchServer, ...options], { encoding: "utf8" }).stdout;
}

describe("extension page of the installed package", function () {
  this.timeout(240_000);
  const scratch = mkdtempSync(join(tmpdir(), "finality-page-"));
  let server: Awaited<ReturnType<typeof startWorkbench>>;
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let page: Page;

  before(async () => {
    const dataDir = join(scratch, "data");
    const file = await packedOnce(process.cwd());
    assert.match(install(file, dataDir), new RegExp(`${basename(file)}' was successfully installed`));
    server = await startWorkbench({ dataDir, logFile: join(".cache/logs", "extension-page.log") });
    browser = await openBrowser(join(scratch, "browser"));
    page = browser.pages()[0] ?? (await browser.newPage());
    await page.goto(server.url);
    await page.locator('.activitybar [aria-label^="Finality"]').first().waitFor({ timeout: START_MS });
  });

  after(async () => {
    await browser?.close();
    await server?.stop();
    rmSync(scratch, { recursive: true, force: true });
  });

  const shown = (): FrameLocator => timelinePage(page);

  /** Pictures and links of what is shown, beside the editor's own way back to the top. */
  async function leadingOut(): Promise<readonly string[]> {
    const found = shown().locator("img, a:not(#scroll-to-top)");
    const marks = await found.evaluateAll((all) => all.map((it) => it.outerHTML));
    return marks.filter((it) => !/<a [^>]*href="https:\/\/(keepachangelog\.com|semver\.org)/.test(it));
  }

  const run = (command: string): Promise<void> => runCommand(page, command);

  it("describes purpose and audience in its first line, and has no broken picture or link", async () => {
    await run("Extensions: Show Installed Extensions");
    await page.locator(".extension-list-item", { hasText: "Finality" }).first().click();

    await shown().getByText("For developers on TRON-style chains").waitFor();
    await shown().getByRole("heading", { name: "Network access and privacy" }).waitFor();
    await takePicture(page, "extension-page");
    assert.deepEqual(await leadingOut(), []);
    assert.equal(await shown().getByText("git clone").count(), 0);
  });

  it("has a changelog with the released version on top", async () => {
    await page.locator(".extension-editor .navbar .action-label", { hasText: "Changelog" }).click();

    await shown().getByRole("heading", { name: "[0.2.0]" }).waitFor();
    assert.deepEqual(await leadingOut(), []);
  });

  it("equals the README of the repository without its pictures, which the editor cannot show", async () => {
    const [installed = "no package"] = globSync(join(scratch, "data/extensions/finality.finality-*/"));
    const page = globSync(join(installed, "{README,readme}.md"))[0] ?? assert.fail(`${installed} has no page`);
    const packed = readFileSync(page, "utf8");
    assert.ok(!packed.includes("![") && !packed.includes("<img"));
    assert.ok(readFileSync("README.md", "utf8").includes("![The first minute"));
  });

  it("includes the documentation and its animated picture", async () => {
    await run("View: Close All Editors");
    await run("Finality: Open Documentation…");
    await page.locator(".quick-input-widget input").fill("Getting started");
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: "Getting started" }).waitFor();
    await page.keyboard.press("Enter");

    await shown().locator('img[src*="first-minute.webp"]').waitFor();
    const drawn = `document.querySelector('img[src*="first-minute.webp"]').naturalWidth > 500`;
    await (await frameOf(page)).waitForFunction(drawn);
    await takePicture(page, "packed-documentation");
  });
});
