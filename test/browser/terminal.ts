import { existsSync } from "node:fs";
import type { Locator, Page } from "playwright-core";

/** The size of a character with the font of the workbench in a headless browser. */
const CELL = { width: 8.43, height: 17 } as const;
const ROWS = 12;
const ROUNDS = 3;
/** So long a pointer rests on a row: tooltips come after a tenth of that. */
const REST_MS = 300;
const LOOK_EVERY_MS = 50;
const TOOLTIP_MS = 2_000;
const ATTEMPTS = 10;

/** The terminal that is in front, as a person drives it. */
export function terminalOf(page: Page) {
  const active = page.locator(".terminal-wrapper.active");
  const tooltip = (): Locator => page.locator(".xterm-hover:visible");

  /** Returns the position of a character in a row of the screen. */
  async function point(row: number, column: number): Promise<{ x: number; y: number }> {
    const screen = await active.locator(".xterm-screen").first().boundingBox();
    if (screen === null) throw new Error("the terminal is not on show");
    return { x: screen.x + column * CELL.width, y: screen.y + (row + 0.5) * CELL.height };
  }

  /** @returns whether the tooltip came, or went, in time */
  function becomes(state: "visible" | "hidden"): Promise<boolean> {
    return tooltip()
      .waitFor({ state, timeout: TOOLTIP_MS })
      .then(
        () => true,
        () => false,
      );
  }

  /** Moves away until no tooltip is there: one that a person's pointer meets on its way stays. */
  async function leaveLinks(): Promise<void> {
    const places = [await point(-8, 30), await point(-20, 90)];
    for (let attempt = 1; ; attempt++) {
      for (const { x, y } of places) await page.mouse.move(x, y, { steps: 3 });
      places.reverse();
      if (await becomes("hidden")) return;
      if (attempt === ATTEMPTS) throw new Error("a tooltip stays, wherever the pointer is");
    }
  }

  return {
    tooltip,
    point,
    /**
     * Opens a new one by its keys and waits until its shell says where commands begin: only then it takes what is
     * typed.
     */
    async open(): Promise<void> {
      await page.keyboard.press("Control+Shift+Backquote");
      await active.locator(".terminal-command-decoration").first().waitFor();
    },
    /** Runs the first command of a terminal, to its end. */
    async runFirst(command: string): Promise<void> {
      await page.keyboard.type(command);
      await page.keyboard.press("Enter");
      await active.locator(".codicon-terminal-decoration-success").waitFor();
    },
    /** Runs a command. The shell makes a file afterwards: what it prints is drawn, not written into the page. */
    async run(command: string, file: string): Promise<void> {
      await page.keyboard.type(`${command}; touch ${file}`);
      await page.keyboard.press("Enter");
      while (!existsSync(file)) await page.waitForTimeout(LOOK_EVERY_MS);
    },
    /** Moves to a link until its tooltip is shown, because a redrawn terminal misses the first move. */
    async rest({ x, y }: { readonly x: number; readonly y: number }): Promise<void> {
      for (let attempt = 1; ; attempt++) {
        await page.mouse.move(x, y - 40);
        await page.mouse.move(x, y, { steps: 3 });
        if (await becomes("visible")) return;
        if (attempt === ATTEMPTS) throw new Error("no tooltip came for the link");
      }
    },
    /** Rests on row after row until so many links have told what they are: the first sentence of each. */
    async linkTitles(count: number): Promise<readonly string[]> {
      const found = new Set<string>();
      await leaveLinks();
      for (let row = 0; found.size < count && row < ROUNDS * ROWS; row++) {
        const { x, y } = await point(row % ROWS, 55);
        await page.mouse.move(x, y, { steps: 2 });
        await page.waitForTimeout(REST_MS);
        const [text = ""] = await tooltip().allInnerTexts();
        const [title = ""] = text.replaceAll("\u00a0", " ").split(/\. | \(ctrl/);
        if (title !== "" && !title.startsWith("Follow")) found.add(title);
      }
      return [...found];
    },
  };
}
