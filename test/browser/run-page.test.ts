import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../../scripts/workbench/browser.mjs";
import type { RunPageView, RunRowView, ToRunPage } from "../../src/webview-messages/run.ts";
import { barriersIn } from "./barriers.ts";

const root = join(import.meta.dirname, "..", "..");
const ROWS = 10_000;
/** Colours of two themes, which the workbench gives to pages. */
const THEMES = {
  dark: { "editor-background": "#1f1f1f", foreground: "#cccccc", "list-activeSelectionBackground": "#04395e" },
  light: { "editor-background": "#ffffff", foreground: "#3b3b3b", "list-activeSelectionBackground": "#e8e8e8" },
} as const;

const rows = Array.from({ length: ROWS }, (_, at): RunRowView => {
  const isRefused = at === 7 || at === ROWS - 1;
  const detail = isRefused ? `Row ${at + 2}, amount: “1,5” has a comma.` : "";
  const names = { recipient: `T${at}`, amount: "0.001 TRX", label: `Person ${at}`, key: `pay-${at}` };
  return { row: at + 2, state: isRefused ? "refused" : "ready", ...names, detail };
});
const view: RunPageView = {
  run: null,
  title: "The run cannot start: 2 problems",
  icon: "error",
  tone: "bad",
  lines: ["Network: Shasta", "Total: 10 TRX in 9,998 rows"],
  causes: [{ tone: "bad", text: "Row 9, amount: “1,5” has a comma. (2 rows have this problem)", row: 9 }],
  states: [
    { id: "refused", label: "Refused", icon: "error", tone: "bad", count: 2 },
    { id: "ready", label: "Ready", icon: "pass", tone: "good", count: ROWS - 2 },
  ],
  progress: null,
  actions: [{ action: "again", label: "Review Again" }],
  total: ROWS,
};

/** The built page alone, with the messages of its panel: the workbench adds nothing to what it draws. */
describe("page of a run", function () {
  this.timeout(60_000);
  const scratch = mkdtempSync(join(tmpdir(), "finality-run-page-"));
  let browser: Awaited<ReturnType<typeof openBrowser>>;
  let page: Page;

  const sent = () => page.evaluate<unknown[]>("sent");
  const post = (message: ToRunPage) => page.evaluate(`postMessage(${JSON.stringify(message)})`);
  const grid = () => page.getByRole("grid");
  const drawn = () => page.locator(".body .row").count();
  const shown = (text: string) => page.locator(".count", { hasText: text }).waitFor();

  before(async () => {
    browser = await openBrowser(join(scratch, "browser"));
    page = browser.pages()[0] ?? (await browser.newPage());
    await page.setContent(
      '<html lang="en"><title>Run</title><main id="page"></main><p id="news" class="unseen" role="status"></p>',
    );
    await page.addStyleTag({ path: join(root, "dist/media/run.css") });
    await page.evaluate(
      "globalThis.sent = []; globalThis.acquireVsCodeApi = () => ({ postMessage: (it) => sent.push(it), getState: () => undefined, setState: () => undefined })",
    );
    await page.addScriptTag({ path: join(root, "dist/media/run.js") });
    assert.deepEqual(await sent(), [{ kind: "ready" }]);
    await post({ kind: "show", page: view });
    for (let from = 0; from < ROWS; from += 2_000)
      await post({ kind: "rows", from, rows: rows.slice(from, from + 2_000) });
    await shown(`${ROWS} of ${ROWS} rows`);
  });

  after(async () => {
    await browser?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("lists causes and rows, and draws only the visible rows of 10,000", async () => {
    assert.equal(await page.locator("h1").innerText(), view.title);
    const { height = 0 } = (await page.locator(".summary").boundingBox()) ?? {};
    assert.ok(height > 80, `the review has ${height} px`);
    assert.match(await page.locator(".causes").innerText(), /2 rows have this problem/);
    assert.equal(await grid().getAttribute("aria-rowcount"), String(ROWS + 1));
    assert.ok((await drawn()) > 5 && (await drawn()) < 100, `${await drawn()} rows are drawn`);
  });

  it("scrolls by keyboard to each row, which a screen reader knows by its number", async () => {
    await grid().press("End");
    const selected = page.locator('[aria-selected="true"]');
    await selected.filter({ hasText: `Person ${ROWS - 1}` }).waitFor();
    assert.equal(await selected.getAttribute("aria-rowindex"), String(ROWS + 1));
    assert.equal(await grid().getAttribute("aria-activedescendant"), await selected.getAttribute("id"));
    await grid().press("Home");
    for (let pages = 0; pages < 5; pages++) await grid().press("PageDown");
    assert.ok(Number(await selected.getAttribute("aria-rowindex")) > 100);
    assert.ok((await drawn()) < 100, `${await drawn()} rows are drawn`);
  });

  it("filters by state and by text, and opens the row on Enter", async () => {
    await page.getByRole("button", { name: "Refused 2" }).click();
    await shown(`2 of ${ROWS} rows`);
    await page.getByRole("searchbox").fill(`Person ${ROWS - 1}`);
    await shown(`1 of ${ROWS} rows`);
    await grid().press("Enter");
    assert.deepEqual((await sent()).at(-1), { kind: "open", row: ROWS + 1 });
    await page.getByRole("button", { name: "Refused 2" }).click();
    await page.getByRole("searchbox").fill("");
    await shown(`${ROWS} of ${ROWS} rows`);
  });

  for (const [theme, colours] of Object.entries(THEMES))
    it(`has no barriers in a ${theme} theme`, async () => {
      const styles = Object.entries(colours).map(([name, value]) => `--vscode-${name}: ${value}`);
      await page.addStyleTag({ content: `:root { ${styles.join("; ")} }` });
      assert.deepEqual(await barriersIn(page, ["html"], { rules: { "color-contrast": { enabled: false } } }), []);
    });
});
