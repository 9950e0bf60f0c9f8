import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import {
  constructorOf,
  functionDataOf,
  functionsNamed,
  functionsOf,
} from "../../packages/tron/src/abi/contract-functions.ts";
import { encodeAbi } from "../../packages/tron/src/abi/encode-abi.ts";
import { shortAddress } from "../../packages/tron/src/format/short.ts";
import { parseAddress } from "../../packages/tron/src/primitives/address.ts";
import type { PrivateKey } from "../../packages/tron/src/transaction/signature.ts";
import type { ChainBeside } from "../support/chain/chain-beside.ts";
import { returning } from "../support/chain/contract-fixture.ts";
import { type CompiledContract, compileProxies } from "../support/samples/compiled-proxies.ts";
import { type OpenWorkbench, pick } from "../support/workbench/workbench.ts";
import { argumentForm, submitForm } from "./argument-form.ts";
import { chainBeside } from "./local-flow.ts";
import { chooseInMenu } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";
import { shareLocalChain } from "./shared-workbench.ts";

function rowIn(page: Page, view: string, spoken: string): Locator {
  const pane = page.locator(".pane", { has: page.locator(".pane-header", { hasText: view }) });
  return pane.locator(`.monaco-list-row[aria-label*="${spoken}"]`).first();
}

describe("Contracts view", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  const inView = (spoken: string): Locator => rowIn(workbench.page, "Contracts", spoken);

  before(async () => {
    workbench = await shareLocalChain();
    const { page, runCommand } = workbench;
    await runCommand("Finality: Deploy Contract…");
    await pick(page, "Leaf");
    await submitForm(page, "Deploy Leaf", { supply: "1000000000" }, "Alice");
    await page.locator(".monaco-dialog-box", { hasText: "Deploy “Leaf”?" }).waitFor();
    await page.keyboard.press("Enter");
    await rowIn(page, "Transactions", "Deploy Leaf. Final, successful").waitFor();
    await runCommand("View: Close All Editors");
  });

  it("shows the address of a deployed contract in the row of its transaction", async () => {
    const spoken = await rowIn(workbench.page, "Transactions", "Deploy Leaf").getAttribute("aria-label");

    assert.match(spoken ?? "", /Contract T\w{33}\./);
  });

  it("lists the deployment with its code, functions and transactions", async () => {
    const { page, runCommand } = workbench;
    await runCommand("Finality: Focus on Contracts View");
    // The view needs the height of the others, whose icons are on the right of their headers.
    for (const view of ["Transactions", "Accounts"])
      await page.locator(".pane-header", { hasText: view }).click({ position: { x: 40, y: 10 } });
    await inView("Leaf, ").click();

    await inView("Code: same code as").waitFor();
    await inView("Balance: 0").waitFor();
    await inView("Transactions, 1").waitFor();
    await takePicture(page, "contracts-view");
  });

  it("shows the values of functions without parameters when their group is expanded", async () => {
    const { page } = workbench;
    await inView("Read, ").click();

    await inView("decimals() = 6").waitFor();
    await inView("totalSupply() = 1000000000").waitFor();
    await takePicture(page, "contracts-view-value", { x: 0, y: 34, width: 530, height: 540 });
  });

  it("copies a value from the menu of its row", async () => {
    const { page } = workbench;
    const copied = page.locator(".statusbar-item", { hasText: "Value copied" });

    await chooseInMenu(inView("decimals() = 6"), "Copy Value", copied);
  });

  it("opens the form of a function with parameters", async () => {
    const { page, runCommand } = workbench;
    await inView("balanceOf(").click();

    await argumentForm(page, "Read Leaf");
    await runCommand("View: Close All Editors");
  });

  it("removes a contract from the list, and lists it again after it was added", async () => {
    const { page, runCommand } = workbench;
    const spoken = (await inView("Leaf, ").getAttribute("aria-label")) ?? "";
    const [address = ""] = /T\w{33}/.exec(spoken) ?? [];
    await runCommand("Finality: Remove Contract…");
    await pick(page, "Leaf");
    await inView("Leaf, ").waitFor({ state: "detached" });
    await addContract(address);

    await inView("Leaf, ").waitFor();
  });

  async function addContract(address: string, name?: string): Promise<void> {
    const { page, runCommand } = workbench;
    await runCommand("Finality: Add Contract…");
    await page.locator(".quick-input-widget input[placeholder='T…']").fill(address);
    await page.keyboard.press("Enter");
    await pick(page, "As found");
    const input = page.locator(".quick-input-widget input[placeholder='such as Tea House']");
    if (name !== undefined) await input.fill(name);
    await input.press("Enter");
  }

  describe("with proxies", () => {
    const compiled = compileProxies();
    let chain: ChainBeside;
    let key: PrivateKey;
    let first: string;
    let second: string;

    before(async () => {
      if ((await inView("Leaf, ").getAttribute("aria-expanded")) === "true") await inView("Leaf, ").click();
      chain = await chainBeside(workbench);
      key = await chain.keyAt(0);
      first = await deployed("TeaV1");
      second = await deployed("TeaV2");
    });

    const contract = (name: string): CompiledContract => compiled.get(name) ?? assert.fail(name);

    async function deployed(name: string, ...values: readonly string[]): Promise<string> {
      const { abi, bytecode } = contract(name);
      const code = bytecode + encodeAbi(constructorOf(abi).parameters, values.map(parseAddress));
      return await chain.deployed(key, { abi: JSON.stringify(abi), bytecode: code, name });
    }

    async function upgrade(name: string, address: string): Promise<void> {
      const [fn] = functionsNamed(functionsOf(contract(name).abi), "upgrade");
      await chain.called(key, address, functionDataOf(fn ?? assert.fail(), [parseAddress(second)]));
    }

    /** Waits until the row of the contract shows this implementation and a function of it. */
    async function shows(kind: string, implementation: string, name: string): Promise<void> {
      await inView(`Proxy: → ${shortAddress(parseAddress(implementation))} · ${kind}`).waitFor();
      await inView(`${name}(`).waitFor();
    }

    for (const [kind, name] of [
      ["EIP-1967", "SlotProxy"],
      ["EIP-1967, beacon", "BeaconProxy"],
      ["EIP-1822", "ProxiableProxy"],
    ] as const)
      it(`shows the functions of the next implementation of ${kind} while its row is open`, async () => {
        const upgraded = name === "BeaconProxy" ? "Beacon" : name;
        const target = await deployed(upgraded, first);
        const proxy = upgraded === name ? target : await deployed(name, target);
        await addContract(proxy, `My${name}`);
        await inView(`My${name}, `).click();
        await inView("Call, ").click();
        await shows(kind, first, "brew");

        await upgrade(upgraded, target);

        await shows(kind, second, "pour");
        await inView("brew(").waitFor({ state: "detached" });
        if (name === "BeaconProxy") await takePicture(workbench.page, "contracts-view-proxy");
        await inView(`My${name}, `).click();
        // The hover of the row would cover the next one.
        await workbench.page.mouse.move(0, 0);
      });

    it("shows the functions of the target of EIP-1167", async () => {
      const target = parseAddress(first).slice(2);
      const runtime = `363d3d373d3d3d363d73${target}5af43d82803e903d91602b57fd5bf3`;
      const clone = await chain.deployed(key, { abi: "[]", bytecode: returning(runtime), name: "Clone" });
      await addContract(clone, "MyClone");
      await inView("MyClone, ").click();
      await inView("Call, ").click();

      await shows("EIP-1167", first, "brew");
    });
  });
});
