import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { drop, hang, startServer, type TestServer } from "../support/http/http-server.ts";
import { plainGateway } from "../support/http/plain-gateway.ts";
import {
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  openWorkbench,
  stepInput,
  tryAgain,
} from "../support/workbench/workbench.ts";
import { FOLLOWS_SYSTEM_THEME, takeBothPictures } from "./pictures.ts";
import { findBarriers, focusOn, timelinePage } from "./timeline-page.ts";

/** A key in the path of a URL, as some gateways want it. */
const PATH_KEY = "a1b2c3d4e5f6a7b8";

describe("Test Connection checklist by keyboard", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let page: Page;
  const servers: TestServer[] = [];

  endSuiteAtFirstFailure();

  before(async () => {
    const now = Date.now();
    const [fine, other, silent, slow] = await Promise.all([
      startServer(fresh()),
      startServer(plainGateway({ now, chain: "cc" })),
      startServer(drop),
      startServer(hang),
    ]);
    servers.push(fine, other, silent, slow);
    const networks = [
      { name: "Fine", baseUrl: fine.url },
      { name: "Mixed", baseUrl: fine.url, solidityBaseUrl: other.url },
      { name: "Silent", baseUrl: silent.url, jwt: true, audience: "chain.test", keyId: "key-9" },
      { name: "Slow", baseUrl: `${slow.url}/${PATH_KEY}` },
    ];
    const settings = { "finality.networks": networks, "finality.activeNetwork": "Fine", ...FOLLOWS_SYSTEM_THEME };
    workbench = await openWorkbench({ settings });
    ({ page } = workbench);
    await workbench.showFinality();
  });

  after(async () => {
    await workbench.close();
    for (const server of servers) await server[Symbol.asyncDispose]();
  });

  const title = (text: string) => timelinePage(page).locator("h1", { hasText: text });
  const line = (id: string) => timelinePage(page).locator(`[data-line="${id}"]`);

  async function use(network: string): Promise<void> {
    // A page that is drawn late takes the focus, and the list closes: it is asked for again.
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("Finality: Switch Network…");
      const input = stepInput(page, "Which network");
      await input.fill(network, { timeout });
      await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: network }).waitFor({ timeout });
      await input.press("Enter", { timeout });
      await input.waitFor({ state: "hidden", timeout });
    });
    await page.locator(".statusbar-item", { hasText: network }).waitFor();
  }

  /** From wherever the focus is in the page, to the element with this key. */
  async function tabTo(key: string): Promise<void> {
    await tryAgain(page, async (timeout) => {
      await timelinePage(page).locator("body").focus({ timeout });
      for (let step = 0; step < 12; step++) {
        await page.keyboard.press("Tab");
        if ((await timelinePage(page).locator(`[data-key="${key}"]:focus`).count()) > 0) return;
      }
      await timelinePage(page).locator(`[data-key="${key}"]:focus`).waitFor({ timeout: 100 });
    });
  }

  /** The input of the box with this text, once it has the focus. */
  const boxWithKeys = (text: string) => page.locator(".quick-input-widget", { hasText: text }).locator("input:focus");

  it("shows all checks of a working gateway", async () => {
    await workbench.runCommand("Finality: Test Connection");

    await title("Fine works").waitFor();

    assert.match(await line("gateway").innerText(), /answered in \d+ ms/);
    assert.match(await line("path /wallet/broadcasttransaction").innerText(), /Answers, in \d+ ms/);
    assert.equal(await timelinePage(page).locator(".cause").count(), 0);
    await takeBothPictures(page, "checklist-fine");
    assert.deepEqual(await findBarriers(page), []);
  });

  it("shows another chain on the solidity endpoint first", async () => {
    await use("Mixed");
    await workbench.runCommand("Finality: Test Connection");

    await title("Mixed does not work yet").waitFor();

    assert.match(await timelinePage(page).locator(".cause").innerText(), /different chains/);
    assert.match(await line("head").innerText(), /Not checked, because this check failed: Same chain/);
    await takeBothPictures(page, "checklist-other-chain");
    assert.deepEqual(await findBarriers(page), []);
  });

  it("links to the missing key, and names the token when a JWT gateway does not answer", async () => {
    await use("Silent");
    await workbench.runCommand("Finality: Test Connection");
    await timelinePage(page).locator(".cause", { hasText: "no private key" }).waitFor();
    // The page may take the focus back late: the list closes then, or the box takes no keys.
    await tryAgain(page, async (timeout) => {
      await tabTo("fix cause jwt-key");
      await page.keyboard.press("Enter");
      const row = page.locator(".quick-input-list .monaco-list-row.focused", { hasText: "Create JWT Key" });
      await row.waitFor({ timeout });
      await page.keyboard.press("Enter");
      await boxWithKeys("Name of the key record").press("Enter", { timeout });
    });
    await boxWithKeys("ID of the JWT Key (kid)").waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await workbench.runCommand("Finality: Test Connection");

    await timelinePage(page).locator(".cause", { hasText: "well-formed token" }).waitFor();

    assert.match(await timelinePage(page).locator(".cause").innerText(), /key ID \(kid\) "key-9"/);
    await takeBothPictures(page, "checklist-silent-token");
    assert.deepEqual(await findBarriers(page), []);
  });

  it("stops on Cancel, and lists the skipped checks", async () => {
    await use("Slow");
    await workbench.runCommand("Finality: Test Connection");
    await title("Testing Slow").waitFor();
    await tabTo("act main");
    await page.keyboard.press("Enter");

    await title("The test of Slow was cancelled").waitFor();

    assert.match(await line("gateway").innerText(), /Not checked: the test was cancelled/);
    assert.match(await line("connection").innerText(), /accepts connections/);
  });

  it("tests again by keyboard, and omits URL paths from the report because they may contain a key", async () => {
    await tabTo("act main");
    await page.keyboard.press("Enter");
    await title("Slow does not work yet").waitFor();
    await focusOn(page, "act main");
    await tabTo("act copy-report");
    await page.keyboard.press("Enter");
    await page.locator(".statusbar-item", { hasText: "Report copied" }).waitFor();

    const text = String(await page.evaluate("navigator.clipboard.readText()"));
    assert.match(text, /\[FAILED\] gateway: The gateway did not answer in 5 s/);
    assert.ok(!text.includes(PATH_KEY), text);
  });
});

/** A gateway whose blocks are young whenever it is asked. */
function fresh() {
  let made = { at: 0, handler: plainGateway({ now: 0 }) };
  return (...request: Parameters<ReturnType<typeof plainGateway>>): void => {
    if (Date.now() - made.at > 10_000) made = { at: Date.now(), handler: plainGateway({ now: Date.now() }) };
    made.handler(...request);
  };
}
