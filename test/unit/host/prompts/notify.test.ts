import assert from "node:assert/strict";
import { parseSignature } from "../../../../packages/tron/src/abi/abi-signature.ts";
import { formatTokenAmount } from "../../../../packages/tron/src/format/amounts.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { readText } from "../../../../src/features/contracts/contracts.view.ts";
import { runFor } from "../../../../src/host/caller.ts";
import { describeAnswer } from "../../../../src/labels/transactions.ts";
import { HOSTILE_TEXTS } from "../../../support/failures/hostile-texts.ts";
import { editor, loadWithEditor, ProgressLocation } from "../../../support/fakes/fake-editor.ts";

const LINK = "[Click](command:finality.removeSigningKey?%7B%22confirmed%22%3Atrue%7D)";
/** Text that the editor turns into a link in a notification: a title and a target in brackets. */
const LINKED = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)/i;
const UNSEEN = /[^\P{Cc}]|[\p{Cf}\u2028\u2029]/u;
const [TEXT] = parseSignature("f(string)").parameters;

/** Each attack of the audit, as the sentence that came to the notification. */
const ATTACKS: { readonly [who: string]: string } = {
  "a contract's return value": readText("Tea.greeting()", TEXT === undefined ? [] : [TEXT], [foreignText(LINK)]),
  "a contract's name": `${foreignText(LINK)} has no function`,
  "a token's name": `Bob has ${formatTokenAmount(5n, { decimals: 0, symbol: foreignText(LINK) })} (${LINK}).`,
  "a node's message": `Sent again; the answer was: ${describeAnswer({ kind: "rejected", code: "SIGERROR", message: LINK } as never)}.`,
  "a call's label": `1 call changed, most of all ${LINK}: +5 %.`,
  "an account's label": `${LINK} has 5 coins on Harbour.`,
  ...HOSTILE_TEXTS,
};

describe("notifications and dialogs", () => {
  type Calls = typeof import("../../../../src/host/prompts/notify.ts");
  let calls: Calls;

  before(async () => {
    calls = await loadWithEditor<Calls>("src/host/prompts/notify.ts");
  });
  beforeEach(() => editor.reset());

  for (const [who, sentence] of Object.entries(ATTACKS)) {
    it(`C1: ${who} is text, in one line, in a notification and its buttons`, async () => {
      await calls.notify("warning", sentence, sentence);

      const [{ title = "", buttons = [] } = {}] = editor.asked;
      assert.equal(editor.asked.length, 1);
      for (const shown of [title, ...buttons]) {
        assert.doesNotMatch(shown, LINKED);
        assert.doesNotMatch(shown, UNSEEN);
      }
    });

    it(`C1: ${who} shows all it is in a dialog`, async () => {
      await calls.askModal("warning", { title: sentence, detail: sentence }, sentence);

      const [{ title = "", buttons = [] } = {}] = editor.asked;
      for (const shown of [title, ...buttons]) assert.doesNotMatch(shown, UNSEEN);
    });
  }

  it("A2: begins a dialog of a program with a button that does nothing, unless the first one is safe", async () => {
    for (const [isFirstSafe, buttons] of [
      [false, ["Do Nothing", "Remove"]],
      [true, ["Remove"]],
    ] as const) {
      editor.reset();
      editor.answer = "Do Nothing";
      const question = { title: "Remove it?", isFirstSafe };
      assert.equal(await runFor({}, () => calls.askModal("warning", question, "Remove")), undefined);
      assert.deepEqual(editor.asked[0]?.buttons, buttons);
    }
    assert.equal(await runFor({}, () => calls.confirmModal({ title: "Remove it?" }, "Remove")), false);
    editor.reset();
    editor.answer = "Remove";
    assert.equal(await runFor({}, () => calls.confirmModal({ title: "Remove it?" }, "Remove")), true);
    assert.equal(await runFor(undefined, () => calls.confirmModal({ title: "Remove it?" }, "Remove")), true);
    assert.deepEqual(
      editor.asked.map(({ buttons }) => buttons),
      [["Do Nothing", "Remove"], ["Remove"]],
    );
  });

  it("asks about a program's call alone", async () => {
    assert.equal(await runFor(undefined, () => calls.confirmForProgram({ title: "Store it?" }, "Store")), true);
    assert.deepEqual(editor.asked, []);
    assert.equal(await runFor({}, () => calls.confirmForProgram({ title: "Store it?" }, "Store")), false);
    assert.equal(editor.asked.length, 1);
  });

  it("gives the button that was chosen as the caller knows it, whatever was shown", async () => {
    const buttons = [{ title: "No" }, { title: "Pay\nnow", action: "pay" }];
    editor.answer = "Pay now";

    assert.equal(await calls.notify("error", "Which?", ...buttons), buttons[1]);
    assert.equal(await calls.askModal("error", { title: "Which?" }, ...buttons), buttons[1]);
    assert.equal(await calls.confirmModal({ title: "Pay?" }, "Pay\nnow"), true);
    editor.answer = undefined;
    assert.equal(await calls.notify("information", "Which?", "One"), undefined);
    assert.equal(await calls.confirmModal({ title: "Pay?" }, "Pay"), false);
  });

  it("shows progress in its view, and in the status bar if the side bar is closed, until it ends", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();

    const shown = calls.showWork("finality.accounts", "Reading", () => promise);

    assert.deepEqual(editor.places, [{ viewId: "finality.accounts" }, ProgressLocation.Window]);
    resolve("read");
    assert.equal(await shown, "read");
  });
});

type Parts = typeof import("../../../../src/host/prompts/notify.ts");

describe("what is read before anything is signed", () => {
  let parts: Parts;

  before(async () => {
    parts = await loadWithEditor<Parts>("src/host/prompts/notify.ts");
  });

  beforeEach(() => editor.reset());

  it("has no notice when it ends within a moment", async () => {
    const { cancel } = editor;

    assert.equal(await parts.whileWorking("Reading", async () => 7), 7);

    assert.equal(editor.cancel, cancel, "nobody could cancel anything");
  });

  it("fails as the work does", async () => {
    const refused = new Error("the gateway refused");

    await assert.rejects(
      parts.whileWorking("Reading", () => Promise.reject(refused)),
      refused,
    );
  });
});
