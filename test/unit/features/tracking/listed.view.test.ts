import assert from "node:assert/strict";
import { whatMayBeDone } from "../../../../src/features/tracking/listed.view.ts";
import { adopted, blockReference, tracked } from "../../../support/tracking/tracked.ts";

const block = blockReference(7);

describe("what may be done with the transactions of the list", () => {
  it("is nothing without one", () => {
    assert.equal(whatMayBeDone([]), "");
    assert.equal(whatMayBeDone([tracked({ state: { kind: "pending" }, hidden: true })]), "");
  });

  it("is what may be done with any of them, each once", () => {
    const open = tracked({ state: { kind: "unknown", reason: "reset" } });
    const final = tracked({ state: { kind: "solidified", block, outcome: { kind: "success" } } });

    assert.equal(whatMayBeDone([open, open]), "+moving+resendable+signed");
    assert.equal(whatMayBeDone([final]), "+result+signed");
    assert.equal(whatMayBeDone([final, open]), "+moving+resendable+result+signed");
  });

  it("is not to sign where somebody else's transaction is watched", () => {
    assert.equal(
      whatMayBeDone([adopted({ state: { kind: "solidified", block, outcome: { kind: "success" } } })]),
      "+result",
    );
  });
});
