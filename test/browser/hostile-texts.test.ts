import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { errors, type Locator, type Page } from "playwright-core";
import { type LocalChain, startLocalChain } from "../../packages/local-chain/src/main.ts";
import { answerWith, HOSTILE_TEXTS, HUGE_TEXT } from "../support/failures/hostile-texts.ts";
import { type OpenWorkbench, openWorkbench, tryAgain } from "../support/workbench/workbench.ts";
import { networkSettings } from "./network-settings.ts";
import { openFile } from "./open-file.ts";
import { askForPayment, dialogOf, importAlice, mine, paymentRow } from "./pay-by-hand.ts";
import { answerOf, askChain, type ChainProxy, isBroadcast, openProxy } from "./proxy.ts";

const STEP_MS = 60_000;
const TOOLTIP_MS = 3_000;
const ATTEMPTS = 10;
const TEXTS = Object.values(HOSTILE_TEXTS);
/** Message of the node for each payment, by its amount in coins. */
const REFUSALS = {
  "1": TEXTS.slice(0, 3).join(" "),
  "2": TEXTS.slice(3).join(" "),
  "3": HUGE_TEXT,
} as const;
type Coins = keyof typeof REFUSALS;

/** Elements that none of these texts may produce. */
const ELEMENTS =
  "img, script, b, iframe, h1, pre, table, .codicon-trash, " +
  "a:is([href], [data-href]):not([data-href^='command:finality.'], [data-href^='command:editor.'])";
const UNSEEN = /[^\P{Cc}\n\t]|[\u202A-\u202E\u2066-\u2069\u200B\u200D]/u;
/** A part of each text as it has to be read. */
const WRITTEN = [
  "<img src=x onerror=",
  "[click](https://evil.test)",
  "](command:finality.sendCoins?%7B%7D) $(trash)",
  "[31mred",
  "⟨U+202E⟩gnp.exe",
  "# out of the block",
] as const;

describe("hostile texts of the chain", function () {
  this.timeout(180_000);
  let chain: LocalChain;
  let proxy: ChainProxy;
  let workbench: OpenWorkbench;
  let page: Page;
  let refusal = "";

  before(async () => {
    chain = await startLocalChain({ blockTimeMs: 0 });
    await mine(chain, 10);
    // The bytes stay at the proxy: a payment that the chain has is no longer a refused one.
    proxy = await openProxy(async (asked) =>
      isBroadcast(asked.path) ? answerOf(answerWith(refusal)) : await askChain(chain.baseUrl, asked),
    );
    const settings = { "editor.wordWrap": "off", "workbench.hover.delay": 30 };
    workbench = await openWorkbench({ settings: { ...networkSettings("Harbour", proxy.url), ...settings } });
    writeFileSync(join(workbench.folder, "said.log"), `${[...TEXTS, HUGE_TEXT].map(answerWith).join("\n")}\n`);
    ({ page } = workbench);
    await workbench.showFinality();
    await importAlice(workbench, chain);
    for (const coins of Object.keys(REFUSALS) as Coins[]) await refuse(coins);
  });

  after(async () => {
    await workbench.close();
    await proxy.close();
    await chain.close();
  });

  async function refuse(coins: Coins): Promise<void> {
    refusal = REFUSALS[coins];
    await askForPayment(page, chain, coins);
    await dialogOf(page).getByRole("button", { name: "Sign and Send" }).click();
    await dialogOf(page).waitFor({ state: "hidden" });
    await paymentRow(page, coins, "Rejected before the pool").waitFor();
    // Notices that come together are merged into one.
    const notice = page.locator(".notification-list-item-message", { hasText: `Rejected before the pool: ${coins} ` });
    await notice.first().waitFor();
  }

  /** Asserts that nothing in a place was made by a text. @returns what stands there */
  async function textIn(place: Locator, timeout = STEP_MS): Promise<string> {
    const { made, text } = await place.evaluate(
      (it, elements) => ({
        made: [...it.querySelectorAll(elements)].map(({ outerHTML }) => outerHTML.slice(0, 200)),
        text: (it.textContent ?? "").replaceAll("\u00a0", " "),
      }),
      ELEMENTS,
      { timeout },
    );
    assert.deepEqual(made, []);
    assert.doesNotMatch(text, UNSEEN);
    assert.ok(text.length < 20_000, `${text.length} characters`);
    return text;
  }

  /** Repeats the hover, because a redrawn row loses its tooltip and a moved one shows that of another row. */
  async function tooltipOf(row: Locator, words: string): Promise<string> {
    for (let attempt = 1; ; attempt++) {
      await page.mouse.move(800, 300);
      try {
        await row.hover({ timeout: TOOLTIP_MS });
        return await textIn(page.locator(".workbench-hover:visible", { hasText: words }), TOOLTIP_MS);
      } catch (error) {
        if (attempt === ATTEMPTS || !(error instanceof errors.TimeoutError)) throw error;
      }
    }
  }

  const written = (coins: Coins): readonly string[] =>
    coins === "1" ? WRITTEN.slice(0, 3) : coins === "2" ? WRITTEN.slice(3) : ["<b>REVERT</b>"];

  for (const coins of Object.keys(REFUSALS) as Coins[]) {
    it(`are plain text in the row of a transaction and in its tooltip (${coins})`, async () => {
      const row = paymentRow(page, coins, "Rejected before the pool");
      const [first = "", ...others] = written(coins);

      await textIn(row);
      assert.doesNotMatch((await row.getAttribute("aria-label")) ?? "", UNSEEN);
      const tooltip = await tooltipOf(row, first);
      for (const part of others) assert.ok(tooltip.includes(part), `${part} in ${tooltip}`);
    });
  }

  it("are plain text in notifications", async () => {
    await workbench.runCommand("Notifications: Show Notifications");
    let text = "";
    // The list has room for two of them.
    for (const [key, coins] of [
      ["Home", "3"],
      ["End", "1"],
    ] as const) {
      await page.keyboard.press(key);
      const messages = page.locator(".notification-list-item-message");
      await messages.filter({ hasText: `Rejected before the pool: ${coins} ` }).waitFor();
      for (const message of await messages.all()) text += await textIn(message);
    }

    for (const part of Object.keys(REFUSALS).flatMap((it) => written(it as Coins))) {
      assert.ok(text.includes(part.replaceAll("](", "] (")), `${part} in ${text}`);
    }
    await page.keyboard.press("Escape");
  });

  it("are plain text in hovers", async () => {
    await openFile(page, "said.log");
    await page.locator(".monaco-editor.focused .view-line", { hasText: "CONTRACT_VALIDATE_ERROR" }).first().waitFor();
    const hover = page.locator(".monaco-editor .monaco-hover:visible");
    const parts = [...WRITTEN, "<b>REVERT</b>"];

    for (const part of parts) {
      await tryAgain(page, async (timeout) => {
        for (const key of ["Home", "ArrowRight", "ArrowRight", "ArrowRight", "Control+k", "Control+i"]) {
          await page.keyboard.press(key);
        }
        await hover.getByText(part).first().waitFor({ timeout });
      });
      await textIn(hover);
      for (const key of ["Escape", "ArrowDown"]) await page.keyboard.press(key);
      await hover.waitFor({ state: "hidden" });
    }
  });

  it("execute no command", async () => {
    assert.equal(await page.evaluate("'hacked' in globalThis"), false);
  });
});
