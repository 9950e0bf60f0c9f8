import assert from "node:assert/strict";
import { endSuiteAtFirstFailure } from "../support/workbench/failed-screen.ts";
import { stepInput } from "../support/workbench/quick-input.ts";
import { type OpenWorkbench, openWorkbench } from "../support/workbench/workbench.ts";
import { chooseTheme } from "./choose-theme.ts";
import { dialogOf, rowOf } from "./pay-by-hand.ts";

const FINAL_WITHIN_MS = 60_000;
const FAST_CHAIN = { "finality.localChain.blockTime": 300 };
const STRANGER = "TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp";

describe("permissions, by keyboard alone", function () {
  this.timeout(240_000);
  let workbench: OpenWorkbench;

  endSuiteAtFirstFailure();

  before(async () => {
    workbench = await openWorkbench({ settings: FAST_CHAIN });
    await workbench.showFinality();
    await workbench.runCommand("Finality: Start Local Chain");
    await rowOf(workbench.page, "Alice").waitFor();
    await chooseTheme(workbench.page, "dark");
  });

  after(async () => {
    await workbench.close();
  });

  /** Types into a step, and takes the row that is found. */
  async function choose(placeholder: string, text: string, row = text): Promise<void> {
    const { page } = workbench;
    await stepInput(page, placeholder).waitFor();
    await page.keyboard.type(text);
    await page.locator(".quick-input-list .monaco-list-row.focused", { hasText: row }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** Takes the weight that a new key begins with. */
  async function takeWeight(prompt: string): Promise<void> {
    const { page } = workbench;
    await page.locator(".quick-input-message", { hasText: prompt }).waitFor();
    await page.keyboard.press("Enter");
  }

  /** Types a number over the one that stands there, and reads who could act with it. */
  async function typeNumber(prompt: RegExp, number: string, hint: RegExp): Promise<void> {
    const { page } = workbench;
    await page.locator(".quick-input-message", { hasText: prompt }).waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type(number);
    await page.locator(".quick-input-message", { hasText: hint }).waitFor();
    await page.keyboard.press("Enter");
  }

  async function review(picture: string, lines: readonly RegExp[], button = "Sign and Send"): Promise<string> {
    const { page, screenshot } = workbench;
    await dialogOf(page).getByRole("button", { name: button, exact: true }).waitFor();
    const text = await dialogOf(page).innerText();
    await screenshot(picture);
    for (const line of lines) assert.match(text, line);
    return text;
  }

  async function signWithEnter(): Promise<void> {
    await workbench.page.keyboard.press("Enter");
    await dialogOf(workbench.page).waitFor({ state: "detached" });
  }

  async function final(label: string): Promise<void> {
    await rowOf(workbench.page, `${label}. Final, successful`).waitFor({ timeout: FINAL_WITHIN_MS });
  }

  const LIST = "Which permission?";
  const EDIT = "What to change?";

  it("lets Bob decide together with Alice, and Carol pay, and says who could before and afterwards", async () => {
    const { page, runCommand, screenshot } = workbench;
    await runCommand("Finality: Edit Permissions…");
    await choose("Whose permissions?", "Alice");
    await choose(LIST, "Everything");
    await choose(EDIT, "Add a Key");
    await choose("Whose key?", "Bob");
    await takeWeight("How much does Bob weigh?");
    await choose(EDIT, "Threshold");
    await typeNumber(/How much weight signs\?/, "2", /Then it is signed by Alice and Bob together/);
    await choose(EDIT, "Done");
    await choose(LIST, "active", "“active” (2)");
    await choose(EDIT, "Rename");
    await stepInput(page, "payments").waitFor();
    await page.keyboard.press("Control+A");
    await page.keyboard.type("till");
    await page.keyboard.press("Enter");
    await choose(EDIT, "Add a Key");
    await choose("Whose key?", "Carol");
    await takeWeight("How much does Carol weigh?");
    await choose(EDIT, "Operations");
    await choose("What may its keys do?", "Payments");
    await stepInput(page, EDIT).waitFor();
    await screenshot("permissions-edit-one");
    await choose(EDIT, "Done");
    await stepInput(page, LIST).waitFor();
    await screenshot("permissions-edit");
    await choose(LIST, "Review and Sign");

    await review("permissions-review", [
      /Change who decides over the account\?/,
      /Everything \(owner\)\n\s*before: Alice alone\n\s*after: Alice and Bob together/,
      /Active “till” \(2\)\n\s*was “active” \(2\)\n\s*before: Alice alone\n\s*after: each of Alice and Carol, alone/,
      /allows: payments/,
      /Costs: 100 \(\d+ bytes of free bandwidth \+ 100 to change permissions\)/,
    ]);
    await signWithEnter();
    await final("Change permissions");
  });

  it("asks by which permission to pay, names who signs, and shows who has, in each theme", async () => {
    await payBy("owner", "7", [
      /Signed by: Alice and Bob, by the permission owner \(0\), weight 2 of 2 \(2 signatures\)/,
      /1 for several signatures/,
    ]);
    await readLists("dark");
    await chooseTheme(workbench.page, "light");
    await payBy("till", "8", [/Signed by: Alice, by the permission “till” \(2\), weight 1 of 1/]);
    await readLists("light");
  });

  async function payBy(permission: string, coins: string, lines: readonly RegExp[]): Promise<void> {
    const { page, runCommand, screenshot } = workbench;
    await runCommand("Finality: Send Coins…");
    await choose("From which account?", "Alice");
    await choose("To whom?", "Dave");
    await stepInput(page, "1.5").waitFor();
    await page.keyboard.type(coins);
    await page.locator(".quick-input-message", { hasText: "sun" }).waitFor();
    await page.keyboard.press("Enter");
    await stepInput(page, "Sign by which permission?").waitFor();
    await screenshot(`permissions-choose-${permission}`);
    await choose("Sign by which permission?", permission);
    await review(`permissions-signers-${permission}`, lines);
    await signWithEnter();
    await final(`${coins} to Dave`);
  }

  /** Reads both lists as they stand in a theme. */
  async function readLists(theme: string): Promise<void> {
    const { page, runCommand, screenshot } = workbench;
    const list = page.locator(".quick-input-list");
    await runCommand("Finality: Show Permissions…");
    await choose("Whose permissions?", "Alice");
    await list.locator(".monaco-list-row", { hasText: "Threshold 2" }).waitFor();
    const text = await list.innerText();
    assert.match(text, /Everything: owner \(0\)/);
    assert.match(text, /Active: “till” \(2\)/);
    await screenshot(`permissions-shown-${theme}`);
    await page.keyboard.press("Escape");

    await runCommand("Finality: Show Signatures…");
    await list.locator(".monaco-list-row", { hasText: "7 → Dave" }).waitFor();
    await page.keyboard.type("7 → Dave");
    await list.locator(".monaco-list-row.focused", { hasText: "7 → Dave" }).waitFor();
    await page.keyboard.press("Enter");
    await list.locator(".monaco-list-row", { hasText: "Enough: weight 2 of 2" }).waitFor();
    assert.match(await list.innerText(), /The node says: it is enough\./);
    await screenshot(`permissions-signatures-${theme}`);
    await page.keyboard.press("Escape");
  }

  it("is refused to lock the account out until that is typed, and then with the harmless button first", async () => {
    const { page, runCommand, screenshot } = workbench;
    await runCommand("Finality: Edit Permissions…");
    await choose("Whose permissions?", "Dave");
    await choose(LIST, "Everything");
    await choose(EDIT, "Add a Key");
    await choose("Whose key?", STRANGER, "This address");
    await typeNumber(/weigh\?/, "2", /TWAFR\w+ \(no key here\)/);
    await choose(EDIT, "Threshold");
    await typeNumber(/How much weight signs\?/, "2", /TWAFR\w+ \(no key here\) alone/);
    await choose(EDIT, "Done");
    await screenshot("permissions-edit-light");
    await choose(LIST, "Review and Sign");

    await review("permissions-lock-out", [/would weigh 1 of the 2/, /nobody but TWAFR\w+/], "Type It…");
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
    await signWithEnter();
    assert.equal(await rowOf(page, "Change permissions. Final").count(), 1);
  });
});
