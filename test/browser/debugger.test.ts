import type { Locator, Page } from "playwright-core";
import type { OpenWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { takePicture } from "./pictures.ts";
import { shareFailedTransfer } from "./shared-workbench.ts";

describe("debugger", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let page: Page;

  /** Row of a view of Run and Debug. */
  const inView = (view: "variables" | "call-stack", text: string | RegExp): Locator =>
    page.locator(`.debug-${view} .monaco-list-row`, { hasText: text }).first();
  const stoppedAt = (name: string, place: string): Promise<void> =>
    inView("call-stack", new RegExp(`${name.replace(".", "\\.")}.*Leaf\\.sol.*${place}`, "s")).waitFor();

  /** The palette does not have the commands that go back. */
  const pressInToolbar = (label: string): Promise<void> =>
    page.locator(`.debug-toolbar .action-label[aria-label^="${label}"]`).first().click();

  before(async () => {
    workbench = await shareFailedTransfer();
    ({ page } = workbench);
    await workbench.showFinality();
  });

  it("leads from a failed row to the stopped debugger at the failing line by keyboard", async () => {
    await page
      .locator('.pane-body .monaco-list-row[aria-label*="Final, failed: NotEnoughLeaves"] .label-name')
      .first()
      .click();
    await page.locator(".pane-body .monaco-list:focus").waitFor();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: "Debug Transaction", exact: true }).waitFor();
    const focused = page.locator(".monaco-menu .action-item.focused", { hasText: /^Debug Transaction$/ });
    for (let step = 0; step < 12 && (await focused.count()) === 0; step += 1) await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");

    await stoppedAt("Leaf._move", "65:30");
    await inView("call-stack", "Leaf.transfer").waitFor();
    await inView("variables", "State").waitFor();
    await page.getByText("Paused on failure").first().waitFor();
  });

  it("steps back, goes on in both directions, and evaluates", async () => {
    await pressInToolbar("Step Back");
    await page.getByText("Paused on step").first().waitFor();
    await pressInToolbar("Step Back");
    await stoppedAt("Leaf._move", "65:9");
    await pressInToolbar("Step Back");
    await stoppedAt("Leaf._move", "64:9");
    await pressInToolbar("Reverse");
    await stoppedAt("Leaf.transfer", "34:9");
    await workbench.runCommand("Debug: Continue");
    await stoppedAt("Leaf._move", "65:30");
    await workbench.runCommand("Debug Console: Focus on Debug Console View");
    await page.keyboard.type("msg.value + 6");
    await page.keyboard.press("Enter");
    await page.locator(".repl .monaco-list-row", { hasText: /^6$/ }).waitFor();
  });

  for (const theme of ["dark", "light"] as const satisfies readonly ThemeName[]) {
    it(`is readable in the theme ${THEMES[theme].label}`, async () => {
      await chooseTheme(page, theme);
      await inView("variables", "State").waitFor();
      await takePicture(page, `debugger-${theme}`);
    });
  }

  it("ends with the run", async () => {
    await workbench.runCommand("Debug: Continue");
    await page.locator(".debug-toolbar:visible").waitFor({ state: "detached" });
  });
});
