import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { toBase58 } from "../../packages/tron/src/primitives/address.ts";
import type { OpenWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { takePicture } from "./pictures.ts";
import { shareStory } from "./shared-workbench.ts";
import { BOB, CAROL } from "./story.ts";

async function watchAddress({ page, runCommand }: OpenWorkbench, address: string, name: string): Promise<void> {
  const input = page.locator(".quick-input-widget input");
  await runCommand("Finality: Add Watch-Only Address…");
  await page.locator(".quick-input-message", { hasText: "41…" }).waitFor();
  await input.fill(address);
  await page.keyboard.press("Enter");
  await page.locator(".quick-input-message", { hasText: "name" }).waitFor();
  await input.fill(name);
  await page.keyboard.press("Enter");
  await page.locator(`.pane-body .monaco-list-row[aria-label*="${name}"]`).first().waitFor();
}

/** Makes the side bar as wide as people who read descriptions make it. */
async function widenSideBar(page: Page): Promise<void> {
  const sideBar = await page.locator(".part.sidebar").boundingBox();
  assert.ok(sideBar);
  const edge = sideBar.x + sideBar.width;
  await page.mouse.move(edge, 400);
  await page.mouse.down();
  await page.mouse.move(edge + 170, 400, { steps: 5 });
  await page.mouse.up();
}

describe("transactions tree in every state", function () {
  this.timeout(120_000);
  let workbench: OpenWorkbench;
  let page: Page;

  before(async () => {
    workbench = await shareStory();
    ({ page } = workbench);
    await workbench.showFinality();
    await watchAddress(workbench, toBase58(BOB), "Bob");
    await watchAddress(workbench, toBase58(CAROL), "Carol");
    await widenSideBar(page);
    await page.locator(".pane-header", { hasText: "Accounts" }).click();
  });

  it("describes each state in text, without color and icon", async () => {
    const rows = page.locator('.pane-body .monaco-list-row[aria-level="2"]');
    const words = [
      "250 coins to Bob. Outcome unknown. Do not create a new payment.",
      "20,000 coins to Carol. Rejected before the pool: balance is not sufficient.",
      "2 coins to Bob. Accepted by the node, not final.",
      "12 coins to Carol. In block 1,204, not final.",
      "Rent · 1 coin to Bob. Final, successful, in block 1,187.",
      "75 coins to Carol. Final, successful, in block 1,102.",
      "3 coins to Bob. Final, failed: REVERT: maxProfit limit violation.",
    ];
    // Each row is redrawn when its account has a name.
    for (const each of words) await rows.and(page.locator(`[aria-label="${each}"]`)).waitFor();

    const spoken = await rows.evaluateAll((all) => all.map((it) => it.getAttribute("aria-label")));

    assert.deepEqual(spoken.slice(0, 7), words);
    await page.locator(".activitybar .badge-content", { hasText: "2" }).waitFor();
    await page.locator('.statusbar-item[aria-label*="1 with an unknown outcome"]').waitFor();
  });

  it("shows the history of a transaction below its row", async () => {
    await page.locator('.pane-body .monaco-list-row[aria-label^="75 coins to Carol"] .monaco-tl-twistie').click();
    await page.locator(".pane-body .monaco-list-row", { hasText: "Sent, no valid response" }).waitFor();

    const facts = page.locator('.pane-body .monaco-list-row[aria-level="3"] .label-name');

    const labels = ["Signed", "Sent, no valid response", "Accepted", "Block 1,102", "Solidified"];
    assert.deepEqual(await facts.allTextContents(), labels);
  });

  it("shows the page by click and by Enter in one tab, keeps it by a double click, and leaves the focus in the tree", async () => {
    const pages = page.locator(".tabs-container .tab", { hasText: "→" });
    await page.locator('.pane-body .monaco-list-row[aria-label^="12 coins to Carol"] .label-name').click();
    await pages.filter({ hasText: "12 coins → Carol" }).waitFor();
    await page.locator('.pane-body .monaco-list:focus .monaco-list-row.focused[aria-label^="12 coins"]').waitFor();

    await page.keyboard.press("Home");
    await page.locator('.pane-body .monaco-list-row.focused[aria-label^="Needs attention"]').waitFor();
    for (let row = 0; row < 7; row++) await page.keyboard.press("ArrowDown");
    await page.locator('.pane-body .monaco-list-row.focused[aria-label^="Rent"]').waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".tabs-container .tab", { hasText: "Rent" }).waitFor();
    await page.locator('.pane-body .monaco-list:focus .monaco-list-row.focused[aria-label^="Rent"]').waitFor();
    assert.equal(await pages.count(), 1);

    await page.locator('.pane-body .monaco-list-row[aria-label^="12 coins to Carol"] .label-name').dblclick();
    await pages.filter({ hasText: "12 coins → Carol" }).waitFor();
    await page.locator('.pane-body .monaco-list-row[aria-label^="Rent"] .label-name').click();
    await pages.filter({ hasText: "Rent" }).waitFor();
    assert.equal(await pages.count(), 2, "a double click keeps the page");

    await workbench.runCommand("View: Close All Editors");
    await pages.first().waitFor({ state: "detached" });
  });

  for (const name of Object.keys(THEMES) as ThemeName[]) {
    it(`is shown in the theme ${THEMES[name].label}`, async () => {
      await chooseTheme(page, name);
      await page.locator(".part.editor").click();

      assert.ok((await page.locator(".pane-body .monaco-list-row").count()) > Object.keys(THEMES).length);
      await takePicture(page, `transactions-${name}`, { x: 0, y: 34, width: 530, height: 480 });
    });
  }
});
