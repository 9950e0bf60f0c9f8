import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { editorsAreKept } from "./kept-editors.ts";
import { type LossyProxy, openLossyProxy } from "./lossy-proxy.ts";
import { networkSettings } from "./network-settings.ts";
import {
  askForPayment as askByHand,
  clickInRow,
  dialogOf,
  importAlice,
  mine,
  paidTo,
  paymentRow,
  rowOf,
} from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";
import { findBarriers, timelinePage } from "./timeline-page.ts";

describe("unknown outcome", function () {
  this.timeout(180_000);
  let chain: LocalChain;
  let proxy: LossyProxy;
  let dataDir: string;
  let workbench: OpenWorkbench;
  let page: Page;
  let port: number;

  endSuiteAtFirstFailure();

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0 });
    proxy = await openLossyProxy(chain.baseUrl);
    dataDir = mkdtempSync(join(tmpdir(), "finality-unknown-"));
    await mine(chain, 10);
    await open();
    port = Number(new URL(workbench.url).port);
    await importAlice(workbench, chain);
  });

  after(async () => {
    await workbench.close();
    await proxy.close();
    await chain.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function open(): Promise<void> {
    const settings = networkSettings("Lossy", proxy.url);
    const folder = join(dataDir, "workspace");
    mkdirSync(folder, { recursive: true });
    workbench = await openWorkbench({ dataDir, folder, settings, ...(port === undefined ? {} : { port }) });
    ({ page } = workbench);
    await workbench.showFinality();
  }

  const row = (spoken: string): Locator => rowOf(page, spoken);
  const dialog = (): Locator => dialogOf(page);
  const payment = (coins: string, state: string): Locator => paymentRow(page, coins, state);
  const askForPayment = (coins: string): Promise<void> => askByHand(page, chain, coins);

  /** The badge is drawn a moment after the rows, so it is waited for. */
  const badge = (text: string | RegExp) => page.locator(".activitybar .badge-content").filter({ hasText: text });

  it("shows a warning with safe and unsafe actions", async () => {
    proxy.lose("requests");
    await askForPayment("250");
    await dialog().getByRole("button", { name: "Sign and Send" }).click();

    await row("Outcome unknown. Do not create a new payment").waitFor();
    // Under the driver of the tests the workbench shows no toasts; what they would say is in the list behind the bell.
    await page.locator('.statusbar-item[id="status.notifications"]').click();
    const notice = page.locator(".notifications-center .notification-list-item", { hasText: "Outcome unknown" });
    await notice.waitFor();
    await takePicture(page, "unknown-outcome");
    const text = (await notice.textContent()) ?? "";
    await page.keyboard.press("Escape");

    assert.match(text, /Sending the same bytes again is harmless; a new payment is not/);
    assert.match(text, /Send Same Bytes Again/);
    await badge("1").waitFor();
  });

  it("stops an equal payment before building it, and Escape pays nothing", async () => {
    await askForPayment("250");

    const question = (await dialog().textContent()) ?? "";
    await takePicture(page, "unknown-equal-payment");
    await page.keyboard.press("Escape");
    await dialog().waitFor({ state: "detached" });

    assert.match(question, /An equal payment has an unknown outcome/);
    assert.match(question, /A second one would pay twice/);
  });

  it("survives a restart of the window without an automatic broadcast", async () => {
    proxy.lose("nothing");
    await workbench.close();
    await open();

    await row("Outcome unknown. Do not create a new payment").waitFor();
    await mine(chain, 1);
    await mine(chain, 1);

    await badge("1").waitFor();
    assert.equal(await paidTo(chain), 10_000_000_000);
  });

  it("resolves after a rebroadcast of the same bytes, with one payment", async () => {
    const again = dialog().getByRole("button", { name: "Send Again", exact: true });
    await clickInRow(row("250 coins to"), "Send Same Bytes Again", again);
    await again.click();
    await payment("250", "Accepted by the node").waitFor();
    await mine(chain, 10);
    await row("Final, successful").waitFor();

    assert.equal(await paidTo(chain), 10_250_000_000);
    await badge(/\d/).waitFor({ state: "detached" });
  });

  it("resolves without the user when only the answer was lost", async () => {
    proxy.lose("answers");
    await askForPayment("40");
    await dialog().getByRole("button", { name: "Sign and Send" }).click();
    await payment("40", "Accepted by the node").waitFor();
    await mine(chain, 10);
    await payment("40", "Final, successful").waitFor();

    assert.equal(await paidTo(chain), 10_290_000_000);
  });

  const life = () => timelinePage(page);

  it("shows the permitted actions in the timeline, and the reason why a replacement has to wait", async () => {
    proxy.lose("requests");
    await askForPayment("75");
    await dialog().getByRole("button", { name: "Sign and Send" }).click();
    const heading = life().getByRole("heading", { name: /^75 coins →/ });
    await clickInRow(payment("75", "Outcome unknown"), "Show Transaction", heading);
    await takePicture(page, "timeline-unknown");

    await life().getByText("Outcome unknown. Do not create a new payment").first().waitFor();
    await life().getByRole("button", { name: "Send Same Bytes Again" }).waitFor();
    const replace = life().getByRole("button", { name: "Create Replacement" });
    assert.equal(await replace.getAttribute("aria-disabled"), "true");
    await life()
      .getByText(/It will read about [\d,]+ solidified blocks, in 1 request/)
      .waitFor();
    assert.deepEqual(await findBarriers(page), []);
  });

  it("proves the absence, and updates the open page", async () => {
    await mine(chain, 60);

    await life().getByRole("heading", { name: "Proof of absence", level: 2 }).waitFor();
    await payment("75", "Expired and proven absent, safe to replace").waitFor();
    await life().getByText("Blocks, IDs and times").click();
    await life().getByText("SHA-256 of all IDs").waitFor();
    await takePicture(page, "timeline-proven");
    assert.deepEqual(await findBarriers(page), []);
  });

  it("creates the replacement from the page after two reviews: of the proof and of the new payment", async () => {
    proxy.lose("nothing");
    await life().getByRole("button", { name: "Create Replacement" }).click();
    await dialog().waitFor();
    const question = (await dialog().textContent()) ?? "";
    await takePicture(page, "replacement-question");
    await dialog().getByRole("button", { name: "Create Replacement" }).click();
    await dialog().getByRole("button", { name: "Sign and Send" }).click();
    await payment("75", "Accepted by the node").waitFor();

    assert.match(question, /Proof: solidified blocks .* do not contain it; solidified time .* ≥ expiry/);
    await life()
      .getByText(/^Replaced by/)
      .first()
      .waitFor();
    await takePicture(page, "timeline-replaced");
  });

  it("tracks the replacement in a second page until it is final, with one payment", async () => {
    await life().getByRole("button", { name: "Pin" }).click();
    await life().getByRole("button", { name: "Pin" }).waitFor({ state: "detached" });
    await life().locator("button.link").click();
    await life()
      .getByRole("heading", { name: /^75 coins →/ })
      .waitFor();
    await life().getByText("Accepted by the node, not final").first().waitFor();
    await mine(chain, 10);

    await life().getByText("Final, successful").first().waitFor();
    await takePicture(page, "timeline-final");
    await life().getByRole("heading", { name: "Replaces" }).waitFor();
    assert.equal(await paidTo(chain), 10_365_000_000);
    assert.deepEqual(await findBarriers(page), []);
  });

  it("restores the page after a restart", async () => {
    const text = await life().locator("#page").innerText();
    const [txId = ""] = /\b[0-9a-f]{64}\b/.exec(text) ?? [];
    assert.notEqual(txId, "");
    // The page that was opened last: one that was opened before is written down already, and would come back alone.
    await editorsAreKept(page, txId);
    await workbench.close();
    await open();

    await life().getByText("Final, successful").first().waitFor();
  });

  for (const theme of Object.keys(THEMES) as ThemeName[]) {
    it(`is accessible in the theme ${THEMES[theme].label}`, async () => {
      await chooseTheme(page, theme);
      await page.locator(".tab", { hasText: "75 coins →" }).first().click();
      await life().getByRole("heading", { name: "Proof of absence", level: 2 }).waitFor();
      await page.waitForLoadState();

      await takePicture(page, `timeline-${theme}`);

      assert.deepEqual(await findBarriers(page), []);
    });
  }
});
