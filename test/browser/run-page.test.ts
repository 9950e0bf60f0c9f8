import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { parseAddress, toBase58 } from "../../packages/tron/src/primitives/address.ts";
import { openBrowser } from "../../scripts/workbench/browser.mjs";
import type { RunPageView, RunRowView, ToRunPage } from "../../src/webview-messages/run.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench, pick } from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { editorsAreKept } from "./kept-editors.ts";
import { networkSettings } from "./network-settings.ts";
import { openFile } from "./open-file.ts";
import { dialogOf, importAlice, mine } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";
import { findBarriers, frameOf, timelinePage } from "./timeline-page.ts";

const root = join(import.meta.dirname, "..", "..");
const ROWS = 10_000;

const rows = Array.from({ length: ROWS }, (_, at): RunRowView => {
  const isRefused = at === 7 || at === ROWS - 1;
  const detail = isRefused ? `Row ${at + 2}, amount: “1,5” has a comma.` : "";
  const names = { recipient: `T${at}`, amount: "0.001 TRX", label: `Person ${at}`, key: `pay-${at}` };
  return { row: at + 2, state: isRefused ? "refused" : "ready", ...names, detail };
});
const review: RunPageView = {
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
    await post({ kind: "show", page: review });
    for (let from = 0; from < ROWS; from += 2_000)
      await post({ kind: "rows", from, rows: rows.slice(from, from + 2_000) });
    await shown("10,000 of 10,000 rows");
  });

  after(async () => {
    await browser?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("lists causes and rows, and draws only the visible rows of 10,000", async () => {
    assert.equal(await page.locator("h1").innerText(), review.title);
    const { height = 0 } = (await page.locator(".summary").boundingBox()) ?? {};
    assert.ok(height > 80, `the review has ${height} px`);
    assert.match(await page.locator(".causes").innerText(), /2 rows have this problem/);
    assert.equal(await grid().getAttribute("aria-rowcount"), String(ROWS + 1));
    assert.ok((await drawn()) > 5 && (await drawn()) < 100, `${await drawn()} rows are drawn`);
  });

  it("filters by state and by text, and opens the row on Enter", async () => {
    await page.getByRole("button", { name: "Refused 2" }).click();
    await shown("2 of 10,000 rows");
    await page.getByRole("searchbox").fill(`Person ${ROWS - 1}`);
    await shown("1 of 10,000 rows");
    await grid().press("Enter");
    assert.deepEqual((await sent()).at(-1), { kind: "open", row: ROWS + 1 });
    await page.getByRole("button", { name: "Refused 2" }).click();
    await page.getByRole("searchbox").fill("");
    await shown("10,000 of 10,000 rows");
  });

  it("keeps a state that is filtered by, the visible rows and the focus while rows change", async () => {
    const changed = (actions: RunPageView["actions"], states: RunPageView["states"], of: readonly RunRowView[]) =>
      post({ kind: "change", page: { ...review, actions, states }, rows: of });
    const [refused, ready] = review.states;
    assert.ok(refused !== undefined && ready !== undefined);
    await page.getByRole("button", { name: "Refused 2" }).click();
    await changed([{ action: "pause", label: "Pause" }], [{ ...ready, count: ROWS }], refusedRows("ready"));
    await shown("0 of 10,000 rows");
    await page.getByRole("button", { name: "Refused 0" }).click();
    await shown("10,000 of 10,000 rows");

    await page.getByRole("button", { name: "Ready 10,000" }).click();
    await grid().press("End");
    await page.locator('[aria-selected="true"]', { hasText: `Person ${ROWS - 1}` }).waitFor();
    await page.getByRole("button", { name: "Pause" }).focus();
    await changed([{ action: "resume", label: "Resume" }], [refused, ready], refusedRows("refused"));
    await shown("9,998 of 10,000 rows");
    await page.locator('[aria-selected="true"]', { hasText: `Person ${ROWS - 2}` }).waitFor();
    assert.match(await page.locator(".body").innerText(), new RegExp(`Person ${ROWS - 10}\\b`));
    await page.locator("button:focus", { hasText: "Resume" }).waitFor();
    await changed([], [refused, ready], []);
    await page.locator(".grid:focus").waitFor();
  });
});

const refusedRows = (state: "ready" | "refused"): readonly RunRowView[] =>
  rows.filter((it) => it.state === "refused").map((it) => ({ ...it, state }));

/** Recipients that the chain does not have. Row n pays n sun. */
const recipients = Array.from({ length: 20 }, (_, at) => toBase58(parseAddress(`41${`${at + 10}`.padStart(40, "5")}`)));
const table = Array.from({ length: ROWS }, (_, at) => {
  const row = at + 2;
  return `${recipients[at % recipients.length]},${(row / 1_000_000).toFixed(6)},Person ${row}`;
});

