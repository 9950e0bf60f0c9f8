import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { openBrowser } from "../../scripts/workbench/browser.mjs";
import { type LoopbackServer, serveLoopback } from "../../src/host/external-signer/loopback-server.ts";
import { WalletSession } from "../../src/host/external-signer/wallet-session.ts";
import { FakeClock } from "../support/fakes/fake-clock.ts";
import { loadWithEditor } from "../support/fakes/fake-editor.ts";
import { barriersIn } from "./barriers.ts";
import { takePicture } from "./pictures.ts";

type WalletPage = typeof import("../../src/host/external-signer/browser-wallet.ts");

describe("wallet page on a desktop", function () {
  this.timeout(60_000);
  let profile: string;
  let browser: BrowserContext;
  let page: Page;
  let server: LoopbackServer;
  let session: WalletSession;

  before(async () => {
    profile = mkdtempSync(join(tmpdir(), "finality-wallet-code-"));
    browser = await openBrowser(profile);
    page = browser.pages()[0] ?? (await browser.newPage());
    const { walletPage } = await loadWithEditor<WalletPage>("src/host/external-signer/browser-wallet.ts");
    session = new WalletSession({
      task: { kind: "connect" },
      isTyped: true,
      clock: new FakeClock(),
      accountFault: () => undefined,
      handOut: () => Promise.reject(new Error("not requested")),
      answerFault: async () => undefined,
      noticed: () => undefined,
      cameLate: () => undefined,
    });
    const files = await walletPage(join(import.meta.dirname, "..", "..", "dist", "media"));
    server = await serveLoopback({ files, posts: session.posts });
  });

  after(async () => {
    server.close();
    await browser.close();
    rmSync(profile, { recursive: true, force: true });
  });

  it("A3: shows its task after the code of the editor is typed, and accepts a correction of a wrong code", async () => {
    await page.goto(server.origin);
    const wrong = session.secret === "000000" ? "000001" : "000000";

    await page.locator("#code:focus").waitFor();
    await takePicture(page, "wallet-code");
    assert.deepEqual(await barriersIn(page, ["html"]), []);
    await page.keyboard.type(wrong);
    await page.keyboard.press("Enter");
    await page.getByText("This code is wrong.").first().waitFor();
    assert.equal(await page.getByText("Connect your wallet?").count(), 0);
    await page.locator("#code").fill(session.secret);
    await page.keyboard.press("Enter");

    await page.getByRole("heading", { name: "Connect your wallet?" }).waitFor();
  });
});
