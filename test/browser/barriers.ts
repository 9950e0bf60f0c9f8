import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** What axe finds wrong in parts of the workbench that show our words, as rule and place. Their colours are those of the theme. */
export async function barriersIn(page: Page, selectors: readonly string[]): Promise<readonly string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(async (parts) => {
    const { axe } = globalThis as unknown as {
      axe: {
        run(
          where: object,
          how: object,
        ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
      };
    };
    const include = parts.map((part) => [part]);
    const { violations } = await axe.run({ include }, { rules: { "color-contrast": { enabled: false } } });
    return violations.flatMap(({ id, nodes }) => nodes.map((it) => `${id}: ${it.html} ${it.failureSummary}`));
  }, selectors);
}
