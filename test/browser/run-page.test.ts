import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { parseAddress, toBase58 } from "../../packages/tron/src/primitives/address.ts";
import { chooseInStep, type OpenWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { openOnLocalChain } from "./local-flow.ts";
import { openFile } from "./open-file.ts";
import { takePicture } from "./pictures.ts";
import { findBarriers, timelinePage } from "./timeline-page.ts";

const ROWS = 10_000;
const recipient = (number: number): string =>
  toBase58(parseAddress(`41${(number + 1).toString(16).padStart(40, "0")}`));
const table = (amountOf: (number: number) => string): string =>
  [
    "recipient;amount;label;key",
    ...Array.from({ length: ROWS }, (_, at) => `${recipient(at)};${amountOf(at)};Person ${at};pay-${at}`),
  ].join("\n");

/** Review of a table of 10,000 payments on the local chain. */
describe("page of a run", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let page: Page;
  let folder: string;

  const shown = () => timelinePage(page);
  const title = () => shown().locator("h1");
  const grid = () => shown().getByRole("grid");
  const rows = () => shown().locator(".body .row");
  const review = async (): Promise<void> => {
    await openFile(page, "pay.csv");
    await workbench.runCommand("Finality: Review Run File…");
    await chooseInStep(page, "Which account?", "Alice");
  };

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "finality-run-"));
    writeFileSync(
      join(folder, "pay.csv"),
      table((at) => (at === 7 ? "1,5" : at === 9_999 ? "1E+05" : "0.001")),
    );
    workbench = await openOnLocalChain({ folder });
    ({ page } = workbench);
  });

  after(async () => {
    await workbench?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it("lists refused rows by their cause, marks them in the file and draws only the visible ones", async () => {
    await review();
    await title().filter({ hasText: "The run cannot start: 2 problems" }).waitFor();

    assert.match(await shown().locator(".causes").innerText(), /Row 9, amount: “1,5” has a comma.*Row 10001, amount/s);
    assert.ok((await rows().count()) < 100, "all rows are drawn");
    assert.equal(await grid().getAttribute("aria-rowcount"), String(ROWS + 1));
    await page.locator('[id="status.problems"]', { hasText: "2" }).waitFor();
    await takePicture(page, "run-refused");
  });

  it("filters by state and text, and opens a row in the file", async () => {
    await shown().getByRole("button", { name: "Refused 2" }).click();
    await shown()
      .locator(".count", { hasText: `2 of ${ROWS} rows` })
      .waitFor();
    await shown().getByRole("searchbox").fill("1E+05");
    await shown()
      .locator(".count", { hasText: `1 of ${ROWS} rows` })
      .waitFor();
    await grid().press("Enter");
    await page.locator('[id="status.editor.selection"]', { hasText: "Ln 10001" }).waitFor();
  });

  it("scrolls 10,000 rows by keyboard, and has no barriers in any theme", async () => {
    writeFileSync(
      join(folder, "pay.csv"),
      table(() => "0.001"),
    );
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+w");
    await review();
    await title().filter({ hasText: "Ready: Send 10,000 transactions" }).waitFor();

    await grid().press("End");
    await shown().locator('[aria-selected="true"]', { hasText: "Person 9999" }).waitFor();
    await grid().press("Home");
    for (let page = 0; page < 20; page++) await grid().press("PageDown");
    const selected = shown().locator('[aria-selected="true"]');
    assert.ok(Number(await selected.getAttribute("aria-rowindex")) > 100);
    assert.equal(await grid().getAttribute("aria-activedescendant"), await selected.getAttribute("id"));
    assert.ok((await rows().count()) < 100, "all rows are drawn");
    for (const theme of Object.keys(THEMES) as ThemeName[]) {
      await chooseTheme(page, theme);
      await takePicture(page, `run-${theme}`);
      assert.deepEqual(await findBarriers(page), [], theme);
    }
  });
});
