import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Interface, type JsonFragment } from "ethers";
import type { BrowserContext, Page } from "playwright-core";
import type { JsonAbiEntry } from "../../packages/tron/src/abi/abi-index.ts";
import { parseSignature } from "../../packages/tron/src/abi/abi-signature.ts";
import { abiEntryOf, type ContractFunction, functionsOf } from "../../packages/tron/src/abi/contract-functions.ts";
import { foreignText } from "../../packages/tron/src/primitives/plain-text.ts";
import { openBrowser } from "../../scripts/workbench/browser.mjs";
import type { FieldDraft } from "../../src/features/contracts/form-fields.ts";
import { type FormPanel, panels } from "../support/forms/form-editor.ts";
import { FormHost, loadPanels } from "../support/forms/form-host.ts";
import { parameterLists } from "../support/forms/function-parameters.ts";
import { COINS, fillIn } from "../support/forms/typed-form.ts";
import { dice } from "../support/random/dice.ts";
import { howOften } from "../support/random/how-often.ts";
import { ALICE } from "../support/tracking/tracked.ts";

const media = join(import.meta.dirname, "../../dist/media");
const MOST_KEYS = 2_000;
/** Longest text that is typed key by key, which takes long; longer ones are pasted. */
const LONGEST_TYPED = howOften(3, 80);

/** Returns the lists that together have every type, or all lists under `npm run model` and of FINALITY_ARTIFACTS. */
function listsToFill(): readonly string[] {
  const lists = parameterLists();
  if (howOften(0, 1) === 1 || process.env.FINALITY_ARTIFACTS !== undefined) return lists;
  const seen = new Set<string>();
  return lists.filter((list) => {
    const types = parseSignature(`f(${list})`).parameters.map(({ type }) => type.text);
    const isNew = types.some((it) => !seen.has(it));
    for (const it of types) seen.add(it);
    return isNew;
  });
}

/** The page of the form in Chromium, connected to a panel as the editor connects it. */
class KeyboardPage {
  readonly #page: Page;
  readonly errors: string[] = [];

  constructor(page: Page) {
    this.#page = page;
    page.on("pageerror", ({ message }) => this.errors.push(message));
  }

  async connect(panel: FormPanel): Promise<void> {
    await this.#page.exposeFunction("toPanel", (message: unknown) => panel.receive(message));
    panel.onPosted = (message) =>
      void this.#page.evaluate(`postMessage(${JSON.stringify(message)}, "*")`).catch(() => undefined);
    await this.#page.setContent('<main id="page"></main><p id="news" role="status"></p>');
    await this.#page.addStyleTag({ content: readFileSync(join(media, "arguments.css"), "utf8") });
    await this.#page.evaluate(
      "globalThis.acquireVsCodeApi = () => ({ postMessage: toPanel, getState: () => undefined, setState: () => undefined })",
    );
    await this.#page.addScriptTag({ content: readFileSync(join(media, "arguments.js"), "utf8") });
  }

  /** Waits until a function is shown, and fills in its fields from the first one on, with the keyboard alone. */
  async fill(fn: ContractFunction, drafts: readonly FieldDraft[]): Promise<void> {
    await this.#page
      .locator(`[data-key="field function"] option[selected][value="${fn.signature}"]`)
      .waitFor({ state: "attached" });
    await this.#page.locator('[data-field="a.0"] :focus').waitFor();
    const rows = new Map<string, number>();
    for (let keys = 0; keys < MOST_KEYS; keys++) {
      const [action = "", id = ""] = (await this.#focused()).split(" ");
      if (action === "act") return await this.#page.keyboard.press("Enter");
      const draft = draftAt(drafts, id);
      if (action === "field" && draft !== undefined) await this.#enter(draft);
      if (action === "unit" && draft !== undefined && "unit" in draft)
        await this.#page.keyboard.press(COINS.label.slice(0, 1));
      const added = rows.get(id) ?? 0;
      if (action === "add" && draft !== undefined && "items" in draft && added < draft.items.length) {
        rows.set(id, added + 1);
        await this.#page.keyboard.press("Enter");
        await this.#page.locator(`[data-field="${id}.${added}"] :focus`).waitFor();
      } else await this.#page.keyboard.press("Tab");
    }
    assert.fail(`${fn.signature} has no end`);
  }

  /** Enters the value of the focused field. A choice is selected by the first letter of its label. */
  async #enter(draft: FieldDraft): Promise<void> {
    const text = "text" in draft ? draft.text : "json" in draft ? draft.json : "";
    const isChoice = await this.#page.evaluate("document.activeElement.tagName === 'SELECT'");
    if (isChoice) await this.#page.keyboard.press(text.slice(0, 1));
    else if (text.length > LONGEST_TYPED || /[^ -~]/.test(text)) await this.#page.keyboard.insertText(text);
    else await this.#page.keyboard.type(text);
  }

  async #focused(): Promise<string> {
    return await this.#page.evaluate<string>("document.activeElement?.getAttribute('data-key') ?? ''");
  }
}

function draftAt(drafts: readonly FieldDraft[], id: string): FieldDraft | undefined {
  const [, ...path] = id.split(".");
  if (path.length === 0) return undefined;
  let found: FieldDraft | undefined = { items: drafts };
  for (const at of path) found = found !== undefined && "items" in found ? found.items[Number(at)] : undefined;
  return found;
}

describe("argument form by keyboard", function () {
  this.timeout(howOften(300_000, 3_600_000));
  let scratch: string;
  let browser: BrowserContext;

  before(async () => {
    scratch = mkdtempSync(join(tmpdir(), "finality-form-"));
    browser = await openBrowser(scratch);
  });

  after(async () => {
    await browser?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  it("fills in every type of the collected artifacts and makes the call data of ethers", async () => {
    const roll = dice(33);
    const abi = listsToFill().flatMap((list, at): readonly JsonAbiEntry[] => {
      const { parameters } = parseSignature(`f${at}(${list})`);
      if (parameters.length === 0) return [];
      const fn = { name: foreignText(`f${at}`), signature: "", parameters, outputs: [], mutability: "view" as const };
      return [{ ...abiEntryOf(fn), outputs: [{ name: "", type: "uint256" }] }];
    });
    const functions = functionsOf(abi);
    const host = new FormHost(abi);
    const { ArgumentPanels } = await loadPanels();
    const forms = new ArgumentPanels(host.context.services);
    const contract = { address: ALICE, name: foreignText("Tea"), origin: foreignText("Tea.json"), functions };
    const show = (fn: ContractFunction | undefined) =>
      forms.show(host.context, {
        ...{ command: "read", options: {}, target: { kind: "contract", contract } },
        given: { ...(fn === undefined ? {} : { fn }), extras: {} },
      });
    show(functions[0]);
    const keyboard = new KeyboardPage(browser.pages()[0] ?? (await browser.newPage()));
    await keyboard.connect(panels.at(-1) ?? assert.fail("no panel was opened"));
    assert.ok(functions.length >= 70, `${functions.length} functions`);

    for (const fn of functions) {
      const filled = fn.parameters.map(({ type }) => fillIn(type, roll));
      const values = filled.map(({ value }) => value);
      const expected = new Interface([abiEntryOf(fn) as JsonFragment]).encodeFunctionData(fn.signature, values);
      show(fn);
      const read = host.nextRead();
      await keyboard.fill(
        fn,
        filled.map(({ draft }) => draft),
      );

      assert.equal(`0x${await read}`, expected, fn.signature);
    }
    assert.deepEqual(keyboard.errors, []);
  });
});
