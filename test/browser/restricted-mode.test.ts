import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { takeChainBeside } from "./local-flow.ts";

/**
 * Keys run a command whatever its enablement says, as another extension does; `kind` has its refusal shown to the
 * person.
 */
const KEYS = [
  { key: "ctrl+alt+shift+1", command: "finality.startLocalChain" },
  {
    key: "ctrl+alt+shift+2",
    command: "finality.sendCoins",
    args: { kind: "key", network: "Local chain", from: "Alice", to: "Bob", amount: "1" },
  },
];

describe("Restricted Mode", function () {
  this.timeout(240_000);
  let chain: LocalChain;
  let scratch: string;
  let workbench: OpenWorkbench;

  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), "finality-restricted-"));
    const user = join(scratch, "server", "data", "User");
    mkdirSync(user, { recursive: true });
    writeFileSync(join(user, "keybindings.json"), JSON.stringify(KEYS));
    chain = await startLocalChain({ blockTimeMs: 1_000 });
    workbench = await openWorkbench({
      dataDir: scratch,
      restricted: true,
      env: { FINALITY_DEV_CHAIN: JSON.stringify(chain.ready) },
    });
  });

  after(async () => {
    await workbench.close();
    await chain.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("H5: signs and sends nothing for any caller, and explains how to continue", async () => {
    const { page } = workbench;
    await page.locator(".statusbar-item", { hasText: "Restricted Mode" }).waitFor();
    await workbench.showFinality();
    await page.keyboard.press("Control+Alt+Shift+1");
    await takeChainBeside(page);
    await page.locator(".monaco-list-row", { hasText: "Alice" }).first().waitFor();

    await page.keyboard.press("Control+Alt+Shift+2");

    const notice = page.locator(".notifications-toasts .notification-list-item");
    const refusal = notice.filter({ hasText: "Nothing was signed: this window is in Restricted Mode" });
    await refusal.waitFor();
    assert.ok((await refusal.textContent())?.includes("Manage Workspace Trust"));
    await workbench.screenshot("restricted-mode");
    const { paths } = chain.simulation.requests.report();
    assert.deepEqual(
      Object.keys(paths).filter((it) => /createtransaction|broadcast/.test(it)),
      [],
    );
  });

  it("M6: requests no balances for the visible accounts", () => {
    const { paths } = chain.simulation.requests.report();

    assert.deepEqual(
      Object.keys(paths).filter((it) => /getaccount/.test(it)),
      [],
    );
  });
});
