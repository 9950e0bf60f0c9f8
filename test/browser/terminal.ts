import type { Locator, Page } from "playwright-core";

/** The terminal that is in front, as a person drives it. */
export function terminalOf(page: Page) {
  const active = page.locator(".terminal-wrapper.active");
  const ended = active.locator(".terminal-command-decoration.codicon-terminal-decoration-success, .codicon-terminal-decoration-error");
  const tooltip = (): Locator => page.locator(".xterm-hover:visible");

  return {
    tooltip,
    /** Opens a new one by its keys and waits until its shell says where commands begin: only then it takes what is typed. */
    async open(): Promise<void> {
      await page.keyboard.press("Control+Shift+Backquote");
      await active.locator(".terminal-command-decoration").first().waitFor();
    },
    async run(command: string): Promise<void> {
      const before = await ended.count();
      await page.keyboard.type(command);
      await page.keyboard.press("Enter");
      await ended.nth(before).waitFor();
    },
    /** The tooltips of the first links, from the top: what each says first. */
    async tooltipsOf(count: number): Promise<readonly string[]> {
      const found: string[] = [];
      for (let row = 0; row < ROWS && found.length < count; row++) {
        const { x, y } = await this.point(row, 40);
        await page.mouse.move(x, y - 5);
        await page.mouse.move(x, y);
        await page.waitForTimeout(700);
        if ((await tooltip().count()) === 0) continue;
        const [first = ""] = (await tooltip().innerText()).replaceAll("\u00a0", " ").split(". ");
        if (found.at(-1) !== first) found.push(first);
      }
      return found;
    },
    /** Where a row of the screen is, in the middle of its first words. */
    async point(row: number, column: number): Promise<{ x: number; y: number }> {
      const screen = await active.locator(".xterm-screen").boundingBox();
      if (screen === null) throw new Error("the terminal is not on show");
      return { x: screen.x + column * CELL.width, y: screen.y + (row + 0.5) * CELL.height };
    },
  };
}

/** The size of a character with the font of the workbench in a headless browser. */
const ROWS = 12;
const CELL = { width: 8.43, height: 17 } as const;
