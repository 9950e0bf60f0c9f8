import assert from "node:assert/strict";
import { sun } from "../../../../src/core/primitives/amount.ts";
import type { CallCost } from "../../../../src/core/resources/call-cost.ts";
import { changeText, noSendingOf, roomText } from "../../../../src/words/sentences/estimates.ts";

const needing = (energy: bigint) => ({ cost: { neededFeeLimit: sun(energy * 100n) } as CallCost, price: 100n });

describe("the words of an estimate", () => {
  it("name the larger room: the margin, or the stipend where a run is small", () => {
    assert.equal(roomText(needing(100_000n), 20n), "20 %");
    assert.equal(roomText(needing(7_216n), 20n), "2,300 energy");
  });

  it("show a change with its sign", () => {
    assert.deepEqual([1_204n, -20_000n].map(changeText), ["+1,204", "−20,000"]);
  });

  it("give the problems as the reason not to send, where it would fail or is not covered", () => {
    const words = { headline: "", problems: ["One.", "Two."], notes: [], figures: [] };
    assert.equal(noSendingOf({ ...words, verdict: "fails" }), "One. Two.");
    assert.equal(noSendingOf({ ...words, verdict: "short" }), "One. Two.");
    assert.equal(noSendingOf({ ...words, verdict: "unknown" }), undefined);
  });
});
