import assert from "node:assert/strict";
import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { runFor } from "../../../src/host/caller.ts";
import { editor, loadWithEditor } from "../../support/fakes/fake-editor.ts";

type TestedModule = typeof import("../../../src/sending/consent.ts");

const TX_ID = "ab".repeat(32) as TxId;
const review = (isRealMoney: boolean) => ({
  title: "Send 5 to Bob?",
  severity: "warning" as const,
  isRealMoney,
  buttons: ["Sign and Send"],
  sign: "Sign and Send",
});

describe("finality.confirm", () => {
  let parts: TestedModule;

  before(async () => {
    parts = await loadWithEditor<TestedModule>("src/sending/consent.ts");
  });

  beforeEach(() => editor.reset());
  after(() => editor.reset());

  const askWith = async (setting: unknown, isRealMoney: boolean, answer: string | undefined) => {
    editor.reset();
    editor.settings["finality.confirm"] = setting;
    editor.answer = answer;
    const { consent } = await parts.askForConsent(TX_ID, review(isRealMoney));
    return { consent, asked: editor.asked };
  };

  it("asks twice for real money, with a cancel button first", async () => {
    const { consent, asked } = await askWith("twice", true, "Sign and Send");

    assert.equal(consent?.txId, TX_ID);
    assert.deepEqual(
      asked.map(({ buttons }) => buttons),
      [
        ["Do Not Send", "Sign and Send"],
        ["Do Not Send", "Sign and Send"],
      ],
    );
  });

  it("asks once on test networks, or after a refusal", async () => {
    assert.equal((await askWith("twice", false, "Sign and Send")).asked.length, 1);
    const { consent, asked } = await askWith("twice", true, "Do Not Send");
    assert.deepEqual([consent, asked.length], [undefined, 1]);
  });

  it("A2: shows a cancel button first when a program may be the caller", async () => {
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

  it("keeps the order of the buttons for the user", async () => {
    await runFor(undefined, () => parts.askForConsent(TX_ID, review(false)));

    assert.deepEqual(editor.asked[0]?.buttons, ["Sign and Send"]);
  });

  it("never skips the prompt, for any value", async () => {
    for (const setting of [undefined, "usual", "never", false, null, 0]) {
      const { consent, asked } = await askWith(setting, true, undefined);
      assert.deepEqual([consent, asked.length], [undefined, 1], String(setting));
    }
  });
});
