import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ProposalFolder } from "../../packages/agent-tools/src/proposals.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import { sun } from "../../packages/tron/src/primitives/amount.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench } from "../support/workbench/workbench.ts";
import { acceptByEnter, addressOf, readReview } from "./local-flow.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";
import { shareLocalChain } from "./shared-workbench.ts";

const CLAIM = "claim of an agent";

describe("proposals of an agent by keyboard", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let page: Page;
  let propose: (amount: bigint) => Promise<string>;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareLocalChain();
    ({ page } = workbench);
    await workbench.showFinality();
    const storage = join(workbench.dataDir, "server", "data", "User", "globalStorage", "finality.finality");
    const folder = new ProposalFolder(join(storage, "proposals"));
    const [owner, to] = await Promise.all(["Alice", "Bob"].map(async (it) => parseAddress(await addressOf(page, it))));
    assert.ok(owner && to);
    propose = async (amount) => {
      const intent = { kind: "transfer", owner, to, amount: sun(amount) } as const;
      const content = { at: Date.now(), agent: "Scout", network: "Local chain", intent, note: "rent" };
      return (await folder.add(content)).id;
    };
  });

  it("shows none before the user turned the tools on, in a dialog that names what agents can do", async () => {
    await propose(1_750_000n);
    await workbench.runCommand("Finality: Agent Tools…");
    await readReview(page, "Turn On", [/Turn on the tools for agents\?/, /They cannot sign or send/]);
    assert.equal(await rowOf(page, CLAIM).count(), 0);
    await workbench.screenshot("agent-tools-question");
    await acceptByEnter(page);

    await rowOf(page, "Proposed by “Scout”: 1.75 coins → Bob. claim of an agent · on Local chain.").waitFor();
    await workbench.screenshot("proposal-row");
  });

  it("sends a proposal after the usual review, and removes its row", async () => {
    await workbench.runCommand("Finality: Review Proposal…");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Proposed by “Scout”" }).first().waitFor();
    await page.keyboard.press("Enter");
    await readReview(page, "Sign and Send", [/1\.75 coins/, /Proposed by “Scout”, a program\. Check each line/]);
    await workbench.screenshot("proposal-review");
    // Enter does not sign what a program proposed.
    await acceptByEnter(page);
    await rowOf(page, CLAIM).waitFor();
    await workbench.runCommand("Finality: Review Proposal…");
    await page.locator(".quick-input-list .monaco-list-row", { hasText: "Proposed by “Scout”" }).first().waitFor();
    await page.keyboard.press("Enter");
    await dialogOf(page).getByRole("button", { name: "Sign and Send" }).click();

    const final = page.locator('.pane-body .monaco-list-row[aria-label*="1.75 coins"][aria-label*="Final"]');
    await final.waitFor();
    await rowOf(page, CLAIM).waitFor({ state: "detached" });
  });

  it("discards a proposal from its row", async () => {
    await propose(2_250_000n);
    const row = rowOf(page, "Proposed by “Scout”: 2.25 coins");
    await row.click();
    await row.locator('.action-label[aria-label="Discard Proposal"]').click();

    await row.waitFor({ state: "detached" });
    assert.equal(await dialogOf(page).count(), 0);
  });

  it("shows none after the user turned the tools off", async () => {
    await propose(3_250_000n);
    await rowOf(page, CLAIM).waitFor();
    await workbench.runCommand("Finality: Agent Tools…");
    await readReview(page, "Turn Off");
    await acceptByEnter(page);

    await rowOf(page, CLAIM).waitFor({ state: "detached" });
  });
});
