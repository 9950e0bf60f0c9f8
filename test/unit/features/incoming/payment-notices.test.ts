import assert from "node:assert/strict";
import { payment } from "../../../../packages/client/src/incoming/incoming-entry.ts";
import { FakeClock } from "../../../support/fakes/fake-clock.ts";
import { editor, loadWithEditor } from "../../../support/fakes/fake-editor.ts";
import { party } from "../../../support/incoming/incoming-fixture.ts";

type TestedModule = typeof import("../../../../src/features/incoming/payment-notices.ts");
const { PaymentNotices } = await loadWithEditor<TestedModule>("src/features/incoming/payment-notices.ts");

const block = { number: 7, id: `${"0".repeat(15)}7${"ab".repeat(24)}`, timestamp: 0 };
const paidAt = (second: number) => {
  const txId = second.toString(16).padStart(64, "0");
  const [from, to] = [party(1), party(2)];
  return payment({ txId, path: "contract", from, to, token: { kind: "coins" }, amount: "1", block });
};
const SETTING = "finality.notifications.incoming";

/** Notices of one payment per second. @param shownHere - whether this window shows them */
async function noticesOf(seconds: number, { shownHere = true } = {}) {
  const clock = new FakeClock();
  const notices = new PaymentNotices({
    notices: async () => ({ isShownHere: async () => shownHere }),
    textOf: async (payments) => `${payments.length} payments`,
    now: clock.now,
    sleep: clock.sleep,
  });
  for (let second = 0; second < seconds; second++) {
    notices.add([paidAt(second)]);
    await clock.advance(1_000);
  }
  notices.dispose();
  return editor.asked;
}

describe("PaymentNotices", () => {
  beforeEach(() => editor.reset());

  it("U10: reports the first payment at once, then all payments of a minute together", async () => {
    const shown = await noticesOf(125);

    assert.deepEqual(
      shown.map(({ title }) => title),
      ["1 payments", "60 payments", "60 payments"],
    );
    assert.deepEqual(shown[0]?.buttons, ["Show", "Mute"]);
  });

  it("reports payments at once if the setting requests it", async () => {
    editor.settings[SETTING] = "atOnce";

    assert.equal((await noticesOf(5)).length, 5);
  });

  it("reports nothing when it is off, and Mute turns it off", async () => {
    editor.answer = "Mute";
    editor.settings[SETTING] = "atOnce";
    const shown = await noticesOf(5);

    assert.equal(shown.length, 1);
    assert.equal(editor.settings[SETTING], "off");
  });

  it("reports nothing that another window shows", async () => {
    assert.deepEqual(await noticesOf(5, { shownHere: false }), []);
  });
});
