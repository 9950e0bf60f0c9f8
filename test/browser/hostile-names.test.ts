import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { toBase58 } from "../../packages/tron/src/primitives/address.ts";
import { hexToBytes, transactionId } from "../../packages/tron/src/primitives/bytes.ts";
import { type PrivateKey, signTransactionId } from "../../packages/tron/src/transaction/signature.ts";
import { returning } from "../support/chain/contract-fixture.ts";
import { chooseInStep, type OpenWorkbench, openWorkbench, typeInStep } from "../support/workbench/workbench.ts";
import { submitForm } from "./argument-form.ts";
import { networkSettings } from "./network-settings.ts";
import { accountOf, askForPayment, dialogOf, importAlice, mine } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";
import { timelinePage } from "./timeline-page.ts";

const LINK = "[Click](command:finality.removeSigningKey?%7B%22confirmed%22%3Atrue%7D)";
const SENDS = "Sends: 9,000 coins";
/** ABI that the owner of the contract put on the chain. */
const ABI = [
  { type: "Function", stateMutability: "View", name: "greeting", inputs: [], outputs: [{ name: "", type: "string" }] },
  {
    type: "Function",
    stateMutability: "Nonpayable",
    name: `pay\n\nVerified against your request\n${SENDS}`,
    inputs: [{ name: `cups ${LINK}\n${SENDS}`, type: "uint256" }],
    outputs: [],
  },
];

/** A string as a contract gives it back. */
function encoded(text: string): string {
  const bytes = Buffer.from(text, "utf8").toString("hex");
  const word = (value: number): string => value.toString(16).padStart(64, "0");
  return word(32) + word(bytes.length / 2) + bytes.padEnd(Math.ceil(bytes.length / 64) * 64, "0");
}

describe("hostile contract on a real-money network", function () {
  this.timeout(240_000);
  let chain: LocalChain;
  let workbench: OpenWorkbench;
  let page: Page;
  let contract: string;

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0 });
    await mine(chain, 10);
    contract = await deploy();
    await mine(chain, 40);
    const [network] = networkSettings("Harbour", chain.baseUrl)["finality.networks"] as readonly object[];
    const settings = {
      ...networkSettings("Harbour", chain.baseUrl),
      "finality.networks": [{ ...network, production: true }],
    };
    workbench = await openWorkbench({ settings });
    ({ page } = workbench);
    await workbench.showFinality();
    await importAlice(workbench, chain);
  });

  after(async () => {
    await workbench.close();
    await chain.close();
  });

  async function ask(path: string, body: object): Promise<{ readonly [key: string]: unknown }> {
    const answer = await fetch(new URL(path, chain.baseUrl), { method: "POST", body: JSON.stringify(body) });
    return (await answer.json()) as { readonly [key: string]: unknown };
  }

  /** Code that answers every call with the link. @returns its address, base58 */
  async function deploy(): Promise<string> {
    const { hex: owner, privateKey } = accountOf(chain, 1);
    const built = await ask("/wallet/deploycontract", {
      owner_address: owner,
      abi: JSON.stringify(ABI),
      bytecode: returning(returning(encoded(LINK))),
      name: "Tea",
      fee_limit: 1_000_000_000,
      call_value: 0,
      consume_user_resource_percent: 100,
      origin_energy_limit: 10_000_000,
    });
    const id = transactionId(hexToBytes(String(built.raw_data_hex)));
    const signature = [signTransactionId(id, hexToBytes(privateKey) as PrivateKey)];
    await ask("/wallet/broadcasttransaction", { ...built, signature });
    return toBase58(String(built.contract_address) as never);
  }

  async function chooseFunction(command: string, name: string): Promise<void> {
    await workbench.runCommand(command);
    await typeInStep(page, "Which contract?", contract);
    await chooseInStep(page, "Which contract?", "This address");
    await chooseInStep(page, "Which function", name);
  }

  it("C1: shows a return value that looks like a command as text in the form", async () => {
    await chooseFunction("Finality: Read Contract…", "greeting");
    const form = timelinePage(page);
    const value = form.locator("td.value");
    await value.waitFor();

    assert.match((await value.textContent()) ?? "", /\[Click\]\(command:finality\.removeSigningKey/);
    assert.equal(await form.locator("a").count(), 0);
    await takePicture(page, "hostile-return-value");
  });

  it("H4, C1, L12: renders no review line and no link from its ABI, and Enter signs nothing", async () => {
    await chooseFunction("Finality: Call Contract…", "pay");
    const form = await submitForm(page, "Call", { cups: "4", "Fee limit": "100 coins" }, "Alice");
    assert.equal(await form.locator("a").count(), 0, "a name of the ABI is no link");
    const dialog = dialogOf(page);
    await dialog.waitFor();
    await takePicture(page, "hostile-abi-review");
    const lines = (await page.locator(".dialog-message-detail").innerText()).split("\n");

    assert.deepEqual(lines.slice(0, 3), [
      "Network: Harbour (real money)",
      "Sends: no coins",
      "Fee limit: 100 coins (100,000,000 sun)",
    ]);
    assert.match(lines[3] ?? "", new RegExp(`^Contract: ${contract}`));
    assert.deepEqual(
      lines.filter((line) => /^(Sends|Verified)/.test(line)).map((line) => line.replace(/\d+ of \d+/, "all")),
      ["Sends: no coins", "Verified: all fields match your request."],
    );
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.locator('.pane-body .monaco-list-row[aria-label*="pay"]').count(), 0, "nothing was signed");
  });

  it("L12: signs nothing on Enter in the review of a payment", async () => {
    await askForPayment(page, chain, "1");
    const first = dialogOf(page).locator(".monaco-button:focus");

    assert.equal(await first.textContent(), "Do Not Send");
    await takePicture(page, "real-money-review");
    await page.keyboard.press("Enter");
    await dialogOf(page).waitFor({ state: "detached" });
    assert.equal(await page.locator('.pane-body .monaco-list-row[aria-label^="1 coin to"]').count(), 0);
  });
});
