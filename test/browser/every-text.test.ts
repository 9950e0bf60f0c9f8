import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pack } from "../../scripts/package/pack.mjs";
import { pseudo } from "../../scripts/words/pseudo.mjs";
import { tryAgain } from "../support/workbench/patience.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { makePseudoExtension, PSEUDO_LANGUAGE, pseudoManifest } from "./pseudo-extension.ts";
import { plainTextOf, shownTexts } from "./shown-texts.ts";

const root = join(import.meta.dirname, "..", "..");
const titles = pseudoManifest();
/** Leave the window or the machine, end what the others need, or list the documentation, which is in English alone. */
const NOT_RUN = /\.(stopLocalChain|localChainReset|connectBrowserWallet|openDocumentation)$/;
/** How long a command may take until something of it is shown; who shows nothing was silent on purpose. */
const SHOWN_WITHIN_MS = 500;

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string; readonly title: string }[] };
}

describe("every text", function () {
  this.timeout(600_000);
  const folder = mkdtempSync(join(tmpdir(), "finality-pseudo-"));
  let workbench: OpenWorkbench;
  const forgotten = new Map<string, string>();

  before(async () => {
    const extension = join(folder, "extension");
    mkdirSync(extension);
    makePseudoExtension(extension);
    const packed = join(folder, "pseudo.vsix");
    await pack(extension, packed);
    workbench = await openWorkbench({ package: packed, language: PSEUDO_LANGUAGE });
    await workbench.page.locator('.activitybar [aria-label^="Finality"]').first().click();
  });

  after(async () => {
    await workbench.close();
    rmSync(folder, { recursive: true });
  });

  async function look(where: string): Promise<number> {
    const texts = await shownTexts(workbench.page);
    for (const text of texts) {
      const plain = plainTextOf(text);
      if (plain !== undefined && !forgotten.has(plain)) forgotten.set(plain, `${where}: ${text.slice(0, 200)}`);
    }
    return texts.length;
  }

  /** Runs a command by the palette, if it is offered. */
  async function run(title: string): Promise<boolean> {
    const { page } = workbench;
    const row = page.locator(".quick-input-list .monaco-list-row.focused");
    await tryAgain(page, async (timeout) => {
      await page.keyboard.press("F1");
      const input = page.locator('.quick-input-widget input[placeholder*="command"]');
      await input.fill(`>Finality: ${title}`, { timeout });
      await row.waitFor({ timeout });
    });
    const isThere = (await row.innerText()).includes(title);
    await page.keyboard.press(isThere ? "Enter" : "Escape");
    return isThere;
  }

  async function leave(): Promise<void> {
    for (let presses = 0; presses < 3; presses++) await workbench.page.keyboard.press("Escape");
  }

  it("of the views and their welcome goes through translation", async () => {
    await workbench.page.locator(".pane-body .welcome-view-content").first().waitFor();

    assert.ok((await look("views")) > 3);
  });

  it("that a command begins with goes through translation", async () => {
    await run(pseudo("Start Local Chain"));
    await workbench.page.locator('.pane-body .monaco-list-row[aria-label*="Alice"]').first().waitFor();
    const { contributes }: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    let ran = 0;
    for (const { command, title } of contributes.commands.filter(({ command }) => !NOT_RUN.test(command))) {
      if (!(await run(titles[title.replaceAll("%", "")] ?? ""))) continue;
      ran += 1;
      await workbench.page.waitForTimeout(SHOWN_WITHIN_MS);
      await look(command);
      await leave();
    }

    assert.ok(ran > 50, `only ${ran} commands were there`);
  });

  it("that was shown was translated", () => {
    assert.deepEqual([...forgotten.values()], []);
  });
});
