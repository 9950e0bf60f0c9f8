import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { encodeErrorResult, parseAbi } from "viem";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { type OpenWorkbench, openWorkbench, tryAgain } from "../support/workbench/workbench.ts";
import { barriersIn } from "./barriers.ts";
import { chooseTheme, THEMES, type ThemeName } from "./choose-theme.ts";
import { networkSettings } from "./network-settings.ts";
import { openFile } from "./open-file.ts";
import { accountOf, beginImport, dialogOf, mine, rowOf } from "./pay-by-hand.ts";
import { takePicture } from "./pictures.ts";
import { askChain, type ChainProxy, isBroadcast, openProxy } from "./proxy.ts";
import { terminalOf } from "./terminal.ts";
import { findBarriers, focusOn, timelinePage } from "./timeline-page.ts";

/** Printed failures by the text of their link: hex of nodes, and messages of TronBox and Hardhat. */
const PRINTED: ReadonlyMap<string, string> = new Map([
  ["A transaction's id, or another 32-byte hash", `txID: ${"92f11ec5".repeat(8)}`],
  ["Not enough signatures", `message: ${Buffer.from("Validate signature error: sig error").toString("hex")}`],
  ["Reverted: Too late", encodeErrorResult({ abi: parseAbi(["error Error(string)"]), args: ["Too late"] })],
  ["The account does not exist", "TronBox: Error: Contract validate error : account does not exist"],
  ["Reverted: Not owner", "Error: VM Exception while processing transaction: reverted with reason string 'Not owner'"],
]);

/** A test that fails as tests of contracts do: with the answer of the node in its message. */
function failingTest(answer: string): string {
  return `it("pays", () => { throw new Error(${JSON.stringify(answer)}); });\n`;
}

