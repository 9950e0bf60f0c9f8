import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FrameLocator, Page } from "playwright-core";
import type { PrivateKey } from "../../packages/tron/src/transaction/signature.ts";
import type { ChainBeside } from "../support/chain/chain-beside.ts";
import {
  answer,
  choose,
  chooseInStep,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  stepInput,
} from "../support/workbench/workbench.ts";
import { acceptByEnter, addressOf, chainBeside, readReview } from "./local-flow.ts";
import { openFile } from "./open-file.ts";
import { chooseInMenu, dialogOf, rowOf } from "./pay-by-hand.ts";
import { takeBothPictures } from "./pictures.ts";
import { shareLocalChain } from "./shared-workbench.ts";
import { findBarriers, timelinePage } from "./timeline-page.ts";

const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
/** Emits `Transfer(caller, first argument, second argument)` for every call. */
const CODE = `602435600052600435337f${TRANSFER}60206000a300`;
const ABI = [
  {
    type: "Event",
    name: "Transfer",
    inputs: [
      { name: "from", type: "address", indexed: true },
      { name: "to", type: "address", indexed: true },
      { name: "value", type: "uint256" },
    ],
  },
];
const MESSAGE = "Sign in to the shop";
const UNLIMITED = ((1n << 256n) - 1n).toString();

const word = (text: string): string => text.padStart(64, "0");

describe("events and signatures of messages", function () {
  this.timeout(180_000);
  let workbench: OpenWorkbench;
  let page: Page;
  let beside: ChainBeside;
  let key: PrivateKey;
  let contract: string;
  let signature: string;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareLocalChain();
    ({ page } = workbench);
    beside = await chainBeside(workbench);
    key = await beside.keyAt(0);
    const bytecode = `60${(CODE.length / 2).toString(16)}80600b6000396000f3${CODE}`;
    contract = await beside.deployed(key, { name: "Shop", bytecode, abi: JSON.stringify(ABI) });
  });

  const emit = (to: string, value: number) =>
    beside.called(key, contract, `a9059cbb${word(to.repeat(20))}${word(value.toString(16))}`);
  const shown = (): FrameLocator => timelinePage(page);
  const count = (text: string) => shown().locator(".count", { hasText: text }).waitFor();

  it("watches events by keyboard, and filters their page by event, argument and text", async () => {
    await workbench.runCommand("Finality: Watch Events…");
    await choose(page, "Watch events of which contract?", contract, "This address");
    await choose(page, "Which events?", "All events");
    await stepInput(page, "new blocks").press("Enter");
    await rowOf(page, "0 events. watching").waitFor();
    for (const value of [5, 6, 700]) await emit("22", value);
    await beside.ask("local/mine", { blocks: 30 });
    await rowOf(page, "3 events").waitFor();

    await workbench.runCommand("Finality: Show Events");
    await count("3 of 3 events");
    const grid = shown().getByRole("grid");
    await grid.press("End");
    await shown().locator('[aria-selected="true"]', { hasText: "value: 5" }).waitFor();
    await shown().getByRole("searchbox").fill("value: 700");
    await count("1 of 3 events");
    assert.match(await shown().locator(".details").innerText(), /value[\s\S]*700/);
    await takeBothPictures(page, "events-page");
    assert.deepEqual(await findBarriers(page), []);
  });

  it("opens the transaction of an event, stops and resumes the watch by mouse, and finds what was missed", async () => {
    await shown().getByRole("searchbox").fill("");
    await shown().getByLabel("Event", { exact: true }).selectOption("Transfer");
    await shown()
      .getByRole("button", { name: /^Stop:/ })
      .click();
    await shown().locator(".status", { hasText: "stopped" }).waitFor();
    await emit("33", 8);
    await beside.ask("local/mine", { blocks: 30 });
    await shown()
      .getByRole("button", { name: /^Resume:/ })
      .click();
    await count("4 of 4 events");
    const link = shown().locator(".row .of-tx button").first();
    const txId = await link.innerText();
    await link.click();
    await shown().locator("dd", { hasText: txId }).first().waitFor({ state: "attached" });
  });

  it("signs a message by keyboard after its review", async () => {
    await workbench.runCommand("Finality: Sign Message…");
    await choose(page, "Which account?", "Alice");
    await page.locator(".quick-input-message", { hasText: "The message." }).waitFor();
    await page.locator(".quick-input-widget input").fill(MESSAGE);
    await page.keyboard.press("Enter");
    await readReview(page, "Sign", [/Sign this message\?/, /names no chain/, new RegExp(MESSAGE)]);
    await takeBothPictures(page, "message-review");
    await acceptByEnter(page);
    signature = await signedText();
  });

  it("names an unlimited permit in the review of typed data, and signs it by mouse", async () => {
    const { blockID } = await beside.ask("wallet/getblockbynum", { num: 0 });
    const chainId = BigInt(`0x${String(blockID).slice(-8)}`).toString();
    const alice = await addressOf(page, "Alice");
    writeFileSync(join(workbench.folder, "permit.json"), permitOf(alice, { chainId, contract }));
    await openFile(page, "permit.json");
    await chooseInMenu(rowOf(page, "Alice, "), "Sign Typed Data…", stepInput(page, "Where is the typed data?"));
    await chooseInStep(page, "Where is the typed data?", "From the Active Editor");
    await readReview(page, "Sign", [/⚠ Unlimited: .* can take every token/, /Let .* take every token/]);
    await takeBothPictures(page, "permit-review");
    await dialogOf(page).getByRole("button", { name: "Sign", exact: true }).click();
    assert.notEqual(await signedText(), signature);
  });

  it("verifies a signature by the account", async () => {
    await workbench.runCommand("Finality: Verify Signature…");
    await choose(page, "What was signed?", "Message");
    await answer(page, "The message.", MESSAGE);
    await answer(page, "The signature in hex", signature);
    await answer(page, "The account or contract that has to have signed", "Alice");
    await page.locator(".notification-list-item", { hasText: "Valid: Alice signed." }).first().waitFor();
  });

  /** Returns the signature of the newest notification, and closes it. */
  async function signedText(): Promise<string> {
    const notice = page.locator(".notifications-toasts .notification-list-item", { hasText: "Signed: 0x" });
    const text = await notice.first().innerText();
    await workbench.runCommand("Notifications: Clear All Notifications");
    return /0x[0-9a-f]{130}/.exec(text)?.[0] ?? assert.fail(text);
  }
});

/** Returns a permit (TRC-2612) without a limit, for an hour. */
function permitOf(
  owner: string,
  { chainId, contract }: { readonly chainId: string; readonly contract: string },
): string {
  const uint = (name: string) => ({ name, type: "uint256" });
  const address = (name: string) => ({ name, type: "address" });
  const spender = `0x${"5e".repeat(20)}`;
  const deadline = String(Math.floor(Date.now() / 1_000) + 3_600);
  return JSON.stringify({
    types: {
      EIP712Domain: [{ name: "name", type: "string" }, uint("chainId"), address("verifyingContract")],
      Permit: [address("owner"), address("spender"), uint("value"), uint("nonce"), uint("deadline")],
    },
    primaryType: "Permit",
    domain: { name: "Shop", chainId, verifyingContract: contract },
    message: { owner, spender, value: UNLIMITED, nonce: "0", deadline },
  });
}
