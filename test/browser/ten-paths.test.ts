import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { startTenPaths, type TenPaths } from "../support/gateway/minimal-gateway.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench, tryAgain } from "../support/workbench/workbench.ts";
import { networkSettings } from "./network-settings.ts";
import { askForPayment, dialogOf, importAlice, mine, paidTo, paymentRow, rowOf } from "./pay-by-hand.ts";
import { FOLLOWS_SYSTEM_THEME, takeBothPictures } from "./pictures.ts";

describe("minimal gateway without constant calls", function () {
  this.timeout(180_000);
  let chain: LocalChain;
  let front: TenPaths;
  let workbench: OpenWorkbench;
  let page: Page;
  endSuiteAtFirstFailure();

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0 });
    front = await startTenPaths(chain.baseUrl, "404");
    front.runsCode = false;
    await mine(chain, 10);
    const settings = { ...networkSettings("Ten paths", front.url), ...FOLLOWS_SYSTEM_THEME };
    workbench = await openWorkbench({ settings });
    ({ page } = workbench);
    await workbench.showFinality();
    await importAlice(workbench, chain);
  });

  after(async () => {
    await workbench.close();
    await front[Symbol.asyncDispose]();
    await chain.close();
  });

  it("shows an unknown balance instead of 0, and names the missing path", async () => {
    await rowOf(page, "balance not available").waitFor();
    await tryAgain(page, async (timeout) => {
      await rowOf(page, "Alice").click({ timeout });
      await page.keyboard.press("ArrowRight");
      await rowOf(page, "Stakes, votes and tokens").waitFor({ timeout });
    });
    await rowOf(page, "not reported by this gateway").waitFor();
    await takeBothPictures(page, "ten-paths-account");
  });

  it("names the assumed signer in the review, and the payment becomes final", async () => {
    await askForPayment(page, chain, "75");
    const review = dialogOf(page);
    await review.getByText("the gateway does not serve /wallet/getaccount").waitFor();
    await takeBothPictures(page, "ten-paths-review");
    await review.getByRole("button", { name: "Sign and Send" }).click();
    await paymentRow(page, "75", "Accepted by the node").waitFor();
    await mine(chain, 10);
    await paymentRow(page, "75", "Final, successful").waitFor();
    assert.equal(await paidTo(chain), 10_075_000_000);
  });
});
