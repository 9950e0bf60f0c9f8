import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { errors, type Page } from "playwright-core";
import { pseudo } from "../../scripts/words/pseudo.mjs";
import { howOften } from "../support/random/how-often.ts";
import { StandInWallet } from "../support/workbench/stand-in-wallet.ts";
import { tryAgain } from "../support/workbench/workbench.ts";
import { FitWalk } from "./fit-walk.ts";
import { ForgottenTexts, packPseudoExtension } from "./forgotten-texts.ts";
import { PSEUDO_LANGUAGE, pseudoManifest } from "./pseudo-extension.ts";
import { STAGES } from "./tour.ts";
import { leadToOwnPages, walletButton, walletTabAfter } from "./wallet-tab.ts";

const root = join(import.meta.dirname, "..", "..");
const titles = pseudoManifest();
/** Leave the window or the machine, end what the others need, or list the documentation, which is in English alone. */
const NOT_RUN = /\.(stopLocalChain|localChainReset|connectBrowserWallet|openDocumentation)$/;
/** Commands that the palette shows in other contexts: at a file, during a proof, after a removal, with a filter, with watched or hidden items. */
const NOT_OFFERED = [
  "startLocalChain",
  "changeKeyPolicy",
  "showNoticesAgain",
  "openInExplorer",
  "showTransaction",
  "removeSelected",
  "undoRemove",
  "clearTransactionFilter",
  "showMoreTransactions",
  "signAgain",
  "stopWatchingIncoming",
  "resumeWatching",
  "removeIncoming",
  "exportIncoming",
  "showEvents",
  "exportEvents",
  "copyValue",
  "stopProof",
  "resumeProof",
  "traceTransaction",
  "traceFailure",
  "showLineEnergy",
  "compareLineEnergy",
  "hideLineEnergy",
  "estimateEnergy",
  "refreshEstimates",
  "showEstimate",
  "traceCall",
  "debugCall",
  "sendCallOfFile",
];
const SHOWN_WITHIN_MS = 60_000;
/** One of so many commands is run. */
const EVERY = howOften(3, 1);

interface Manifest {
  readonly contributes: { readonly commands: readonly { readonly command: string; readonly title: string }[] };
}

describe("translation of all texts", function () {
  this.timeout(240_000);
  const scratch = mkdtempSync(join(tmpdir(), "finality-pseudo-"));
  const forgotten = new ForgottenTexts();
  const walk = new FitWalk(pseudo, { once: look });
  let texts = 0;

  before(async () => {
    await walk.begin({ package: await packPseudoExtension(scratch), language: PSEUDO_LANGUAGE });
    await walk.workbench.showFinality();
  });

  after(async () => {
    await walk.end();
    rmSync(scratch, { recursive: true });
  });

  async function look(page: Page, place: string): Promise<void> {
    const shown = await forgotten.look(page, place);
    assert.ok(shown > 3, `${place} shows nothing`);
    texts += shown;
  }

  const page = () => walk.workbench.page;
  /** Returns the UI that a command may show: an input, a dialog, a notification, another editor, a status bar text. */
  const signs = (): Promise<string> => page().evaluate<string>(SIGNS);

  /** Runs a command by the palette, if it is offered within this time, ms. */
  async function run(title: string, patience: number): Promise<boolean> {
    const row = page().locator(".quick-input-list .monaco-list-row.focused");
    await tryAgain(page(), async (timeout) => {
      await page().keyboard.press("F1");
      const input = page().locator('.quick-input-widget input[placeholder*="command"]');
      await input.fill(`>Finality: ${title}`, { timeout });
      await row.waitFor({ timeout });
    });
    // The list shows the earlier matches for a moment.
    const isThere = await comes(row.filter({ hasText: title }).waitFor({ timeout: patience }));
    await page().keyboard.press(isThere ? "Enter" : "Escape");
    return isThere;
  }

  /** @returns whether it came in time */
  async function comes(waiting: Promise<unknown>): Promise<boolean> {
    try {
      await waiting;
      return true;
    } catch (error) {
      if (error instanceof errors.TimeoutError) return false;
      throw error;
    }
  }

  /** @returns whether anything came that was not there before */
  function shows(before: string): Promise<boolean> {
    const isNew = `(${SIGNS_NOW})() !== ${JSON.stringify(before)}`;
    return comes(page().waitForFunction(isNew, undefined, { timeout: SHOWN_WITHIN_MS }));
  }

  async function leave(): Promise<void> {
    for (let presses = 0; presses < 3; presses++) await page().keyboard.press("Escape");
  }

  it("covers the views and their welcome content", async () => {
    await page().locator(".pane-body .welcome-view-content").first().waitFor();

    await look(page(), "views");
  });

  for (const [name, stage] of Object.entries(STAGES)) {
    it(`covers the later steps of a command, uncut at 200 %: ${name}`, async () => {
      assert.deepEqual(await walk.cutOn(stage), []);
    });
  }

  it("covers the wallet page", async () => {
    const context = page().context();
    await new StandInWallet("11".repeat(32)).installIn(context);
    await leadToOwnPages(context);

    const tab = await walletTabAfter(page(), () => run(titles["command.connectBrowserWallet"] ?? "", SHOWN_WITHIN_MS));
    await look(tab, "wallet");
    await walletButton(tab).click();
    await tab.locator(".sentence.over").waitFor();
    await look(tab, "wallet-connected");
    await tab.close();
    await page().bringToFront();
    await leave();
  });

  it("covers the first step of each command", async () => {
    const { contributes }: Manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    const [notOffered, silent]: [string[], string[]] = [[], []];
    const tried = contributes.commands.filter(({ command }, at) => !NOT_RUN.test(command) && at % EVERY === 0);
    const names = tried.map(({ command }) => command.replace("finality.", ""));
    for (const { command, title } of tried) {
      const name = command.replace("finality.", "");
      const before = await signs();
      const patience = NOT_OFFERED.includes(name) ? 1_000 : SHOWN_WITHIN_MS;
      if (!(await run(titles[title.replaceAll("%", "")] ?? "", patience))) notOffered.push(name);
      else if (!(await shows(before))) silent.push(name);
      await forgotten.look(page(), command);
      await leave();
    }

    const expected = NOT_OFFERED.filter((it) => names.includes(it));
    assert.deepEqual({ notOffered, silent }, { notOffered: expected, silent: [] });
  });

  it("leaves no shown text untranslated", () => {
    assert.ok(texts > 500, `only ${texts} texts`);
    assert.deepEqual(forgotten.lines, []);
  });
});

/** Runs in the page; the palette itself is no sign. */
const SIGNS_NOW = `() =>
  [...document.querySelectorAll('.quick-input-widget, .monaco-dialog-box, .notification-list-item, .tab.active, .statusbar-item, .panel .composite.title')]
    .filter((it) => it.checkVisibility() && !it.querySelector("input")?.value.startsWith(">"))
    .map((it) => (it.querySelector("input")?.placeholder ?? "") + it.textContent)
    .join("\\n")`;
const SIGNS = `(${SIGNS_NOW})()`;
