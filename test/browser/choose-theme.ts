import type { Page } from "playwright-core";
import { tryAgain } from "../support/workbench/workbench.ts";

/** Themes by the names of the picker, with the class that the workbench has when they are on. */
export const THEMES = {
  dark: { label: "Dark Modern", shown: ".vs-dark" },
  light: { label: "Light Modern", shown: ".vs" },
  "high-contrast": { label: "Dark High Contrast", shown: ".hc-black" },
  "high-contrast-light": { label: "Light High Contrast", shown: ".hc-light" },
} as const;

export type ThemeName = keyof typeof THEMES;

/**
 * Changes the colour theme as a person does: a theme of the settings is not always taken up when the workbench starts.
 * The workbench loads its themes late and the picker is there before: a choice that came too early is made again.
 */
export async function chooseTheme(page: Page, name: ThemeName): Promise<void> {
  const { label, shown } = THEMES[name];
  await tryAgain(page, async (timeout) => {
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+t");
    await page.locator('.quick-input-widget input[placeholder*="Color Theme"]').fill(label, { timeout });
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: label }).waitFor({ timeout });
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden", timeout });
    await page.locator(`.monaco-workbench${shown}[class*="-json"]`).waitFor({ timeout });
  });
}