describe("page of a running run", function () {
  this.timeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), "finality-run-page-"));
  let chain: LocalChain;
  let workbench: OpenWorkbench;
  let page: Page;
  let second: Page;
  endSuiteAtFirstFailure();

  const shown = (on = page) => timelinePage(on);
  const title = (text: string, on = page): Locator => shown(on).locator("h1", { hasText: text });
  const grid = () => shown().getByRole("grid", { name: "Rows of the run" });
  const selected = () => shown().locator('.body [aria-selected="true"]');
  const filters = (on = page): Promise<readonly string[]> => shown(on).locator(".filters button").allInnerTexts();
  const button = (name: string, on = page): Locator => shown(on).getByRole("button", { name, exact: true });

  /** Agrees to a question with Enter, which takes its only button. */
  async function agree(question: string): Promise<void> {
    await dialogOf(page).filter({ hasText: question }).waitFor();
    await dialogOf(page).locator(".monaco-button:focus").waitFor();
    await page.keyboard.press("Enter");
    await dialogOf(page).waitFor({ state: "detached" });
  }

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0 });
    await mine(chain, 10);
    writeFileSync(join(folder, "pay.csv"), ["recipient,amount,label", ...table].join("\n"));
    workbench = await openWorkbench({ folder, settings: networkSettings("Shop", chain.baseUrl) });
    ({ page } = workbench);
    await workbench.showFinality();
    await importAlice(workbench, chain);
  });

  after(async () => {
    await workbench?.close();
    await chain?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("is opened by keyboard, runs after one consent, and pauses", async () => {
    await openFile(page, "pay.csv");
    await workbench.runCommand("Finality: Run File…");
    await pick(page, "Alice");
    await agree("Send 10,000 transactions from Alice?");

    await title("Running: pay.csv").waitFor();
    await button("Pause").press("Enter");
    await title("Paused: pay.csv").waitFor();
  });

  it("scrolls by keyboard to each of 10,000 rows, which a screen reader knows by number and state", async () => {
    assert.equal(await grid().getAttribute("aria-rowcount"), String(ROWS + 1));
    assert.ok((await shown().locator(".body .row").count()) < 150, "only the visible rows are elements");
    await grid().press("End");
    await selected()
      .filter({ hasText: `Person ${ROWS + 1}` })
      .waitFor();
    const last = shown().getByRole("row", { name: new RegExp(`^${ROWS + 1} Waiting T`) });
    assert.equal(await last.getAttribute("aria-rowindex"), String(ROWS + 1));
    assert.equal(await grid().getAttribute("aria-activedescendant"), await last.getAttribute("id"));

    await grid().press("Home");
    for (const [key, at] of [
      ["ArrowDown", 3],
      ["ArrowDown", 4],
      ["ArrowUp", 3],
    ] as const) {
      await grid().press(key);
      assert.equal(await selected().getAttribute("aria-rowindex"), String(at));
    }
    for (let pages = 0; pages < 5; pages++) await grid().press("PageDown");
    assert.ok(Number(await selected().getAttribute("aria-rowindex")) > 60);
    assert.ok((await shown().locator(".body .row").count()) < 150);
  });

  for (const theme of ["dark", "light", "high-contrast"] as const)
    it(`has no barriers in the ${theme} theme, also at 200 %`, async () => {
      await chooseTheme(page, theme);
      await takePicture(page, `run-page-${theme}`);
      assert.deepEqual(await findBarriers(page), []);
      const size = page.viewportSize();
      await page.setViewportSize({ width: 960, height: 540 });
      await takePicture(page, `run-page-${theme}-200`);
      const fits = "document.documentElement.scrollWidth <= document.documentElement.clientWidth";
      assert.equal(await (await frameOf(page)).evaluate(fits), true);
      await grid().press("Home");
      await selected().waitFor();
      if (size !== null) await page.setViewportSize(size);
    });

  it("goes on after its window was closed in the middle, with one consent on the page", async () => {
    await button("Resume").press("Enter");
    await title("Running: pay.csv").waitFor();
    await editorsAreKept(page, "finality.run");
    await page.close();
    page = await workbench.openWindow();
    await title("Not running: pay.csv").waitFor();

    await button("Resume").press("Enter");
    await agree("Go on with pay.csv?");
    await title("Running: pay.csv").waitFor();
  });

  it("shows the same states in a second window, which does not sign", async () => {
    second = await workbench.openWindow();
    await title("Running in another window: pay.csv", second).waitFor();
    await button("Pause", second).press("Enter");
    await title("Paused: pay.csv", second).waitFor();
    await title("Paused: pay.csv").waitFor();
    await mine(chain, 30);
    await shown().locator(".filters button", { hasText: "Final" }).waitFor();

    await shown().locator(".filters button", { hasText: "In a block" }).waitFor({ state: "detached" });
    while ((await filters()).join() !== (await filters(second)).join()) await page.waitForTimeout(100);
    assert.equal(await dialogOf(second).count(), 0);
  });

  it("paid each final row once", async () => {
    const body = JSON.stringify({ startNum: 1, endNum: 100 });
    const answer = await fetch(new URL("/wallet/getblockbylimitnext", chain.baseUrl), { method: "POST", body });
    const paid = [...(await answer.text()).matchAll(/"amount":(\d+)/g)].map(([, amount]) => Number(amount));

    assert.ok(paid.length > 0);
    assert.equal(new Set(paid).size, paid.length);
    assert.ok((await filters()).includes(`Final ${paid.length}`), `${paid.length} payments, ${await filters()}`);
  });
});
