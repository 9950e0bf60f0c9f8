import assert from "node:assert/strict";
import { describeButtons } from "../../../../src/features/decoder/buttons.view.ts";
import { signedPart, tracked, txId } from "../../../support/tracking/tracked.ts";

describe("the buttons of the decoder", () => {
  it("U11: send what was never sent, and send again what was", () => {
    const enough = { ...signedPart(), shared: true as const, quorum: { weight: 2n, threshold: 2n } };
    const unsent = tracked({ signed: enough });
    const unknown = tracked({ state: { kind: "unknown", reason: "" } });

    assert.deepEqual(
      [unsent, unknown].map((it) => describeButtons(txId("7f"), it, [])[0]?.label),
      ["Send", "Send Same Bytes Again"],
    );
  });
});
