import assert from "node:assert/strict";
import { describeButtons } from "../../../../src/features/tracking/life-line-buttons.view.ts";
import { signedPart, tracked } from "../../../support/tracking/tracked.ts";

/** The buttons of a file that has so much weight of 2. */
function buttonsAt(weight: bigint | undefined): readonly string[] {
  const quorum = weight === undefined ? {} : { quorum: { weight, threshold: 2n } };
  const buttons = describeButtons(tracked({ signed: { ...signedPart(), shared: true, ...quorum } }), []);
  return buttons.map(({ label, primary }) => (primary ? `* ${label}` : label));
}

describe("the buttons of a life line", () => {
  it("U11: begin with Send where the signatures are enough", () => {
    assert.deepEqual(buttonsAt(2n).slice(0, 2), ["* Send", "Add Signature…"]);
  });

  it("U11: ask for a signature where they are not, or nothing says so", () => {
    for (const weight of [1n, undefined]) assert.deepEqual(buttonsAt(weight).slice(0, 2), ["Send", "* Add Signature…"]);
  });

  it("U11: send again only what was sent before", () => {
    const [first] = describeButtons(tracked({ state: { kind: "unknown", reason: "" } }), []);

    assert.equal(first?.label, "Send Same Bytes Again");
  });
});
