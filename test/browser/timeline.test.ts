import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { OpenWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { clickInRow } from "./pay-by-hand.ts";
import { shareStory } from "./shared-workbench.ts";
import { storyTxId } from "./story.ts";
import { findBarriers, timelinePage } from "./timeline-page.ts";

/** Beginnings of the rows of the sample transactions. */
const ROWS = { unknown: "250", rejected: "20,000", included: "12", resent: "75", failed: "3" } as const;

describe("transaction timeline page", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let page: Page;

  before(async () => {
    workbench = await shareStory();
    ({ page } = workbench);
    await workbench.showFinality();
    await page.locator(".pane-body .monaco-list-row", { hasText: "Rent" }).waitFor();
  });

  /** By the button of its row: what asks for a choice closes when another panel takes the focus. */
  async function show(name: keyof typeof ROWS): Promise<void> {
    const row = page.locator(`.pane-body .monaco-list-row[aria-label^="${ROWS[name]} coins to"]`).first();
    await clickInRow(row, "Show Transaction", timelinePage(page).locator("dd", { hasText: storyTxId(name) }));
  }

  for (const name of Object.keys(ROWS) as (keyof typeof ROWS)[]) {
    it(`is accessible for the ${name} transaction`, async () => {
      await show(name);

      await workbench.screenshot(`timeline-of-${name}`);

      assert.deepEqual(await findBarriers(page), []);
    });
  }

  for (const theme of Object.keys(THEMES) as ThemeName[]) {
    it(`is readable in the theme ${THEMES[theme].label}`, async () => {
      await chooseTheme(page, theme);
      await show("unknown");

      await workbench.screenshot(`timeline-unknown-${theme}`);

      assert.deepEqual(await findBarriers(page), []);
    });
  }
});
