import assert from "node:assert/strict";
import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { runFor } from "../../../src/host/caller.ts";
import { editor, loadWithEditor } from "../../support/fakes/fake-editor.ts";

type Parts = typeof import("../../../src/sending/consent.ts");

const TX_ID = "ab".repeat(32) as TxId;
const review = (isRealMoney: boolean) => ({
  title: "Send 5 to Bob?",
  severity: "warning" as const,
  isRealMoney,
  buttons: ["Sign and Send"],
  sign: "Sign and Send",
});

describe("the setting finality.confirm", () => {
  let parts: Parts;

  before(async () => {
    parts = await loadWithEditor<Parts>("src/sending/consent.ts");
  });

  beforeEach(() => editor.reset());
  after(() => editor.reset());

  const askedWith = async (setting: unknown, isRealMoney: boolean, answer: string | undefined) => {
    editor.reset();
    editor.settings["finality.confirm"] = setting;
    editor.answer = answer;
    const { consent } = await parts.askForConsent(TX_ID, review(isRealMoney));
    return { consent, asked: editor.asked };
  };

  it("asks once more where money is real, and Enter signs nothing there either", async () => {
    const { consent, asked } = await askedWith("twice", true, "Sign and Send");

    assert.equal(consent?.txId, TX_ID);
    assert.deepEqual(
      asked.map(({ buttons }) => buttons),
      [
        ["Do Not Send", "Sign and Send"],
        ["Do Not Send", "Sign and Send"],
      ],
    );
  });

  it("asks once where coins are for tests, or who asks was refused already", async () => {
    assert.equal((await askedWith("twice", false, "Sign and Send")).asked.length, 1);
    const { consent, asked } = await askedWith("twice", true, "Do Not Send");
    assert.deepEqual([consent, asked.length], [undefined, 1]);
  });

  it("A2: signs nothing by Enter where a program may have called, whatever a record says of the money", async () => {
    for (const raw of [{}, { kind: "account" }, "text"]) {
      editor.reset();
      editor.answer = undefined;
      await runFor(raw, () => parts.askForConsent(TX_ID, review(false)));
      assert.deepEqual(
        editor.asked.map(({ buttons }) => buttons),
        [["Do Not Send", "Sign and Send"]],
      );
    }
    editor.reset();
    editor.answer = "Do Not Send";
    const { consent } = await runFor({}, () => parts.askForConsent(TX_ID, review(false)));
    assert.equal(consent, undefined);
  });

  it("keeps the order of the buttons where a person called", async () => {
    await runFor(undefined, () => parts.askForConsent(TX_ID, review(false)));

    assert.deepEqual(editor.asked[0]?.buttons, ["Sign and Send"]);
  });

  it("makes no question go away, whatever stands there", async () => {
    for (const setting of [undefined, "usual", "never", false, null, 0]) {
      const { consent, asked } = await askedWith(setting, true, undefined);
      assert.deepEqual([consent, asked.length], [undefined, 1], String(setting));
    }
  });
});
