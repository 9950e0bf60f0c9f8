import type { Page } from "playwright-core";

/** Themes by the names of the picker, with the class that the workbench has when they are on. */
export const THEMES = {
  dark: { label: "Dark Modern", shown: ".vs-dark" },
  light: { label: "Light Modern", shown: ".vs" },
  "high-contrast": { label: "Dark High Contrast", shown: ".hc-black" },
  "high-contrast-light": { label: "Light High Contrast", shown: ".hc-light" },
} as const;

export type ThemeName = keyof typeof THEMES;

/** The workbench loads its themes late and the picker is there before: a choice that came too early is made again. */
const ATTEMPTS = 4;

/** Changes the colour theme as a person does. A theme of the settings is not always taken up when the workbench starts. */
export async function chooseTheme(page: Page, name: ThemeName): Promise<void> {
  const { label, shown } = THEMES[name];
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press("Control+k");
    await page.keyboard.press("Control+t");
    await page.locator('.quick-input-widget input[placeholder*="Color Theme"]').fill(label);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: label }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    const timeout = attempt < ATTEMPTS ? 3_000 : 30_000;
    const isOn = page.locator(`.monaco-workbench${shown}[class*="-json"]`).waitFor({ timeout });
    if (
      await isOn.then(
        () => true,
        (error: unknown) => attemptAgain(error, attempt),
      )
    )
      return;
  }
}

function attemptAgain(error: unknown, attempt: number): false {
  if (attempt >= ATTEMPTS) throw error;
  return false;
}
