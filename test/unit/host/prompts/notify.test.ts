import assert from "node:assert/strict";
import { describeAnswer } from "../../../../packages/client/src/labels/transactions.ts";
import { parseSignature } from "../../../../packages/tron/src/abi/abi-signature.ts";
import { formatTokenAmount } from "../../../../packages/tron/src/format/amounts.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { readText } from "../../../../src/features/contracts/contracts.view.ts";
import { runFor } from "../../../../src/host/caller.ts";
import { HOSTILE_TEXTS } from "../../../support/failures/hostile-texts.ts";
import { clipboard, editor, loadWithEditor, ProgressLocation } from "../../../support/fakes/fake-editor.ts";

const LINK = "[Click](command:finality.removeSigningKey?%7B%22confirmed%22%3Atrue%7D)";
/** Markdown link, which VS Code makes clickable in a notification. */
const LINKED = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)/i;
const UNSEEN = /[^\P{Cc}]|[\p{Cf}\u2028\u2029]/u;
const [TEXT] = parseSignature("f(string)").parameters;

/** Notification texts with hostile parts, by their origin. */
const ATTACKS: { readonly [who: string]: string } = {
  "a contract's return value": readText("Tea.greeting()", TEXT === undefined ? [] : [TEXT], [foreignText(LINK)]),
  "a contract's name": `${foreignText(LINK)} has no function`,
  "a token's name": `Bob has ${formatTokenAmount(5n, { decimals: 0, symbol: foreignText(LINK) })} (${LINK}).`,
  "a node's message": `Sent again; the answer was: ${describeAnswer({ kind: "rejected", code: "SIGERROR", message: LINK } as never)}.`,
  "a call's label": `1 call changed, most of all ${LINK}: +5 %.`,
  "an account's label": `${LINK} has 5 coins on Harbour.`,
  ...HOSTILE_TEXTS,
};

describe("notify and askModal", () => {
  type Calls = typeof import("../../../../src/host/prompts/notify.ts");
  let calls: Calls;

  before(async () => {
    calls = await loadWithEditor<Calls>("src/host/prompts/notify.ts");
  });
  beforeEach(() => editor.reset());

  for (const [who, sentence] of Object.entries(ATTACKS)) {
    it(`C1: escape ${who} in notifications and dialogs`, async () => {
      await calls.notify("warning", sentence, sentence);

      const [{ title = "", buttons = [] } = {}] = editor.asked;
      assert.equal(editor.asked.length, 1);
      for (const shown of [title, ...buttons]) {
        assert.doesNotMatch(shown, LINKED);
        assert.doesNotMatch(shown, UNSEEN);
      }

      await calls.askModal("warning", { title: sentence, detail: sentence }, sentence);

      const dialog = editor.asked[1] ?? assert.fail("no dialog was shown");
      for (const shown of [dialog.title, ...dialog.buttons]) assert.doesNotMatch(shown, UNSEEN);
    });
  }

  it("U26: add a button to a long notification without one, because VS Code then shows all lines", async () => {
    const long = "Finality cannot read the file because its content is not a transaction.";
    editor.answer = "Copy Text";

    assert.equal(await calls.notify("warning", long), undefined);
    await calls.notify("warning", long, "Retry");
    await calls.notify("warning", "Short.");

    assert.deepEqual(
      editor.asked.map(({ buttons }) => buttons),
      [["Copy Text"], ["Retry"], []],
    );
    assert.equal(clipboard.content, long);
  });

  it("A2: add a cancel button first for programs, unless the first button is safe", async () => {
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

  it("confirmForProgram prompts only for programs", async () => {
    assert.equal(await runFor(undefined, () => calls.confirmForProgram({ title: "Store it?" }, "Store")), true);
    assert.deepEqual(editor.asked, []);
    assert.equal(await runFor({}, () => calls.confirmForProgram({ title: "Store it?" }, "Store")), false);
    assert.equal(editor.asked.length, 1);
  });

  it("return the chosen button as it was passed", async () => {
    const buttons = [{ title: "No" }, { title: "Pay\nnow", action: "pay" }];
    editor.answer = "Pay now";

    assert.equal(await calls.notify("error", "Which?", ...buttons), buttons[1]);
    assert.equal(await calls.askModal("error", { title: "Which?" }, ...buttons), buttons[1]);
    assert.equal(await calls.confirmModal({ title: "Pay?" }, "Pay\nnow"), true);
    editor.answer = undefined;
    assert.equal(await calls.notify("information", "Which?", "One"), undefined);
    assert.equal(await calls.confirmModal({ title: "Pay?" }, "Pay"), false);
  });

  it("showWork shows progress in the view and in the status bar", async () => {
    const { promise, resolve } = Promise.withResolvers<string>();

    const shown = calls.showWork("finality.accounts", "Reading", () => promise);

    assert.deepEqual(editor.places, [{ viewId: "finality.accounts" }, ProgressLocation.Window]);
    resolve("read");
    assert.equal(await shown, "read");
  });
});

describe("whileWorking", () => {
  let parts: typeof import("../../../../src/host/prompts/notify.ts");

  before(async () => {
    parts = await loadWithEditor("src/host/prompts/notify.ts");
  });

  beforeEach(() => editor.reset());

  it("shows no progress for short work", async () => {
    const { cancel } = editor;

    assert.equal(await parts.whileWorking("Reading", async () => 7), 7);

    assert.equal(editor.cancel, cancel, "a progress notification was shown");
  });

  it("rejects with the error of the work", async () => {
    const refused = new Error("the gateway refused");

    await assert.rejects(
      parts.whileWorking("Reading", () => Promise.reject(refused)),
      refused,
    );
  });
});
