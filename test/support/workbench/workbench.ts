import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { errors, type Locator, type Page } from "playwright-core";
import { installChineseFont } from "../../../scripts/install/chinese-font.mjs";
import { workbenchServer } from "../../../scripts/install/workbench.mjs";
import { packedOnce } from "../../../scripts/package/pack.mjs";
import { openBrowser } from "../../../scripts/workbench/browser.mjs";
import { startWorkbench } from "../../../scripts/workbench/server.mjs";
import { answerTrust, trustBefore } from "../../../scripts/workbench/trust.mjs";

const root = join(import.meta.dirname, "..", "..", "..");
const START_MS = 120_000;
/** Timeout of a step, ms: long enough for a slow machine on which other suites run. Idle machines need less than 5 s. */
const STEP_MS = 180_000;
/** Is in the words of the question whether this host may sign. */
export const HOST_QUESTION = "Finality asks once for each host.";

export interface WorkbenchOptions {
  /** The workspace; a small one is made when none is given. */
  readonly folder?: string;
  /** User data and browser profile. Open it again, and journal, settings and secrets are there again. */
  readonly dataDir?: string;
  /**
   * The port of the workbench. The browser keeps secrets by address, so who wants them after a restart passes the port
   * of the first time (`Number(new URL(url).port)`).
   */
  readonly port?: number;
  /** The name of a colour theme, e.g. "Default Light Modern" or "Default High Contrast". */
  readonly theme?: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** The package of the extension; that of what was built last, when none is given. */
  readonly package?: string;
  /** Packages of other extensions that are installed, too. */
  readonly extensions?: readonly string[];
  /** Added to the environment of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** The person does not trust the folder: it opens in Restricted Mode. */
  readonly restricted?: boolean;
  /** The language in which the extension speaks, e.g. "zh-cn". */
  readonly language?: string;
}

export interface OpenWorkbench {
  readonly page: Page;
  readonly url: string;
  readonly dataDir: string;
  readonly folder: string;
  /** Runs a command of the palette by its full title, e.g. "Finality: Send Coins…". */
  runCommand(title: string): Promise<void>;
  /**
   * Opens the view of Finality unless it is open in a restored window. A click on the icon
   * would close it, and may hit the badge.
   */
  showFinality(inPage?: Page): Promise<void>;
  /** Opens a second window: an extension host of its own, with the same user data and the same secrets. */
  openWindow(): Promise<Page>;
  /** Takes a picture into .cache/screenshots and gives its path. */
  screenshot(name: string): Promise<string>;
  /** Ends browser and server. Folders that were made for this workbench go, those that were given stay. */
  close(): Promise<void>;
}

/**
 * Opens the workbench in headless Chromium with the newest build of the extension, installed from its package, and waits
 * until it can be used. The folder was trusted before, or is marked as not trusted.
 */
