import type { FrameLocator, Locator } from "playwright-core";
import { endSuiteAtFirstFailure, type OpenWorkbench } from "../support/workbench/workbench.ts";
import { openFile } from "./open-file.ts";
import { shareQuietWorkbench } from "./shared-workbench.ts";
import { frameOf, timelinePage } from "./timeline-page.ts";

/** Runs in the preview: whether the heading stands in the upper half of what is seen. */
const IN_SIGHT = `(() => {
  const { top, bottom } = document.querySelector("#a-proof-of-absence").getBoundingClientRect();
  return bottom > 0 && top < innerHeight / 2;
})()`;

describe("documentation command", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareQuietWorkbench();
  });

  const rows = (): Locator => workbench.page.locator(".quick-input-list .monaco-list-row");
  const preview = (): FrameLocator => timelinePage(workbench.page);

  it("lists the pages, and finds the section with all typed words in any order", async () => {
    const { page } = workbench;
    await workbench.runCommand("Finality: Open Documentation…");
    const input = page.locator(".quick-input-widget input");
    await rows().filter({ hasText: "Getting started" }).first().waitFor();

    await input.fill("Tracking and proofs");
    await rows().filter({ hasText: "Tracking and proofs" }).first().waitFor();
    await input.fill("balance is not sufficient");
    await rows().filter({ hasText: "Transfers and accounts" }).first().waitFor();
    await input.fill("solidified absence scan restart");
    const found = rows().filter({ hasText: "A proof of absence" }).first();
    await found.waitFor();
    await workbench.screenshot("documentation-found");
    await page.keyboard.press("Enter");

    await preview().locator("h2#a-proof-of-absence").waitFor();
    await (await frameOf(page)).waitForFunction(IN_SIGHT);
    await workbench.screenshot("documentation-open");
  });

  it("shows the pictures of the package", async () => {
    const { page } = workbench;
    await workbench.runCommand("View: Close All Editors");
    await workbench.runCommand("Finality: Open Documentation…");
    await page.locator(".quick-input-widget input").fill("Getting started");
    await rows().filter({ hasText: "Getting started" }).first().waitFor();
    await page.keyboard.press("Enter");

    await preview().locator('img[src*="first-minute.webp"]').waitFor();
    const drawn = `document.querySelector('img[src*="first-minute.webp"]').naturalWidth > 500`;
    await (await frameOf(page)).waitForFunction(drawn);
  });

  it("opens from the source link of a hover", async () => {
    const { page } = workbench;
    await workbench.runCommand("View: Close All Editors");
    await openFile(page, "notes.md");
    await page.locator(".monaco-editor.focused .view-line").first().waitFor();
    await page.keyboard.press("Control+End");
    await page.keyboard.insertText("\ncode: TAPOS_ERROR, txID of the node\n");
    for (const key of ["ArrowUp", "Home", ...Array<string>(8).fill("ArrowRight"), "Control+k", "Control+i"])
      await page.keyboard.press(key);
    const link = page.locator(".monaco-hover:visible a", { hasText: "Errors: Refused at the broadcast" });
    await link.click();

    await preview().locator("h2#refused-at-the-broadcast").waitFor();
  });

  it("opens from the source link of the decoder", async () => {
    const { page } = workbench;
    await workbench.runCommand("View: Close All Editors");
    await workbench.runCommand("Finality: Open Decoder");
    await timelinePage(page).locator("textarea").fill("TAPOS_ERROR");
    await timelinePage(page).getByRole("button", { name: "Errors: Refused at the broadcast" }).click();

    await page.locator(".tab", { hasText: "Preview errors.md" }).waitFor();
  });
});
