import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { type LossyProxy, openLossyProxy } from "./lossy-proxy.ts";
import { networkSettings } from "./network-settings.ts";
import { askForPayment, clickInRow, dialogOf, importAlice, mine, paidTo, paymentRow } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";
import { findBarriers, timelinePage } from "./timeline-page.ts";

describe("rebroadcast via another node", function () {
  this.timeout(180_000);
  let chain: LocalChain;
  let first: LossyProxy;
  let second: LossyProxy;
  let workbench: OpenWorkbench;
  let page: Page;
  const life = () => timelinePage(page);
  endSuiteAtFirstFailure();

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0 });
    first = await openLossyProxy(chain.baseUrl);
    second = await openLossyProxy(chain.baseUrl);
    await mine(chain, 10);
    workbench = await openWorkbench({ settings: networkSettings("Two doors", first.url, second.url) });
    ({ page } = workbench);
    await workbench.showFinality();
    await importAlice(workbench, chain);
  });

  after(async () => {
    await workbench.close();
    await first.close();
    await second.close();
    await chain.close();
  });

  it("still shows the first answer when the same bytes are refused as duplicates", async () => {
    first.lose("requests");
    await askForPayment(page, chain, "75");
    await dialogOf(page).getByRole("button", { name: "Sign and Send" }).click();
    const heading = life().getByRole("heading", { name: /^75 coins →/ });
    await clickInRow(paymentRow(page, "75", "Outcome unknown"), "Show Transaction", heading);
    first.lose("known-and-kept");

    await life().getByRole("button", { name: "Send Same Bytes Again" }).click();

    await life().getByRole("heading", { name: "Already known" }).waitFor();
    await life().getByText("Outcome unknown").first().waitFor();
    await life().getByText("GATEWAY_UNREACHABLE").first().waitFor({ state: "attached" });
    await takePicture(page, "another-node-offered");
    assert.deepEqual(await findBarriers(page), []);
  });

  it("offers a node without the transaction first, which accepts it until it is final", async () => {
    await life().getByRole("button", { name: "Send to Another Node" }).click();
    const focused = page.locator(".quick-input-list .monaco-list-row.focused");
    await focused.filter({ hasText: second.url }).filter({ hasText: "has not received it from here" }).waitFor();
    await page.keyboard.press("Enter");

    await paymentRow(page, "75", "Accepted by the node").waitFor();
    await mine(chain, 10);
    await paymentRow(page, "75", "Final, successful").waitFor();
    await life().getByText("Final, successful").first().waitFor();
    assert.equal(await paidTo(chain), 10_075_000_000);
  });
});
