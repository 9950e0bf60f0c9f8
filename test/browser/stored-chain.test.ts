import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { ChainBeside } from "../support/chain/chain-beside.ts";
import { copySamples } from "../support/samples/copy-samples.ts";
import {
  chooseInStep,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  pick,
  runCommand,
  stepInput,
  typeInStep,
} from "../support/workbench/workbench.ts";
import { submitForm } from "./argument-form.ts";
import { extensionHosts } from "./extension-hosts.ts";
import { addressOf, openOnLocalChain, untilFinal } from "./local-flow.ts";
import { clickInRow, dialogOf, rowOf } from "./pay-by-hand.ts";

const MARK = randomUUID();
const SAMPLES = join(import.meta.dirname, "..", "..", "samples");
const PAYMENT = "1.5 coins to Bob";
const DEPLOYMENT = "Deploy Leaf";
const CHAIN = "Local chain, block";

describe("local chain that outlives its windows", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let first: Page;
  let second: Page;
  let alice: string;
  let folder: string;
  let contract: string;
  endSuiteAtFirstFailure();

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "finality-stored-chain-"));
    copySamples(SAMPLES, folder, ["build"]);
    workbench = await openOnLocalChain({ folder, env: { FINALITY_TEST_WINDOWS: MARK } });
    first = workbench.page;
    await workbench.runCommand("Finality: Deploy Contract…");
    await pick(first, "Leaf");
    await submitForm(first, "Deploy Leaf", { supply: "1000000000" }, "Alice");
    await dialogOf(first).filter({ hasText: "Deploy “Leaf”?" }).waitFor();
    await first.keyboard.press("Enter");
    await untilFinal(first, DEPLOYMENT);
    const deployment = await rowOf(first, DEPLOYMENT).getAttribute("aria-label");
    [, contract = ""] = /Contract (T\w{33})\./.exec(deployment ?? "") ?? [];
    await workbench.runCommand("View: Close All Editors");
    alice = await addressOf(first, "Alice");
    await clickInRow(rowOf(first, "Alice"), "Send Coins", stepInput(first, "Recipient?"));
    await chooseInStep(first, "Recipient?", "Bob");
    await typeInStep(first, "1.5", "1.5");
    await first.keyboard.press("Enter");
    await dialogOf(first).getByRole("button", { name: "Sign and Send" }).click();
    await untilFinal(first, PAYMENT);
  });

  after(async () => {
    await workbench.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const storage = (): string =>
    join(workbench.dataDir, "server", "data", "User", "globalStorage", "finality.finality", "local-chain");
  const lock = (): { readonly pid: number; readonly baseUrl: string } =>
    JSON.parse(readFileSync(join(storage(), "lock"), "utf8"));
  const processOfChain = (): number => lock().pid;

  /** Asserts that a window shows the same chain, its accounts, transactions and contract, as the active network. */
  async function showsChain(page: Page): Promise<void> {
    await workbench.showFinality(page);
    await rowOf(page, CHAIN).waitFor();
    assert.equal(await addressOf(page, "Alice"), alice);
    await untilFinal(page, DEPLOYMENT);
    await untilFinal(page, PAYMENT);
    await page.locator(".statusbar-item", { hasText: "Local chain" }).first().waitFor();
    await runCommand(page, "Finality: Focus on Contracts View");
    const contracts = page.locator(".pane", { has: page.locator(".pane-header", { hasText: "Contracts" }) });
    await contracts.locator('.monaco-list-row[aria-label*="Leaf, "]').first().waitFor();
    const found = await new ChainBeside(lock().baseUrl).ask("wallet/getcontract", { value: contract, visible: true });
    assert.equal(found.contract_address, contract);
  }

  it("is found again after a reload", async () => {
    const pid = processOfChain();

    await first.reload();

    await showsChain(first);
    assert.equal(processOfChain(), pid);
  });

  it("is found by a second window, and again after its host was killed", async () => {
    const pid = processOfChain();
    const known = extensionHosts(MARK);
    second = await workbench.openWindow();
    await showsChain(second);
    const host = extensionHosts(MARK).find((it) => !known.includes(it)) ?? assert.fail("no host of the second window");

    process.kill(host, "SIGKILL");
    await second.reload();

    await showsChain(second);
    assert.equal(processOfChain(), pid);
  });

  it("goes on when the window that started it is closed", async () => {
    const pid = processOfChain();

    await first.close();

    await showsChain(second);
    assert.equal(processOfChain(), pid);
  });

  it("is shown as not running when it is killed, stays the active network, and continues on request", async () => {
    process.kill(processOfChain(), "SIGKILL");

    await rowOf(second, "Local chain, not running").waitFor();
    await second.locator(".statusbar-item", { hasText: "Local chain is not running" }).waitFor();
    assert.equal(await addressOf(second, "Alice"), alice);
    await clickInRow(rowOf(second, "Local chain, not running"), "Start Local Chain", rowOf(second, CHAIN));

    await showsChain(second);
  });

  it("stops only when the user confirms it", async () => {
    await runCommand(second, "Finality: Stop Local Chain");
    await dialogOf(second).waitFor();
    await second.keyboard.press("Escape");
    await dialogOf(second).waitFor({ state: "detached" });
    await rowOf(second, CHAIN).waitFor();

    await runCommand(second, "Finality: Stop Local Chain");
    await dialogOf(second).waitFor();
    await dialogOf(second).getByRole("button", { name: "Stop Local Chain" }).click();

    await rowOf(second, "Local chain, not running").waitFor();
  });
});