export async function openWorkbench(options: WorkbenchOptions = {}): Promise<OpenWorkbench> {
  if (options.language?.startsWith("zh") === true) installChineseFont();
  const scratch = mkdtempSync(join(tmpdir(), "finality-browser-"));
  const dataDir = options.dataDir ?? join(scratch, "data");
  const folder = options.folder ?? makeWorkspace(scratch);
  const server = await startWorkbench({
    dataDir: join(dataDir, "server"),
    folder,
    packages: [options.package ?? (await packedOnce(root)), ...(options.extensions ?? [])],
    builtIns: fewBuiltIns(join(scratch, "built-in")),
    settings: { ...themeSettings(options.theme), ...options.settings },
    logFile: join(root, ".cache", "logs", `browser-${Date.now()}.log`),
    ...(options.language === undefined ? {} : { language: options.language }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  const browser = await openBrowser(join(dataDir, "browser")).catch(async (error: unknown) => {
    await server.stop();
    throw error;
  });
  const close = async () => {
    await browser.close();
    await server.stop();
    rmSync(scratch, { recursive: true, force: true });
  };
  const page = browser.pages()[0] ?? (await browser.newPage());
  try {
    // The browser keeps the answer by the address.
    const isNew = options.port === undefined;
    if (isNew && options.restricted !== true) await trustBefore(page, server.url, folder);
    await show(page, server.url);
    if (isNew && options.restricted === true) await answerTrust(page, false);
  } catch (error) {
    await close();
    throw error;
  }
  return {
    page,
    url: server.url,
    dataDir,
    folder,
    runCommand: (title) => runCommand(page, title),
    showFinality: (inPage = page) => showFinality(inPage),
    openWindow: async () => {
      const second = await browser.newPage();
      await show(second, server.url);
      return second;
    },
    screenshot: (name) => screenshot(page, name),
    close,
  };
}

async function show(page: Page, url: string): Promise<void> {
  page.setDefaultTimeout(STEP_MS);
  watchScreen(page);
  await page.goto(url);
  await page.locator(".monaco-workbench .statusbar-item").first().waitFor({ timeout: START_MS });
  void letHostSign(page);
  // From then on the palette knows the commands of the extension.
  await page.locator('.activitybar [aria-label^="Finality"]').first().waitFor();
}

/**
 * A workbench in a browser may run on another computer, so Finality asks once before keys travel there. The person says
 * yes, whenever that is.
 */
async function letHostSign(page: Page): Promise<void> {
  const question = page.locator(".monaco-dialog-box", { hasText: HOST_QUESTION });
  const saidYes = question.getByRole("button", { name: "Sign There" }).click({ timeout: 0 });
  // Most windows close before it comes.
  await saidYes.catch(() => undefined);
}

async function showFinality(page: Page): Promise<void> {
  await runCommand(page, "View: Show Finality");
  await page.locator(".composite.title", { hasText: "Finality" }).first().waitFor();
}

function makeWorkspace(scratch: string): string {
  const folder = join(scratch, "workspace");
  mkdirSync(folder);
  writeFileSync(join(folder, "notes.md"), "# A workspace of the browser tests\n");
  return folder;
}

function themeSettings(theme: string | undefined): Record<string, unknown> {
  // Both are needed: without the second a system in high contrast would win, and no test machine says what it prefers.
  return theme === undefined
    ? {}
    : { "workbench.colorTheme": theme, "window.autoDetectHighContrast": false, "window.autoDetectColorScheme": false };
}

/**
 * Runs a command of the palette by its full title. Until the workbench has started it swallows keys, and its palette does
 * not know every command.
 */
export async function runCommand(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input[placeholder*="command"]');
  await tryAgain(page, async (timeout) => {
    await page.keyboard.press("F1");
    await input.fill(`>${title}`, { timeout });
    await focusCommand(page, title, timeout);
  });
  await input.press("Enter");
}

/** Moves the focus of the palette to a command. Recently used commands with a similar title come before it. */
async function focusCommand(page: Page, title: string, timeout: number): Promise<void> {
  const rows = page.locator(".quick-input-list .monaco-list-row");
  const focused = page.locator(".quick-input-list .monaco-list-row.focused");
  await rows.filter({ hasText: title }).first().waitFor({ timeout });
  await focused.waitFor({ timeout });
  const before = await rows.evaluateAll((all, text) => all.findIndex((it) => it.textContent?.includes(text)), title);
  for (let at = 0; at < before; at++) await page.keyboard.press("ArrowDown");
  await focused.filter({ hasText: title }).waitFor({ timeout });
}

async function screenshot(page: Page, name: string): Promise<string> {
  const path = join(root, ".cache", "screenshots", `${name}.png`);
  await page.screenshot({ path });
  return path;
}

/**
 * Built-in extensions that no browser test uses: they start in each window or add hundreds of commands and
 * settings. The integration tests have all of them.
 */
const LEFT_OUT = new Set([
  "copilot",
  "css-language-features",
  "debug-auto-launch",
  "debug-server-ready",
  "emmet",
  "extension-editing",
  "git",
  "git-base",
  "github",
  "github-authentication",
  "grunt",
  "gulp",
  "html-language-features",
  "ipynb",
  "jake",
  "merge-conflict",
  "mermaid-markdown-features",
  "microsoft-authentication",
  "ms-vscode.js-debug",
  "ms-vscode.js-debug-companion",
  "ms-vscode.vscode-js-profile-table",
  "notebook-renderers",
  "npm",
  "php-language-features",
  "references-view",
  "tunnel-forwarding",
  "typescript-language-features",
]);

/**
 * Links to the extensions that the workbench brings, without those that only take time.
 *
 * @returns the folder, for the workbench to take them from
 */
export function fewBuiltIns(folder: string): string {
  const all = join(dirname(workbenchServer), "..", "extensions");
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(all)) {
    if (!LEFT_OUT.has(name) && !existsSync(join(folder, name))) symlinkSync(join(all, name), join(folder, name));
  }
  return folder;
}

/**
 * Timeout of the first attempt, ms. Each further attempt has twice the time of the one before: two minutes in total.
 */
const FIRST_MS = 2_000;
const ATTEMPTS = 6;

/**
 * Repeats a step, after Escape, that the workbench ignored or that came too early. The timeout is short at first, and
 * grows for a busy machine.
 */
export function tryAgain(page: Page, step: (timeout: number) => Promise<void>): Promise<void> {
  return repeat(step, () => page.keyboard.press("Escape"));
}

async function repeat(step: (timeout: number) => Promise<void>, recover?: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await step(FIRST_MS * 2 ** (attempt - 1));
    } catch (error) {
      if (attempt === ATTEMPTS || !(error instanceof errors.TimeoutError)) throw error;
    }
    await recover?.();
  }
}

/**
 * The steps of a dialog share one input, and each stays on the screen until the next takes its place. So a test names
 * the step by its placeholder before it types: what is typed a moment too early belongs to the step before, and is
 * lost.
 */
export async function typeInStep(page: Page, placeholder: string, text: string): Promise<void> {
  await stepInput(page, placeholder).fill(text);
}

/** The input of a step, by how its placeholder begins. */
export function stepInput(page: Page, placeholder: string): Locator {
  return page.locator(`.quick-input-widget input[placeholder^="${placeholder}"]`);
}