describe("broadcast error by keyboard", function () {
  this.timeout(180_000);
  let chain: LocalChain;
  let proxy: ChainProxy;
  let workbench: OpenWorkbench;
  let folder: string;
  let dataDir: string;
  let page: Page;
  let isPoor = true;
  let answer = "";

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0 });
    await mine(chain, 10);
    await local("snapshot", { id: "poor" });
    await fundAlice();
    proxy = await openProxy(async (asked) => {
      if (!isBroadcast(asked.path)) return await askChain(chain.baseUrl, asked);
      // The coins go between the signature and the broadcast: the refusal is the chain's own.
      if (isPoor) await local("restore", { id: "poor", transactions: [] });
      const said = await askChain(chain.baseUrl, asked);
      answer ||= said?.text.trim() ?? "";
      return said;
    });
    workbench = await openWorkbench({
      settings: {
        ...networkSettings("Harbour", proxy.url),
        "finality.transaction.expirySeconds": 600,
        "editor.wordWrap": "on",
        "editor.minimap.enabled": false,
        "terminal.integrated.defaultProfile.linux": "bash",
        "workbench.hover.delay": 30,
        // One test writes settings where other editors are.
        "workbench.editor.useModal": "off",
      },
    });
    ({ page, folder, dataDir } = workbench);
    // So wide that a hover does not cover the decoder.
    await page.setViewportSize({ width: 1_600, height: 960 });
  });

  after(async () => {
    await workbench.close();
    await proxy.close();
    await chain.close();
  });

  const local = (what: string, body: object): Promise<Response> =>
    fetch(new URL(`/local/${what}`, chain.baseUrl), { method: "POST", body: JSON.stringify(body) });
  const fundAlice = () => local("fund", { address: accountOf(chain, 0).address, amount: "5000000000", mine: true });
  const decoder = () => timelinePage(page);
  const hover = (): Locator => page.locator(".monaco-editor .monaco-hover:visible");
  const notices = (): Locator => page.locator(".notification-list-item");
  const offer = (): Locator => notices().filter({ hasText: "A command ended" });

  /** Writes a setting of the user as a person does: the workbench takes it up when it is saved. */
  async function writeSetting(name: string, value: boolean): Promise<void> {
    const file = join(dataDir, "server", "data", "User", "settings.json");
    const settings = JSON.parse(readFileSync(file, "utf8")) as object;
    await workbench.runCommand("Preferences: Open User Settings (JSON)");
    await page.locator(".tab.active", { hasText: "settings.json" }).waitFor();
    await page.locator(".monaco-editor.focused .view-line", { hasText: "finality.activeNetwork" }).waitFor();
    await press("Control+a");
    await page.keyboard.insertText(JSON.stringify({ ...settings, [name]: value }));
    await press("Control+s");
    await page.locator(".tab.active:not(.dirty)", { hasText: "settings.json" }).waitFor();
    await press("Control+w");
  }

  let commands = 0;
  const ended = (): string => join(dataDir, `command-${++commands}`);

  async function press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await page.keyboard.press(key);
  }

  /** Answers the question that is asked now, by keyboard. */
  async function say(question: Locator, words: string): Promise<void> {
    await question.waitFor();
    await page.keyboard.insertText(words);
    await press("Enter");
  }
  const field = (selector: string): Locator => page.locator(`.quick-input-widget input${selector}`);
  const choice = (words: string): Locator => page.locator(".quick-input-list .monaco-list-row", { hasText: words });
  const focusedChoice = (words: string): Locator =>
    page.locator(".quick-input-list .monaco-list-row.focused", { hasText: words });
  const asked = (words: string): Locator => page.locator(".quick-input-message", { hasText: words });

  async function openLog(): Promise<void> {
    await openFile(page, "deploy.log");
    await page.locator(".monaco-editor.focused .view-line", { hasText: "supplier" }).waitFor();
  }

  async function hoverOverAnswer(): Promise<void> {
    await press("Control+Home", "ArrowDown", "Home", ...Array<string>(12).fill("ArrowRight"), "Control+k", "Control+i");
    await hover().getByText("Balance is not sufficient").first().waitFor();
  }

  const insideHover = (): Locator => page.locator(".monaco-editor .monaco-hover:visible:focus, .hover-row:focus");
  const toDecoder = (): Locator => hover().locator("a:focus", { hasText: "Open in Decoder" });

  /** The same keys again go into the hover, to all of it or to its row; one that still grows does not take them. */
  async function focusDecoderLink(timeout: number): Promise<void> {
    await hoverOverAnswer();
    await press("Control+k", "Control+i");
    await insideHover().first().waitFor({ timeout });
    for (let tabs = 0; tabs < 3 && (await toDecoder().count()) === 0; tabs++) await press("Tab");
    await toDecoder().waitFor({ timeout });
  }

  /** The key shows the terminal, and hides the one that has the focus: then it is pressed again. */
  async function focusTerminal(): Promise<void> {
    const focusedOne = page.locator(".terminal-wrapper.active .xterm.focus");
    await tryAgain(page, async (timeout) => {
      if ((await focusedOne.count()) === 0) await press("Control+Backquote");
      await focusedOne.waitFor({ timeout });
    });
  }

  async function pointAtAnswer(): Promise<{ x: number; y: number }> {
    const place = await terminalOf(page).point(2, 30);
    await terminalOf(page).rest(place);
    return place;
  }

  it("starts with a payment that the node refuses", async () => {
    await workbench.showFinality();
    await beginImport(workbench);
    await say(choice("64 hex digits"), "Private Key");
    await say(field('[type="password"]'), accountOf(chain, 0).privateKey);
    await say(asked("name"), "Alice");
    await page.locator(".quick-input-widget").waitFor({ state: "hidden" });
    await workbench.runCommand("Finality: Send Coins…");
    await field('[placeholder^="From which"]').waitFor();
    await say(choice("Alice"), "Alice");
    await field('[placeholder^="Recipient"]').waitFor();
    await page.keyboard.insertText(accountOf(chain, 1).address);
    await focusedChoice(accountOf(chain, 1).address).waitFor();
    await press("Enter");
    await say(field('[placeholder="1.5"]'), "12000");
    await dialogOf(page).waitFor();
    await press("Enter");

    await rowOf(page, "Rejected before the pool: balance is not sufficient").waitFor();
    const log = ["12:00:01 paying the supplier", answer, ""];
    writeFileSync(join(folder, "deploy.log"), log.join("\n"));
    await press("Control+b");
  });

  it("explains the error in a hover with the remaining validity of the same bytes", async () => {
    await openLog();
    await hoverOverAnswer();

    await workbench.screenshot("broadcast-hover");
    const text = await hover().filter({ hasText: "Send Same Bytes Again" }).innerText();

    assert.match(text, /^Balance is not sufficient/);
    assert.match(text, /Why:.*cannot pay/);
    assert.match(text, /Fix: Top up/);
    assert.match(text, /valid for [\d]+ (s|min) more/);
    assert.match(text, /Open in Decoder.*Send Same Bytes Again/);
  });

  it("opens the decoder from the hover, which does not cover it", async () => {
    // A hover that is drawn again, for another part of it has come, forgets where its focus was.
    await tryAgain(page, focusDecoderLink);
    await press("Enter");
    await decoder().locator(".standing", { hasText: "Refused" }).waitFor();

    await hover().waitFor({ state: "hidden" });
    assert.equal(await decoder().locator(".origin").innerText(), "from deploy.log");
    await focusOn(page, "text");
    assert.match(await decoder().locator(".verdict").innerText(), /may be sent again, but not yet/);
  });

  it("links the error in a terminal, with its cause in the tooltip", async () => {
    const terminal = terminalOf(page);
    await terminal.open();
    await terminal.runFirst("cat deploy.log");
    await pointAtAnswer();

    assert.match(await terminal.tooltip().innerText(), /^Balance\sis\snot\ssufficient\.\sTop\sup/);
  });

  for (const theme of Object.keys(THEMES) as ThemeName[]) {
    it(`is clear in hover, terminal and decoder in the theme ${THEMES[theme].label}`, async () => {
      await chooseTheme(page, theme);
      await pointAtAnswer();
      await press("Control+1");
      await page.locator(".monaco-editor.focused").waitFor();
      await hoverOverAnswer();
      const barriers = [...(await barriersIn(page, [".monaco-hover-content"])), ...(await findBarriers(page))];

      await takePicture(page, `broadcast-error-${theme}`);
      await press("Escape");
      assert.deepEqual(barriers, []);
    });
  }

  it("opens the error from the terminal by keyboard without changing the clipboard", async () => {
    await page.evaluate("navigator.clipboard.writeText('mine')");
    await decoder().locator("textarea").fill("");
    await decoder().locator(".example").first().waitFor();

    await workbench.runCommand("Finality: Decode Last Terminal Output");
    await decoder().locator(".standing", { hasText: "Refused" }).waitFor();

    assert.equal(await decoder().locator(".origin").innerText(), "from terminal");
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), "mine");
  });

  it("opens the error from the terminal on click", async () => {
    await decoder().locator("textarea").fill("");
    await decoder().locator(".example").first().waitFor();
    const { x, y } = await pointAtAnswer();

    await page.keyboard.down("Control");
    await page.mouse.click(x, y);
    await page.keyboard.up("Control");

    await decoder().locator(".standing", { hasText: "Refused" }).waitFor();
    assert.equal(await decoder().locator(".origin").innerText(), "from terminal");
  });

  it("links errors in the output of mocha, TronBox and Hardhat", async () => {
    const mocha = createRequire(import.meta.url).resolve("mocha/bin/mocha.js");
    writeFileSync(join(folder, "pay.cjs"), failingTest(answer));
    writeFileSync(join(folder, "printed.txt"), `${[...PRINTED.values()].join("\n")}\n`);
    await focusTerminal();
    for (const [command, links] of [
      [`clear; node ${mocha} --no-config pay.cjs`, ["Balance is not sufficient"]],
      ["clear; cat printed.txt", [...PRINTED.keys()]],
    ] as const) {
      await terminalOf(page).run(command, ended());
      const titles = await terminalOf(page).linkTitles(links.length);
      await workbench.screenshot(`terminal-tools-${links.length}`);
      assert.deepEqual([...titles].sort(), [...links].sort());
    }
  });

  /** Prints the answer in the terminal and opens the notifications, where those stay that were drawn before. */
  async function printAnswer(): Promise<void> {
    await focusTerminal();
    await terminalOf(page).run("cat deploy.log", ended());
    await workbench.runCommand("Notifications: Show Notifications");
    await notices().filter({ hasText: "Alice signs for" }).waitFor();
  }

  it("offers the explanation after a failed command only when the setting is on", async () => {
    await printAnswer();
    assert.equal(await offer().count(), 0);
    await press("Escape");
    await writeSetting("finality.decode.watchTerminal", true);
    await decoder().locator("textarea").fill("");
    await decoder().locator(".example").first().waitFor();

    // A command that begins before the extension has heard of the setting is not watched.
    await tryAgain(page, async (timeout) => {
      await printAnswer();
      await offer().waitFor({ timeout });
    });
    await workbench.screenshot("terminal-offer");
    assert.match(await offer().innerText(), /A command ended with a failed transaction: Balance is not sufficient\./);
    await press("Escape");
    await workbench.runCommand("Notifications: Accept Notification Primary Action");
    await decoder().locator(".standing", { hasText: "Refused" }).waitFor();
  });

  it("funds the account, sends the same bytes again from the decoder and reaches final", async () => {
    isPoor = false;
    await fundAlice();
    await tryAgain(page, async (timeout) => {
      await workbench.runCommand("View: Focus First Editor Group");
      await page.locator(".monaco-editor.focused").waitFor({ timeout });
    });
    await workbench.runCommand("Finality: Open Decoder");
    await decoder().locator("textarea:focus").waitFor();
    await press("Tab");
    await focusOn(page, "act Send Same Bytes Again");
    await press("Enter");
    await decoder().locator(".standing", { hasText: "Accepted" }).waitFor();
    await mine(chain, 30);

    await decoder()
      .locator(".standing", { hasText: /Final in block/ })
      .waitFor();
    assert.match(await decoder().locator(".verdict").innerText(), /^Nothing to do\nIt is final/);
    await decoder().getByText("No action is needed.").waitFor();
    await workbench.screenshot("broadcast-final");
  });
});
