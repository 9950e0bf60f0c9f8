import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { StandInWallet } from "../support/workbench/stand-in-wallet.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { networkSettings } from "./network-settings.ts";
import { accountOf, askForPayment, clickInRow, dialogOf, paidTo, paymentRow, rowOf } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";
import { leadToOwnPages, walletButton, walletTabAfter } from "./wallet-tab.ts";

const STRANGER = "http://stranger.test/";

describe("browser wallet", function () {
  this.timeout(240_000);
  let chain: LocalChain;
  let workbench: OpenWorkbench;
  let page: Page;
  let wallet: StandInWallet;

  endSuiteAtFirstFailure();

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 500 });
    workbench = await openWorkbench({ settings: networkSettings("Chain", chain.baseUrl) });
    ({ page } = workbench);
    wallet = new StandInWallet(accountOf(chain, 0).privateKey);
    await wallet.installIn(page.context());
    await leadToOwnPages(page.context());
    await workbench.showFinality();
  });

  after(async () => {
    await workbench.close();
    await chain.close();
  });

  const notice = (text: string | RegExp): Locator =>
    page.locator(".notifications-toasts .notification-list-item", { hasText: text });
  const sentence = (tab: Page, text: string | RegExp): Locator => tab.locator(".sentence", { hasText: text });

  /** Says yes in the editor. @returns the page in the browser */
  async function pay(coins: string): Promise<Page> {
    await page.bringToFront();
    await askForPayment(page, chain, coins);
    return await walletTabAfter(page, () => dialogOf(page).getByRole("button", { name: "Sign and Send" }).click());
  }

  /** Closes what is said, so that the next one is seen. */
  async function close(said: Locator): Promise<string> {
    await page.bringToFront();
    await said.waitFor();
    const text = (await said.innerText()).replace(/\s+/g, " ");
    await workbench.runCommand("Notifications: Clear All Notifications");
    await said.waitFor({ state: "hidden" });
    return text;
  }

  it("A3: connects after the user confirms the whole address, and lists the account", async () => {
    const tab = await walletTabAfter(page, () => workbench.runCommand("Finality: Connect Browser Wallet…"));
    await takePicture(tab, "wallet-connect");
    await walletButton(tab).click();
    await sentence(tab, "The editor has the account").waitFor();
    await tab.close();

    await page.bringToFront();
    const question = dialogOf(page);
    await question.filter({ hasText: `Add the account ${accountOf(chain, 0).address}?` }).waitFor();
    await question.getByRole("button", { name: "Add Account" }).click();
    await page.locator(".quick-input-message", { hasText: "A name for the account" }).waitFor();
    await page.locator(".quick-input-widget input").fill("Alice");
    await page.keyboard.press("Enter");
    await rowOf(page, "Alice, signs in the browser").waitFor();
  });

  it("shows the review again, signs and reaches final when the wallet approves", async () => {
    const before = await paidTo(chain);
    await page.bringToFront();
    await askForPayment(page, chain, "2.5");
    const review = await dialogOf(page).locator(".dialog-message-detail").innerText();
    const tab = await walletTabAfter(page, () => dialogOf(page).getByRole("button", { name: "Sign and Send" }).click());

    const shown = await tab.locator(".review").innerText();
    assert.equal(shown.replace(/\s+/g, " ").trim(), review.replace(/\s+/g, " ").trim());
    assert.equal(new URL(tab.url()).hash, "");
    for (const colorScheme of ["dark", "light"] as const) {
      await tab.emulateMedia({ colorScheme });
      await takePicture(tab, `wallet-sign-${colorScheme}`);
    }
    await page.bringToFront();
    await notice("Waiting for the wallet in your browser").waitFor();
    await takePicture(page, "wallet-progress");
    await tab.bringToFront();
    await walletButton(tab).click();
    await sentence(tab, "The editor has the signature").waitFor();

    await page.bringToFront();
    await paymentRow(page, "2.5", "Final, successful").waitFor();
    assert.equal((await paidTo(chain)) - before, 2_500_000);
    assert.deepEqual([wallet.asked.length, wallet.asked[0]?.signature], [1, undefined]);
    // The page has answered and cannot receive another answer.
    assert.equal(
      await tab.evaluate(() =>
        fetch("/answer", { method: "POST" }).then(
          () => "there",
          () => "gone",
        ),
      ),
      "gone",
    );
    await tab.close();
  });

  it("shows the wallet's reason, sends nothing and tracks the shared bytes when the wallet rejects", async () => {
    wallet.deed = "reject";
    const tab = await pay("3.5");
    await walletButton(tab).click();
    await sentence(tab, "Nothing was signed. The editor knows").waitFor();
    await tab.close();

    const text = await close(notice("did not sign"));
    assert.match(text, /Its reason: “Confirmation declined by user”\. Nothing was sent\. .*can still send it until/);
    await paymentRow(page, "3.5", "Collecting signatures, none yet").waitFor();
  });

  it("warns about an equal payment while the first one may still execute", async () => {
    await askForPayment(page, chain, "3.5");

    assert.match(await dialogOf(page).innerText(), /may (still )?be executed|equal/i);
    await takePicture(page, "wallet-equal");
    await page.keyboard.press("Escape");
    await dialogOf(page).waitFor({ state: "hidden" });
  });

  it("continues with the same bytes from the row and pays once when the wallet signs", async () => {
    wallet.deed = "approve";
    const before = await paidTo(chain);
    const [row, review] = [paymentRow(page, "3.5", "Collecting signatures"), dialogOf(page)];
    await clickInRow(row, "Add Signature", review.getByRole("button", { name: "Sign", exact: true }));
    const tab = await walletTabAfter(page, () => review.getByRole("button", { name: "Sign", exact: true }).click());
    await walletButton(tab).click();
    await sentence(tab, "The editor has the signature").waitFor();
    await tab.close();

    await page.bringToFront();
    await review.getByRole("button", { name: "Broadcast" }).click();
    await paymentRow(page, "3.5", "Final, successful").waitFor();
    assert.equal((await paidTo(chain)) - before, 3_500_000);
    const [second, again] = wallet.asked.slice(-2);
    assert.equal(second?.txID, again?.txID);
  });

  it("sends nothing, names both accounts and adds no row after Cancel when the wallet has another account", async () => {
    wallet.deed = "approve";
    const asked = wallet.asked.length;
    const own = wallet.account;
    wallet.account = accountOf(chain, 1).address;
    const tab = await pay("4.5");
    await walletButton(tab).click();
    await sentence(tab, `The wallet shows ${wallet.account}, but ${own} has to sign.`).waitFor();
    await takePicture(tab, "wallet-wrong-account");

    await page.bringToFront();
    const waiting = notice("Waiting for the wallet in your browser");
    assert.match(await waiting.innerText(), /has to sign/);
    await waiting.hover();
    await waiting.getByRole("button", { name: "Cancel" }).click();
    await sentence(tab, "You cancelled in the editor").waitFor();
    await tab.close();
    wallet.account = own;
    assert.equal(await paymentRow(page, "4.5", "").count(), 0);
    assert.equal(wallet.asked.length, asked);
  });

  it("ends without sending when the tab is closed", async () => {
    const tab = await pay("5.5");

    await tab.close();

    assert.match(await close(notice("was closed before the wallet answered")), /Nothing was sent\./);
    assert.equal(await paymentRow(page, "5.5", "").count(), 0);
  });

  it("discards an approval after Cancel, and shows until when the wallet could send the bytes", async () => {
    wallet.deed = "leave-open";
    const tab = await pay("6.5");
    await walletButton(tab).click();
    await sentence(tab, "Waiting for Stand-In").waitFor();
    await page.bringToFront();
    await paymentRow(page, "6.5", "Collecting signatures, none yet").waitFor();
    const waiting = notice("Waiting for the wallet in your browser");
    await waiting.hover();
    await waiting.getByRole("button", { name: "Cancel" }).click();
    assert.match(await close(notice("already had the transaction")), /counts as possible until/);

    wallet.release();

    assert.match(await close(notice("discarded")), /can send it until/);
    await tab.close();
    await paymentRow(page, "6.5", "Collecting signatures, none yet").waitFor();
  });

  it("gives pages of other origins no data, no actions and no frame", async () => {
    wallet.deed = "approve";
    const tab = await pay("7.5");
    const { origin } = new URL(tab.url());
    const stranger = await page.context().newPage();
    await stranger.route(STRANGER, (route) =>
      route.fulfill({ contentType: "text/html", body: `<iframe src="${origin}/"></iframe>` }),
    );
    await stranger.goto(STRANGER);

    const learned = await stranger.evaluate(async (url) => {
      const ask = (init: RequestInit): Promise<string> =>
        fetch(`${url}/open`, init).then(
          () => "answered",
          () => "refused",
        );
      const json = { method: "POST", headers: { "content-type": "application/json" }, body: "{}" };
      return [await ask(json), await ask({ method: "POST", body: "{}" }), await ask({ method: "GET" })];
    }, origin);
    assert.deepEqual(learned, ["refused", "refused", "refused"]);
    const framed = stranger.frames().find((it) => it !== stranger.mainFrame());
    assert.equal(framed?.url().startsWith(origin), false, framed?.url());
    await stranger.close();
    await walletButton(tab).click();

    await sentence(tab, "The editor has the signature").waitFor();
    await tab.close();
    await page.bringToFront();
    await paymentRow(page, "7.5", "Final, successful").waitFor();
  });

  it("rejects a transaction that the wallet changed, and names the change", async () => {
    wallet.deed = "sign-another";
    const tab = await pay("8.5");
    await walletButton(tab).click();
    await sentence(tab, "The wallet changed the transaction").waitFor();
    await tab.close();

    assert.match(
      await close(notice("The wallet changed the transaction")),
      /it signed [0-9a-f]{64}, which you did not see/,
    );
    await paymentRow(page, "8.5", "Collecting signatures, none yet").waitFor();
  });
});
