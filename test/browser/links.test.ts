import type { Page } from "playwright-core";
import { endSuiteAtFirstFailure, type OpenWorkbench } from "../support/workbench/workbench.ts";
import { dialogOf } from "./pay-by-hand.ts";
import { shareQuietWorkbench } from "./shared-workbench.ts";
import { timelinePage } from "./timeline-page.ts";

/** The workbench passes these links to the extension, as a system passes one that was clicked elsewhere. */
describe("links to the extension", function () {
  this.timeout(120_000);
  let workbench: OpenWorkbench;
  let page: Page;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareQuietWorkbench();
    ({ page } = workbench);
  });

  /** Opens a link, and confirms the question of the workbench. */
  async function openLink(path: string): Promise<void> {
    await workbench.runCommand("Developer: Open URL");
    await page.locator(".quick-input-message", { hasText: "URL to open" }).waitFor();
    await page.locator(".quick-input-widget input").fill(`vscode://finality.finality/${path}`);
    await page.keyboard.press("Enter");
    await dialogOf(page).filter({ hasText: "extension to open this URI" }).waitFor();
    await page.keyboard.press("Enter");
  }

  it("open the decoder with a text", async () => {
    await openLink("decoder?text=SIGERROR");

    await timelinePage(page).locator(".code", { hasText: "SIGERROR" }).waitFor();
    await workbench.runCommand("View: Close All Editors");
  });

  it("are refused with a reason if they name no page", async () => {
    await openLink("send?text=1");

    await page.locator(".notification-list-item", { hasText: "The link was not opened" }).first().waitFor();
    await workbench.runCommand("Notifications: Clear All Notifications");
  });
});
