import type { BrowserContext, Locator, Page } from "playwright-core";

/** Path prefix of the workbench for pages of its machine; no server answers there. */
const FORWARDED = /\/proxy\/(\d+)\//;

/** Leads to the page of a wallet as where the editor and its extensions are on one computer. */
export async function leadToOwnPages(context: BrowserContext): Promise<void> {
  await context.route(FORWARDED, (route) => {
    const [, forwarded] = FORWARDED.exec(route.request().url()) ?? [];
    return route.fulfill({ status: 302, headers: { location: `http://127.0.0.1:${forwarded}/` } });
  });
}

/** Waits for the page of a wallet that the editor opens. */
export async function walletTabAfter(page: Page, step: () => Promise<unknown>): Promise<Page> {
  const [tab] = await Promise.all([page.context().waitForEvent("page"), step()]);
  tab.setDefaultTimeout(60_000);
  await walletButton(tab).waitFor();
  return tab;
}

/** The button of the wallet that stands in for one. */
export function walletButton(tab: Page): Locator {
  return tab.getByRole("button", { name: /Stand-In/ });
}
