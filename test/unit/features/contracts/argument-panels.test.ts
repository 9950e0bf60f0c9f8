import assert from "node:assert/strict";
import type { JsonAbiEntry } from "../../../../packages/tron/src/abi/abi-index.ts";
import { functionDataOf, functionsOf } from "../../../../packages/tron/src/abi/contract-functions.ts";
import { ChainError } from "../../../../packages/tron/src/errors/chain-error.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import type { FormRequest } from "../../../../src/features/contracts/argument-form.ts";
import { messageOf } from "../../../../src/features/contracts/argument-form.view.ts";
import type { ArgumentForm, FormField, ToArgumentsPage } from "../../../../src/webview-messages/arguments.ts";
import { memento } from "../../../support/fakes/fake-editor.ts";
import { FormPanel, panels } from "../../../support/forms/form-editor.ts";
import { FormHost, loadPanels } from "../../../support/forms/form-host.ts";
import { ALICE } from "../../../support/tracking/tracked.ts";

const { ArgumentPanels } = await loadPanels();

const TXID = "ab".repeat(32);
const uint = (name: string) => ({ name, type: "uint256" });
const order = { name: "lines", type: "tuple[]", components: [{ name: "tea", type: "string" }, uint("cups")] };
const ABI: readonly JsonAbiEntry[] = [
  { type: "function", name: "pay", inputs: [uint("cups"), order], outputs: [], stateMutability: "payable" },
  { type: "function", name: "close", inputs: [], outputs: [], stateMutability: "nonpayable" },
  { type: "function", name: "price", inputs: [uint("cups")], outputs: [uint("")], stateMutability: "view" },
];
const FUNCTIONS = functionsOf(ABI);
const [PAY, CLOSE, PRICE] = FUNCTIONS;

/** The page of a form, as far as a test needs it. */
class TestPage {
  readonly panel: FormPanel;
  #revision = 0;

  constructor(panel: FormPanel | undefined) {
    assert.ok(panel, "no panel was opened");
    this.panel = panel;
    panel.receive({ kind: "ready" });
  }

  get form(): ArgumentForm {
    const shown = (this.panel.posted as ToArgumentsPage[]).filter((it) => it.kind === "show").at(-1);
    assert.ok(shown);
    return shown.form;
  }

  field(id: string): FormField {
    const all = (fields: readonly FormField[]): readonly FormField[] =>
      fields.flatMap((it) => [it, ...all(it.children)]);
    const found = all(this.form.sections.flatMap(({ fields }) => fields)).find((it) => it.id === id);
    assert.ok(found, `no field ${id}`);
    return found;
  }

