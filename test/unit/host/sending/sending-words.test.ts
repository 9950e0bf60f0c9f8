import assert from "node:assert/strict";
import { twinText } from "../../../../src/host/sending/sending-words.ts";

describe("twinText", () => {
  it("says that a second payment would pay twice", () => {
    assert.match(twinText("1.5 → Bob", "7f", "unknown").detail, /may still be executed\. A second one would pay twice/);
    assert.match(twinText("1.5 → Bob", "7f", "pending").detail, /not final yet\. A second one would pay twice/);
    assert.match(twinText("1.5 → Bob", "7f", "solidified").title, /executed meanwhile/);
  });
});
