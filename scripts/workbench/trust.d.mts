import type { Page } from "playwright-core";
/** The types of `trust.mjs` for tests, which are TypeScript. */
export function answerTrust(page: Page, yes: boolean): Promise<void>;
