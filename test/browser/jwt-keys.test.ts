import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import {
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  openWorkbench,
  stepInput,
  tryAgain,
} from "../support/workbench/workbench.ts";
import { acceptByEnter } from "./local-flow.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";
import { FOLLOWS_SYSTEM_THEME, takeBothPictures } from "./pictures.ts";
import { timelinePage } from "./timeline-page.ts";

const AUDIENCE = "bank.test";

describe("JWT keys by keyboard", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let page: Page;
  let service: LocalChain;

  endSuiteAtFirstFailure();

  before(async () => {
    service = await startLocalChain({ blockTimeMs: 500 });
    await control("access", { jwt: { audience: AUDIENCE } });
    const bank = { name: "Bank", baseUrl: service.baseUrl, jwt: true, audience: AUDIENCE };
    const settings = { "finality.networks": [bank], "finality.activeNetwork": "Bank", ...FOLLOWS_SYSTEM_THEME };
    workbench = await openWorkbench({ settings });
    ({ page } = workbench);
    await workbench.showFinality();
  });

  after(async () => {
    await service.close();
    await workbench.close();
  });

  async function control<T>(path: string, body: object): Promise<T> {
    const request = { method: "POST", body: JSON.stringify(body) };
    return (await (await fetch(`${service.baseUrl}/local/${path}`, request)).json()) as T;
  }

  async function choose(placeholder: string, text: string): Promise<void> {
    await stepInput(page, placeholder).waitFor();
    await page.keyboard.type(text);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: text }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** The list of keys, with a line that says this. */
  async function listShows(line: RegExp): Promise<void> {
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: JWT Keys…");
      await page.locator(".quick-input-list .monaco-list-row", { hasText: line }).first().waitFor({ timeout });
    });
  }

  /** Registers the public key as a user does on the JWT page of the account, and returns its ID. */
  async function pasteIntoAccount(name: string): Promise<string> {
    const publicKey = await page.evaluate<string>("navigator.clipboard.readText()");
    assert.match(publicKey, /^-----BEGIN PUBLIC KEY-----\n[\s\S]+-----END PUBLIC KEY-----\n$/);
    return (await control<{ id: string }>("keys", { name, publicKey })).id;
  }

  it("G19: creates a key with the entered name, and stores the ID from the account", async () => {
    await workbench.runCommand("Finality: Create JWT Key…");
    await page.locator(".quick-input-message", { hasText: "Name of the key record" }).waitFor();
    await page.keyboard.type("Office");
    await page.keyboard.press("Enter");
    await stepInput(page, "ID (kid)").waitFor();
    await page.locator(".quick-input-message", { hasText: "Open the JWT page of your account" }).waitFor();
    await takeBothPictures(page, "jwt-key-id");
    await page.keyboard.type(await pasteIntoAccount("Office"));
    await page.keyboard.press("Enter");

    await listShows(/Office.*in use · kid/);
    await page.keyboard.press("Escape");
    await workbench.runCommand("Finality: Test Connection");
    await timelinePage(page).locator('[data-line="token"]', { hasText: "accepted" }).waitFor();
  });

  it("resumes a rotation that was dismissed at the prompt for the ID", async () => {
    await workbench.runCommand("Finality: Rotate JWT Key…");
    await stepInput(page, "ID (kid)").waitFor();
    await page.keyboard.press("Escape");

    await listShows(/Key 1.*rotation started · no ID/);
    await takeBothPictures(page, "jwt-keys");
    await choose("Choose a key or an action", "Rotate");
    await stepInput(page, "ID (kid)").waitFor();
    await page.keyboard.type(await pasteIntoAccount("Key 1"));
    await page.keyboard.press("Enter");
    await dialogOf(page).getByRole("button", { name: "Switch and Delete the Old Key" }).waitFor();
    await takeBothPictures(page, "jwt-rotation");
    await acceptByEnter(page);

    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Notifications: Show Notifications");
      const notice = page.locator(".notifications-center .notification-list-item", { hasText: "new JWT key “Key 1”" });
      await notice.waitFor({ timeout });
    });
    await workbench.runCommand("Notifications: Clear All Notifications");
    await listShows(/Key 1.*in use · kid/);
    assert.equal(await page.locator(".quick-input-list .monaco-list-row", { hasText: "in secret storage" }).count(), 1);
    await page.keyboard.press("Escape");
  });

  it("shows a token as read-only text without its signature", async () => {
    await workbench.runCommand("Finality: Inspect Token");
    const text = page.locator(".monaco-editor .view-lines", { hasText: "for its next request" });
    await text.waitFor();
    const shown = (await text.innerText()).replaceAll("\u00a0", " ");
    assert.match(shown, /alg\s+RS256[\s\S]*aud\s+bank\.test[\s\S]*clock of the newest block[\s\S]*is not shown/);
    assert.equal(/[\w-]{100}/.test(shown), false);
    await takeBothPictures(page, "jwt-token");
  });

  it("starts a local chain that requires token and API key, and shows that in its row", async () => {
    await workbench.runCommand("Finality: Local Chain Access…");
    await stepInput(page, "Which credentials must requests to the local chain").waitFor();
    await takeBothPictures(page, "local-chain-access");
    await choose("Which credentials must requests to the local chain", "JWT and API key");
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: Focus on Accounts View");
      await page.keyboard.press("Home");
      await page.locator('.pane-body .monaco-list-row.focused[aria-label^="Local chain, block"]').waitFor({ timeout });
      await page.keyboard.press("ArrowRight");
      await rowOf(page, "Access, JWT and API key").waitFor({ timeout });
    });
  });
});
