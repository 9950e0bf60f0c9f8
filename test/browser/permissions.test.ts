import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import {
  choose,
  countAndRead,
  endSuiteAtFirstFailure,
  type OpenWorkbench,
  pick,
  stepInput,
  typeAndRead,
} from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { acceptByEnter, chainBeside, readReview, untilFinal } from "./local-flow.ts";
import { rowOf } from "./pay-by-hand.ts";
import { shareLocalChain } from "./shared-workbench.ts";

const DAY_MS = 86_400_000;
const STRANGER = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";

describe("permissions by keyboard", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;
  let page: Page;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await shareLocalChain();
    ({ page } = workbench);
    // Whatever was sent before, the accounts have their free bandwidth again.
    const chain = await chainBeside(workbench);
    await chain.ask("local/warp", { ms: DAY_MS });
    await chooseTheme(page, "dark");
  });

  /** Takes the weight that a new key begins with. */
  async function takeWeight(prompt: string): Promise<void> {
    await page.locator(".quick-input-message", { hasText: prompt }).waitFor();
    await page.keyboard.press("Enter");
  }

  async function review(picture: string, lines: readonly RegExp[], button = "Sign and Send"): Promise<void> {
    await readReview(page, button, lines);
    await workbench.screenshot(picture);
  }

  const LIST = "Which permission?";
  const EDIT = "What to change?";

  it("adds Bob to the owner permission and Carol to an active one, and shows the signers before and after", async () => {
    const { runCommand, screenshot } = workbench;
    await runCommand("Finality: Edit Permissions…");
    await choose(page, "Permissions of which account?", "Alice");
    await choose(page, LIST, "Everything");
    await choose(page, EDIT, "Add a Key");
    await choose(page, "Which key?", "Bob");
    await takeWeight("Weight of Bob?");
    await choose(page, EDIT, "Threshold");
    await countAndRead(page, /Threshold\?/, "2", /It is then signed by Alice and Bob together/);
    await choose(page, EDIT, "Done");
    await choose(page, LIST, "active", "“active” (2)");
    await choose(page, EDIT, "Rename");
    await stepInput(page, "payments").waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("till");
    await page.keyboard.press("Enter");
    await choose(page, EDIT, "Add a Key");
    await choose(page, "Which key?", "Carol");
    await takeWeight("Weight of Carol?");
    await choose(page, EDIT, "Operations");
    await choose(page, "Allowed operations?", "Payments");
    await stepInput(page, EDIT).waitFor();
    await screenshot("permissions-edit-one");
    await choose(page, EDIT, "Done");
    await stepInput(page, LIST).waitFor();
    await screenshot("permissions-edit");
    await choose(page, LIST, "Review and Sign");

    await review("permissions-review", [
      /Change the permissions of the account\?/,
      /Everything \(owner\)\n\s*before: Alice alone\n\s*after: Alice and Bob together/,
      /Active “till” \(2\)\n\s*was “active” \(2\)\n\s*before: Alice alone\n\s*after: each of Alice and Carol, alone/,
      /allows: payments/,
      /Costs: 100 coins \(\d+ bytes of free bandwidth \+ 100 coins to change permissions\)/,
    ]);
    await acceptByEnter(page);
    await untilFinal(page, "Change permissions");
  });

  it("prompts for the permission, names the signers in the review and lists all permissions, in each theme", async () => {
    await payBy("owner", "7", [
      /Signed by: Alice and Bob, by the permission owner \(0\), weight 2 of 2 \(2 signatures\)/,
      /1 coin for several signatures/,
    ]);
    await readLists("dark");
    await chooseTheme(page, "light");
    await payBy("till", "8", [/Signed by: Alice, by the permission “till” \(2\), weight 1 of 1/]);
    await readLists("light");
  });

  async function payBy(permission: string, coins: string, lines: readonly RegExp[]): Promise<void> {
    const { runCommand, screenshot } = workbench;
    await runCommand("Finality: Send Coins…");
    await choose(page, "From which account?", "Alice");
    await choose(page, "Recipient?", "Dave");
    await typeAndRead(page, "1.5", coins, /sun/);
    await stepInput(page, "Sign with which permission?").waitFor();
    await screenshot(`permissions-choose-${permission}`);
    await choose(page, "Sign with which permission?", permission);
    await review(`permissions-signers-${permission}`, lines);
    await acceptByEnter(page);
    await untilFinal(page, `${coins} coins to Dave`);
  }

  /** Reads both lists as they stand in a theme. */
  async function readLists(theme: string): Promise<void> {
    const { runCommand, screenshot } = workbench;
    const list = page.locator(".quick-input-list");
    await runCommand("Finality: Show Permissions…");
    await choose(page, "Permissions of which account?", "Alice");
    await list.locator(".monaco-list-row", { hasText: "Threshold 2" }).waitFor();
    const text = await list.innerText();
    assert.match(text, /Everything: owner \(0\)/);
    assert.match(text, /Active: “till” \(2\)/);
    await screenshot(`permissions-shown-${theme}`);
    await page.keyboard.press("Escape");

    await runCommand("Finality: Show Signatures…");
    await pick(page, "7 coins → Dave");
    await list.locator(".monaco-list-row", { hasText: "Enough: weight 2 of 2" }).waitFor();
    assert.match(await list.innerText(), /Answer of the node: it is enough\./);
    await screenshot(`permissions-signatures-${theme}`);
    await page.keyboard.press("Escape");
  }

  it("requires a typed confirmation to lock the account out, with the safe button first", async () => {
    const { runCommand, screenshot } = workbench;
    await runCommand("Finality: Edit Permissions…");
    await choose(page, "Permissions of which account?", "Dave");
    await choose(page, LIST, "Everything");
    await choose(page, EDIT, "Add a Key");
    await choose(page, "Which key?", STRANGER, "This address");
    await countAndRead(page, /Weight of /, "2", /TWAFR\w+ \(no key here\)/);
    await choose(page, EDIT, "Threshold");
    await countAndRead(page, /Threshold\?/, "2", /TWAFR\w+ \(no key here\) alone/);
    await choose(page, EDIT, "Done");
    await screenshot("permissions-edit-light");
    await choose(page, LIST, "Review and Sign");

    await review("permissions-lock-out", [/would have a weight of 1 of the 2/, /only TWAFR\w+/], "Type Confirmation…");
    await page.keyboard.press("Enter");
    await stepInput(page, "LOCK OUT").waitFor();
    await page.keyboard.type("lock out");
    await page.locator(".quick-input-message", { hasText: "This is not LOCK OUT." }).waitFor();
    await screenshot("permissions-lock-out-typed");
    await page.keyboard.press("Control+A");
    await page.keyboard.type("LOCK OUT");
    await page.locator(".quick-input-message", { hasText: "The review comes next." }).waitFor();
    await page.keyboard.press("Enter");
    await review("permissions-lock-out-review", [/⚠ This locks you out/], "Do Not Send");
    await acceptByEnter(page);
    assert.equal(await rowOf(page, "Change permissions. Final").count(), 1);
  });
});
