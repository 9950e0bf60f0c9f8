import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { installChineseFont } from "../../../scripts/install/chinese-font.mjs";
import { packedOnce } from "../../../scripts/package/pack.mjs";
import { openBrowser } from "../../../scripts/workbench/browser.mjs";
import { startWorkbench } from "../../../scripts/workbench/server.mjs";
import { answerTrust, trustBefore } from "../../../scripts/workbench/trust.mjs";
import { fewBuiltIns } from "./built-ins.ts";
import { watchScreen } from "./failed-screen.ts";
import { tryAgain } from "./patience.ts";

const root = join(import.meta.dirname, "..", "..", "..");
const START_MS = 120_000;
/**
 * How long anything may take that a test waits for: long, for a busy machine with two cores. Nothing takes this long on
 * an idle one.
 */
const STEP_MS = 60_000;
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
   * Opens the view of Finality, or does nothing when a window that is opened again has it open: a click on its icon
   * would then close it, and may land on the badge.
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
 * Opens the workbench in headless Chromium with the extension that was built last, installed from its package, and waits
 * until a person could use it: who has trusted the folder before, or says now that it is not trusted.
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
  await tryAgain(page, async (timeout) => {
    await page.keyboard.press("F1");
    await page.locator('.quick-input-widget input[placeholder*="command"]').fill(`>${title}`, { timeout });
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: title }).waitFor({ timeout });
  });
  await page.keyboard.press("Enter");
}

async function screenshot(page: Page, name: string): Promise<string> {
  const path = join(root, ".cache", "screenshots", `${name}.png`);
  await page.screenshot({ path });
  return path;
}
