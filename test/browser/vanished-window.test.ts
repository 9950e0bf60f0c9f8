import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { endSuiteAtFirstFailure, type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { extensionHosts, leaderOf } from "./extension-hosts.ts";
import { networkSettings } from "./network-settings.ts";
import {
  accountOf,
  askForPayment,
  dialogOf,
  importAccount,
  importAlice,
  mine,
  paymentRow,
  rowOf,
} from "./pay-by-hand.ts";

const MARK = randomUUID();
const WINDOWS = 4;
/** Time in which another window continues to track; ms. */
const PROMISED_MS = 15_000;
/** So many blocks make what the first of them holds final. */
const BLOCKS_TO_FINAL = 25;

interface OneWindow {
  readonly page: Page;
  readonly host: number;
}

describe("loss of the leading window", function () {
  this.timeout(300_000);
  let chain: LocalChain;
  let workbench: OpenWorkbench;
  let windows: OneWindow[] = [];
  endSuiteAtFirstFailure();

  async function openNext(): Promise<void> {
    const isFirst = windows.length === 0;
    const page = isFirst ? workbench.page : await workbench.openWindow();
    await workbench.showFinality(page);
    if (isFirst) await importAlice(workbench, chain);
    else await rowOf(page, "Alice").waitFor();
    const known = windows.map((it) => it.host);
    const [host = 0, ...others] = extensionHosts(MARK).filter((pid) => !known.includes(pid));
    assert.deepEqual([host > 0, others], [true, []]);
    windows.push({ page, host });
  }

  function leader(): OneWindow {
    const pid = leaderOf(windows.map(({ host }) => host));
    const found = windows.find(({ host }) => host === pid);
    assert.ok(found, "one of the windows leads");
    return found;
  }

  /**
   * A window that does not lead sends, the one that leads vanishes, blocks come, and it is measured until that window
   * shows what came of its transaction.
   */
  async function outlives(coins: string, vanish: (leader: OneWindow) => Promise<void>): Promise<number> {
    const gone = leader();
    const [witness] = windows.filter((it) => it !== gone);
    assert.ok(witness);
    await askForPayment(witness.page, chain, coins);
    await dialogOf(witness.page).getByRole("button", { name: "Sign and Send" }).click();
    await paymentRow(witness.page, coins, "Accepted by the node").waitFor();
    windows = windows.filter((it) => it !== gone);
    const before = performance.now();
    await vanish(gone);
    await mine(chain, BLOCKS_TO_FINAL);
    await paymentRow(witness.page, coins, "Final, successful").waitFor();
    return performance.now() - before;
  }

  function checkDelay(how: string, ms: number): void {
    process.stdout.write(`      ${how}: the others went on after ${(ms / 1_000).toFixed(1)} s\n`);
    assert.ok(ms <= PROMISED_MS, `${how}: ${Math.round(ms)} ms`);
  }

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0 });
    await mine(chain, 10);
    const settings = networkSettings("Shared", chain.baseUrl);
    workbench = await openWorkbench({ settings, env: { FINALITY_TEST_WINDOWS: MARK } });
    while (windows.length < WINDOWS) await openNext();
  });

  after(async () => {
    await workbench.close();
    await chain.close();
  });

  it("shows an account that one window added in all windows", async () => {
    await importAccount(workbench, accountOf(chain, 2).privateKey, "Savings");

    for (const { page } of windows) await rowOf(page, "Savings").waitFor();
  });

  it("continues tracking within 15 s when its extension host is killed", async () => {
    const ms = await outlives("31", async ({ host, page }) => {
      process.kill(host, "SIGKILL");
      // No process restarts it without its window.
      await page.close();
    });

    checkDelay("killed", ms);
  });

  it("continues tracking within 15 s when its tab is closed", async () => {
    const ms = await outlives("32", async ({ page }) => {
      await page.close();
    });

    checkDelay("closed tab", ms);
  });

  it("continues tracking within 15 s when its extension host freezes with its socket open", async () => {
    let left = 0;

    const ms = await outlives("33", async ({ host }) => {
      left = host;
      process.kill(host, "SIGSTOP");
    });

    checkDelay("standing still", ms);
    process.kill(left, "SIGKILL");
  });
});