  send(message: object): void {
    this.#revision += 1;
    this.panel.receive({ revision: this.#revision, ...message });
  }

  edit(texts: Readonly<Record<string, string>>): void {
    for (const [id, text] of Object.entries(texts)) this.send({ kind: "edit", id, text });
    this.send({ kind: "refresh" });
  }

  /** Runs an action and waits until the form is idle again. */
  async act(action: string): Promise<void> {
    this.send({ kind: "act", action });
    await this.idle();
  }

  async idle(): Promise<void> {
    for (let turns = 0; turns < 200; turns++) await Promise.resolve();
    await new Promise(setImmediate);
  }
}

describe("argument form", () => {
  let host: FormHost;
  let state: ReturnType<typeof memento>;

  beforeEach(() => {
    panels.length = 0;
    state = memento();
    host = new FormHost(ABI, state);
  });

  function request(command: "call" | "read", given?: FormRequest["given"]): FormRequest {
    const contract = {
      address: ALICE,
      name: foreignText("Tea"),
      origin: foreignText("Tea.json"),
      functions: FUNCTIONS,
    };
    return { command, options: {}, target: { kind: "contract", contract }, ...(given === undefined ? {} : { given }) };
  }

  async function open(command: "call" | "read" = "call", given?: FormRequest["given"]): Promise<TestPage> {
    new ArgumentPanels(host.context.services).show(host.context, request(command, given));
    const page = new TestPage(panels.at(-1));
    await page.idle();
    return page;
  }

  async function filled(): Promise<TestPage> {
    const page = await open();
    page.send({ kind: "change", id: "a.1", change: "add" });
    page.edit({
      "a.0": "2",
      "a.1.0.0": "Sencha",
      "a.1.0.1": "3",
      from: page.field("from").choices[0]?.value ?? "",
      callValue: "1.5 coins",
      feeLimit: "100 coins",
    });
    return page;
  }

  it("sends the intent of the values that were entered", async () => {
    await (await filled()).act("submit");

    assert.ok(PAY);
    const [sent] = host.sent;
    assert.deepEqual(sent?.intent, {
      kind: "contract-call",
      owner: ALICE,
      contract: ALICE,
      callValue: 1_500_000n,
      feeLimit: 100_000_000n,
      data: functionDataOf(PAY, [2n, [["Sencha", 3n]]]),
    });
  });

  it("asks for a choice where a required field has choices", async () => {
    const flags = { name: "flags", type: "tuple[1]", components: [{ name: "open", type: "bool" }, uint("hour")] };
    const mood = { name: "mood", type: "uint8", members: ["Calm", "Busy"] };
    const abi = [{ type: "function", name: "set", inputs: [flags, mood], outputs: [], stateMutability: "nonpayable" }];
    const [fn] = functionsOf(abi);
    assert.ok(fn);
    const ids = ["a.0.0.0", "a.0.0.1", "a.1", "from"];
    const checks = ids.map((id) => ({ id, kind: "empty" as const, message: "" }));

    const texts = ids.map((id) => messageOf({ fn, checks, isAttempted: true, estimate: undefined }, id)?.text);

    assert.deepEqual(texts, ["Choose a value.", "Enter a value.", "Choose a value.", "Choose an account."]);
  });

  it("sends nothing and focuses the first wrong field while a field is empty", async () => {
    const page = await open();
    await page.act("submit");

    assert.deepEqual(host.sent, []);
    assert.deepEqual(page.field("a.0").message, { tone: "bad", text: "Enter a value." });
    assert.equal(page.form.status?.text, "2 fields to correct.");
    assert.equal(
      (page.panel.posted as ToArgumentsPage[]).some((it) => it.kind === "show" && it.focus === "a.0"),
      true,
    );
  });

  it("sends once when the user submits twice, and not again after that", async () => {
    let answer: (sent: { readonly txId: string }) => void = () => undefined;
    host.review = () => new Promise((resolve) => (answer = resolve));
    const page = await filled();
    page.send({ kind: "act", action: "submit" });
    await page.act("submit");
    page.edit({ "a.0": "9" });
    answer({ txId: TXID });
    await page.idle();
    await page.act("submit");

    assert.equal(host.sent.length, 1);
    assert.equal(page.field("a.0").value, "2", "values do not change during the review");
    assert.deepEqual(
      page.form.buttons.map(({ action }) => action),
      ["show-transaction", "again"],
    );
    await page.act("again");
    await page.act("submit");
    assert.equal(host.sent.length, 2);
  });

  it("keeps the values after the review was cancelled", async () => {
    host.review = async () => undefined;
    const page = await filled();
    await page.act("submit");

    assert.equal(page.field("a.1.0.0").value, "Sencha");
    assert.equal(page.form.buttons[0]?.action, "submit");
  });

  it("restores a draft of the previous session", async () => {
    const { key } = (await filled()).form;
    const panel = new FormPanel();
    await new ArgumentPanels(host.context.services).revive(panel as never, { key });
    const page = new TestPage(panel);

    assert.equal(page.form.title, "Call Tea");
    assert.deepEqual(
      [page.field("a.0").value, page.field("a.1.0.1").value, page.field("feeLimit").value],
      [...["2", "3"], "100 coins"],
    );
  });

  it("shows why a form is not restored yet, and restores it when its network is found", async () => {
    const { key } = (await filled()).form;
    host.network = () => {
      throw new ChainError("LOCAL_CHAIN_STOPPED", {});
    };
    const panel = new FormPanel();
    await new ArgumentPanels(host.context.services).revive(panel as never, { key });
    const page = new TestPage(panel);
    assert.match(page.form.status?.text ?? "", /The values of this form are stored\.$/);
    page.edit({ "a.0": "9" });
    host.startNetwork();
    await page.idle();

    assert.deepEqual([page.form.title, page.field("a.0").value], ["Call Tea", "2"]);
  });

  it("shows the function of the command in a form that was restored with another one", async () => {
    const { key } = (await filled()).form;
    const panel = new FormPanel();
    const forms = new ArgumentPanels(host.context.services);
    await forms.revive(panel as never, { key });
    assert.ok(CLOSE);
    forms.show(host.context, request("call", { fn: CLOSE, extras: {} }));
    const page = new TestPage(panel);

    assert.equal(page.field("function").value, "close()");
    assert.equal(page.field("function").choices.length, 3);
  });

  it("closes a panel without a draft, whatever its state is", async () => {
    for (const state of [undefined, { key: 5 }, { key: "none" }]) {
      const panel = new FormPanel();
      let isClosed = false;
      panel.onDidDispose(() => (isClosed = true));
      await new ArgumentPanels(host.context.services).revive(panel as never, state);
      assert.ok(isClosed);
    }
  });

  it("finds the transaction of a form that was closed while it was signed", async () => {
    host.review = () => new Promise(() => undefined);
    const page = await filled();
    await page.act("submit");
    const [sent] = host.sent;
    host.transactions.push({ txId: TXID, createdAt: 1_000, signed: { intent: sent?.intent } });
    const reopened = await open();
    await reopened.act("submit");

    assert.equal(reopened.form.status?.text, `Sent as ${TXID}.`);
    assert.equal(host.sent.length, 1);
  });

  it("ignores messages that are malformed, or name fields and functions that do not exist", async () => {
    const page = await filled();
    const before = JSON.stringify(page.form.sections);
    for (const message of [
      null,
      "edit",
      { kind: "edit" },
      { kind: "edit", revision: 1, id: "a.0", text: 5 },
      { kind: "edit", revision: 1, id: "a.7", text: "5" },
      { kind: "edit", revision: 1, id: "a.1.9.0", text: "5" },
      { kind: "edit", revision: 1, id: "__proto__", text: "5" },
      { kind: "edit", revision: 1, id: "function", text: "steal()" },
      { kind: "edit", revision: 1, id: "a.0", text: "1".repeat(300_000) },
      { kind: "change", revision: 1, id: "a.0", change: "add" },
      { kind: "change", revision: 1, id: "a.1.0.0", change: "remove" },
      { kind: "change", revision: 1, id: "a.1", change: "drop" },
      { kind: "act", revision: 1, action: "sign" },
    ])
      page.panel.receive(message);
    page.edit({});

    assert.equal(JSON.stringify(page.form.sections), before);
    assert.deepEqual(host.sent, []);
  });

  it("offers the values of bool and enum as choices, and keeps a value that is none of them", async () => {
    const inputs = [
      { name: "states", type: "uint8[1]", members: ["Open", "Paid"] },
      { name: "isPaid", type: "bool" },
    ];
    const [fn] = functionsOf([{ type: "function", name: "set", inputs, outputs: [] }]);
    assert.ok(fn);
    const contract = { address: ALICE, name: foreignText("Shop"), origin: foreignText(""), functions: [fn] };
    const target = { kind: "contract", contract } as const;
    new ArgumentPanels(host.context.services).show(host.context, { command: "call", options: {}, target });
    const page = new TestPage(panels.at(-1));
    const labels = (id: string) => page.field(id).choices.map(({ value, label }) => [value, label]);

    assert.deepEqual(labels("a.0.0"), [
      ["0", "Open (0)"],
      ["1", "Paid (1)"],
    ]);
    assert.deepEqual(
      labels("a.1").map(([value]) => value),
      ["true", "false"],
    );
    page.edit({ "a.0.0": "7" });
    assert.deepEqual(labels("a.0.0").at(-1), ["7", "7"]);
  });

  it("keeps the values of each function", async () => {
    const page = await filled();
    page.edit({ function: CLOSE?.signature ?? "" });
    assert.throws(() => page.field("a.0"));
    page.edit({ function: PAY?.signature ?? "" });

    assert.equal(page.field("a.1.0.0").value, "Sencha");
  });

  it("keeps the account and no amount of a call when another function is chosen", async () => {
    const page = await filled();
    const from = page.field("from").value;

    page.edit({ function: CLOSE?.signature ?? "" });

    assert.deepEqual([page.field("from").value, page.field("feeLimit").value], [from, ""]);
    page.edit({ function: PAY?.signature ?? "" });
    assert.deepEqual([page.field("a.0").value, page.field("callValue").value], ["2", "0"]);
  });

  it("repeats the last call, and offers its values", async () => {
    await (await filled()).act("submit");
    const page = await open();
    page.edit({ "a.0": "8", "a.1.0.0": "" });
    assert.deepEqual(
      page.field("a.0").recent.map(({ value }) => value),
      ["2"],
    );
    await page.act("repeat");

    assert.deepEqual([page.field("a.0").value, page.field("a.1.0.0").value], ["2", "Sencha"]);
  });

  it("reads with the values of the form and shows the result", async () => {
    assert.ok(PRICE);
    const page = await open("read", { fn: PRICE, values: [7n], extras: {} });
    await page.act("submit");

    assert.deepEqual(host.reads, [functionDataOf(PRICE, [7n])]);
    assert.deepEqual(
      page.form.results?.map(({ value }) => value),
      ["42"],
    );
  });

  it("stores no draft that is too long for the editor", async () => {
    const page = await open();
    page.send({ kind: "change", id: "a.1", change: "as-json" });
    for (let part = 0; part < 4; part++) page.edit({ [`a.${part % 2}`]: "1".repeat(190_000) });
    const stored = JSON.stringify(state.get("finality.argumentForms"));

    assert.ok(stored.length < 600_000, `${stored.length} characters`);
  });
});
