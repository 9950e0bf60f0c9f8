import type { Page } from "playwright-core";
/** The types of `trust.mjs` for tests, which are TypeScript. */
export function answerTrust(page: Page, yes: boolean): Promise<void>;
/** Has a new browser know, before the workbench at an address is opened, that its folder is trusted. */
export function trustBefore(page: Page, url: string, folder: string): Promise<void>;