/** Chooses in a list by the mouse. */
export async function chooseInStep(page: Page, placeholder: string, entry: string): Promise<void> {
  await stepInput(page, placeholder).waitFor();
  await rowsOfList(page, entry).first().click();
}

/** Types into a step, and takes the row that is found. */
export async function choose(page: Page, placeholder: string, text: string, row = text): Promise<void> {
  await stepInput(page, placeholder).waitFor();
  await takeRow(page, text, row);
}

/** Takes a row of a list that has no words of its own to ask with: it is typed once it is there. */
export async function pick(page: Page, entry: string, patience: { readonly timeout?: number } = {}): Promise<void> {
  await rowsOfList(page, entry).first().waitFor(patience);
  await takeRow(page, entry, entry, patience);
}

async function takeRow(page: Page, text: string, row: string, patience = {}): Promise<void> {
  const input = inputInFront(page);
  await input.fill(text, patience);
  await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: row }).waitFor(patience);
  await input.press("Enter");
}

/**
 * The input of the list or box in front. Keys are sent to it by name: VS Code returns the focus to a page when the list
 * before closes, on a slow machine after this one opened.
 */
export function inputInFront(page: Page): Locator {
  return page.locator(".quick-input-widget .quick-input-box input").filter({ visible: true }).first();
}

function rowsOfList(page: Page, entry: string): Locator {
  return page.locator(".quick-input-list .monaco-list-row", { hasText: entry });
}

/** Answers the box that asks this; what stands there does, if nothing else is said. */
export async function answer(page: Page, question: string, text?: string): Promise<void> {
  await page.locator(".quick-input-widget", { hasText: question }).waitFor();
  const input = inputInFront(page);
  if (text !== undefined) await input.fill(text);
  await input.press("Enter");
}

/** Types over what stands in a step, and reads what it means before it goes on. */
export async function typeAndRead(page: Page, placeholder: string, text: string, meaning: RegExp): Promise<void> {
  await stepInput(page, placeholder).waitFor();
  await typeOver(page, text, meaning);
}

/** Types over the number that a box proposes, by the words of the box, and reads what it means before it goes on. */
export async function countAndRead(page: Page, prompt: string | RegExp, text: string, meaning: RegExp): Promise<void> {
  await saysInBox(page, prompt);
  await typeOver(page, text, meaning);
}

/**
 * Types until the box shows the meaning: a box that has just opened may still set its first text. The box shows the
 * meaning after a change, so the text that it proposes goes first.
 */
async function typeOver(page: Page, text: string, meaning: RegExp): Promise<void> {
  const input = inputInFront(page);
  await repeat(async (timeout) => {
    await input.fill("", { timeout });
    await input.fill(text, { timeout });
    await saysInBox(page, meaning, timeout);
  });
  await input.press("Enter");
}

async function saysInBox(page: Page, words: string | RegExp, timeout = STEP_MS): Promise<void> {
  await page.locator(".quick-input-message", { hasText: words }).waitFor({ timeout });
}

const FOLDER = join(import.meta.dirname, "..", "..", "..", ".cache", "screenshots", "failed");
/** Elements whose text explains a failure better than the message of a locator. */
const TELLING = ".quick-input-widget, .monaco-dialog-box, .notification-list-item, .pane-body .monaco-list-row";
/** The element that takes the keys; an iframe is a page that took the focus. */
const FOCUS =
  "document.hasFocus() ? [document.activeElement?.tagName.toLowerCase(), document.activeElement?.className].join('.') : 'no element'";
const LOOK_MS = 5_000;
const open = new Set<Page>();

/** From now on a test that fails tells what this page showed. */
export function watchScreen(page: Page): void {
  open.add(page);
  page.once("close", () => open.delete(page));
}

/**
 * For a suite whose tests go on from where the one before ended: the first that fails is the last that runs. Each of
 * the others would wait in vain for what cannot come any more.
 */
export function endSuiteAtFirstFailure(): void {
  afterEach(function () {
    if (this.currentTest?.state === "failed")
      throw new Error("The tests after it go on from there: they were not run.");
  });
}

afterEach(async function () {
  if (this.currentTest?.state !== "failed") return;
  this.timeout(4 * LOOK_MS);
  for (const page of open)
    await tell(page, this.currentTest.title).catch((error: unknown) => process.stderr.write(`${error}\n`));
});

async function tell(page: Page, title: string): Promise<void> {
  mkdirSync(FOLDER, { recursive: true });
  const name = title.replace(/[^a-z0-9]+/gi, "-").slice(0, 80);
  await page.screenshot({ path: join(FOLDER, `${name}.png`), timeout: LOOK_MS });
  const typed = page.locator(".quick-input-widget input").filter({ visible: true });
  const values = (await typed.count()) === 0 ? [] : [`typed: ${await typed.first().inputValue({ timeout: LOOK_MS })}`];
  const texts = await page.locator(TELLING).filter({ visible: true }).allInnerTexts();
  const focus = await page.evaluate<string>(FOCUS);
  const lines = [`On the screen, focus in ${focus}:`, ...values, ...texts.map((text) => text.replace(/\s+/g, " "))];
  process.stderr.write(`${lines.join("\n      · ")}\n`);
}
