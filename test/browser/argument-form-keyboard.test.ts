import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Interface, type JsonFragment } from "ethers";
import type { BrowserContext, Page } from "playwright-core";
import type { JsonAbiEntry } from "../../packages/tron/src/abi/abi-index.ts";
import { parseSignature } from "../../packages/tron/src/abi/abi-signature.ts";
import { abiEntryOf, type ContractFunction, functionsOf } from "../../packages/tron/src/abi/contract-functions.ts";
import { foreignText, rawText } from "../../packages/tron/src/primitives/plain-text.ts";
import { openBrowser } from "../../scripts/workbench/browser.mjs";
import type { FieldDraft } from "../../src/features/contracts/form-fields.ts";
import { type FormPanel, panels } from "../support/forms/form-editor.ts";
import { FormHost, loadPanels } from "../support/forms/form-host.ts";
import { parameterLists } from "../support/forms/function-parameters.ts";
import { entryOf, USABLE, withoutNames } from "../support/forms/hostile-abi.ts";
import { type EthersValue, fillIn } from "../support/forms/typed-form.ts";
import { dice } from "../support/random/dice.ts";
import { howOften } from "../support/random/how-often.ts";
import { ALICE } from "../support/tracking/tracked.ts";
import { fillByKeyboard } from "./argument-form.ts";

const media = join(import.meta.dirname, "../../dist/media");

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

  /** Waits until a function is shown, and fills in its fields with the keyboard alone. */
  async fill(fn: ContractFunction, drafts: readonly FieldDraft[]): Promise<void> {
    await this.#page
      .locator(`[data-key="field function"] option[selected][value="${fn.signature}"]`)
      .waitFor({ state: "attached" });
    await fillByKeyboard(this.#page, this.#page, drafts);
  }
}

/** Opens a form that reads functions, in a page of its own. */
async function openForm(page: Page, abi: readonly JsonAbiEntry[]) {
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
  const keyboard = new KeyboardPage(page);
  await keyboard.connect(panels.at(-1) ?? assert.fail("no panel was opened"));
  /** Returns the call data that the form reads with, after its fields were filled in. */
  const read = async (fn: ContractFunction, drafts: readonly FieldDraft[]): Promise<string> => {
    show(fn);
    const data = host.nextRead();
    await keyboard.fill(fn, drafts);
    return `0x${await data}`;
  };
  return { functions, keyboard, read };
}

/** Returns the call data of ethers. ethers reads no function whose parameters have names such as `$(trash)`. */
function ethersData(fn: ContractFunction, values: readonly EthersValue[]): string {
  const entry = { ...abiEntryOf(fn), inputs: withoutNames(abiEntryOf(fn).inputs ?? []) };
  return new Interface([entry as JsonFragment]).encodeFunctionData(fn.signature, values);
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
    const { functions, keyboard, read } = await openForm(await browser.newPage(), abi);
    assert.ok(functions.length >= 70, `${functions.length} functions`);

    for (const fn of functions) {
      const filled = fn.parameters.map(({ type }) => fillIn(type, roll));
      const drafts = filled.map(({ draft }) => draft);
      const values = filled.map(({ value }) => value);

      assert.equal(await read(fn, drafts), ethersData(fn, values), fn.signature);
    }
    assert.deepEqual(keyboard.errors, []);
  });

  it("fills in a list that is the first field of a row", async () => {
    const { parameters } = parseSignature("f((uint8[],address)[],address)");
    const fn = { name: foreignText("f"), signature: "", parameters, outputs: [], mutability: "view" as const };
    const { functions, read } = await openForm(await browser.newPage(), [abiEntryOf(fn)]);
    const list = { items: [{ text: "1" }, { text: "2" }] };
    const row = { items: [list, { text: ALICE }] };
    const hex = `0x${ALICE.slice(2)}`;

    assert.equal(
      await read(functions[0] ?? assert.fail(), [{ items: [row, row] }, { text: ALICE }]),
      ethersData(functions[0] ?? assert.fail(), [
        [
          [[1n, 2n], hex],
          [[1n, 2n], hex],
        ],
        hex,
      ]),
    );
  });

  it("fills in functions of a hostile ABI, in a page of 300 px, and shows no markup", async () => {
    const roll = dice(35);
    const names =
      howOften(0, 1) === 1 ? Object.keys(USABLE).filter((it) => it !== "open") : ["names", "fields", "deep", "none"];
    const abi = names.map((name) => entryOf(name, USABLE[name] ?? []));
    const page = await browser.newPage();
    await page.setViewportSize({ width: 300, height: 600 });
    const { functions, keyboard, read } = await openForm(page, abi);
    assert.deepEqual(
      functions.map(({ name }) => rawText(name)),
      names,
    );

    for (const fn of functions) {
      const filled = fn.parameters.map(({ type }) => fillIn(type, roll));
      const drafts = filled.map(({ draft }) => draft);
      const values = filled.map(({ value }) => value);

      assert.equal(await read(fn, drafts), ethersData(fn, values), rawText(fn.name));
      assert.equal(await page.locator("main :is(img, a, script)").count(), 0);
      assert.doesNotMatch(await page.locator("main").innerText(), /[\u202a-\u202e\u200f]/);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 300, rawText(fn.name));
    }
    assert.deepEqual(keyboard.errors, []);
  });
});
