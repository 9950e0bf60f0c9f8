import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Frame, Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** For words that stand in the editor: their colours are those of the theme. */
export const COLOURS_OF_THE_THEME = { rules: { "color-contrast": { enabled: false } } } as const;

/** Returns the violations that axe finds in parts of a page, as rule, element and reason. */
export async function barriersIn(
  page: Page | Frame,
  parts: readonly string[],
  options: object = {},
): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(
    async ([include, how]) => {
      const { axe } = globalThis as unknown as {
        axe: {
          run(
            where: object,
            how: object,
          ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
        };
      };
      const { violations } = await axe.run({ include }, how);
      return violations.flatMap(({ id, nodes }) => nodes.map((it) => `${id}: ${it.html} ${it.failureSummary}`));
    },
    [parts.map((part) => [part]), options] as const,
  );
}
