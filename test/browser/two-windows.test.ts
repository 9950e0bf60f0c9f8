import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { extensionHosts } from "./extension-hosts.ts";
import { networkSettings } from "./network-settings.ts";
import {
  accountOf,
  askForPayment,
  dialogOf,
  importAccount,
  importAlice,
  mine,
  paidTo,
  paymentRow,
  rowOf,
} from "./pay-by-hand.ts";

const MARK = randomUUID();

describe("two windows on one journal", function () {
  this.timeout(180_000);
  let chain: LocalChain;
  let workbench: OpenWorkbench;
  let first: Page;
  let second: Page;
  let leader: number;
  endSuiteAtFirstFailure();

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0 });
    await mine(chain, 10);
    const settings = networkSettings("Shared", chain.baseUrl);
    workbench = await openWorkbench({ settings, env: { FINALITY_TEST_WINDOWS: MARK } });
    first = workbench.page;
    await workbench.showFinality();
    await importAlice(workbench, chain);
    const [only = 0, ...others] = extensionHosts(MARK);
    assert.deepEqual([only > 0, others], [true, []]);
    leader = only;
    second = await workbench.openWindow();
    await workbench.showFinality(second);
    await rowOf(second, "Alice").waitFor();
  });

  after(async () => {
    await workbench.close();
    await chain.close();
  });

  it("shows transactions of the first window in the second one", async () => {
    await askForPayment(first, chain, "75");
    await dialogOf(first).getByRole("button", { name: "Sign and Send" }).click();

    await paymentRow(second, "75", "Accepted by the node").waitFor();
  });

  it("stops an equal payment in the second window before building it", async () => {
    await askForPayment(second, chain, "75");

    await dialogOf(second).filter({ hasText: "An equal payment is still pending" }).waitFor();
    await second.keyboard.press("Escape");
    await dialogOf(second).waitFor({ state: "detached" });
  });

  it("P3: shows an account that the first window added in the second one", async () => {
    await importAccount(workbench, accountOf(chain, 2).privateKey, "Savings");

    await rowOf(second, "Savings").waitFor();
  });

  it("P2: continues tracking in the second window when the leading one freezes", async () => {
    process.kill(leader, "SIGSTOP");
    await first.close();
    await mine(chain, 10);

    await paymentRow(second, "75", "Final, successful").waitFor();
    assert.equal(await paidTo(chain), 10_075_000_000);
    assert.ok(extensionHosts(MARK).includes(leader), "it is alive, and its socket is open");
    process.kill(leader, "SIGKILL");
  });
});
