import type { BrowserContext } from "playwright-core";
/** The types of `browser.mjs` for tests, which are TypeScript. */
export function openBrowser(profile: string): Promise<BrowserContext>;
