import assert from "node:assert/strict";
import { whatMayBeDone } from "../../../../src/features/tracking/listed.view.ts";
import { adopted, blockReference, tracked } from "../../../support/tracking/tracked.ts";

const nowhere = () => false;
const block = blockReference(7);

describe("what may be done with the transactions of the list", () => {
  it("is nothing without one", () => {
    assert.equal(whatMayBeDone([], nowhere), "");
    assert.equal(
      whatMayBeDone([tracked({ state: { kind: "pending" }, hidden: true })], () => true),
      "",
    );
  });

  it("is what may be done with any of them, each once", () => {
    const open = tracked({ state: { kind: "unknown", reason: "reset" } });
    const final = tracked({ state: { kind: "solidified", block, outcome: { kind: "success" } } });

    assert.equal(whatMayBeDone([open, open], nowhere), "+moving+resendable+signed");
    assert.equal(whatMayBeDone([final], nowhere), "+result+signed");
    assert.equal(whatMayBeDone([final, open], nowhere), "+moving+resendable+result+signed");
  });

  it("is not to sign where somebody else's transaction is watched", () => {
    assert.equal(
      whatMayBeDone([adopted({ state: { kind: "solidified", block, outcome: { kind: "success" } } })], nowhere),
      "+result",
    );
  });

  it("is to open a page where the network of one of them has an explorer", () => {
    const [here, there] = [adopted({ network: "Mainnet" }), adopted({ network: "Local chain" })];
    const hasPage = ({ network }: { readonly network: string }) => network === "Mainnet";

    assert.match(whatMayBeDone([there, here], hasPage), /\+explorable\b/);
    assert.doesNotMatch(whatMayBeDone([there], hasPage), /explorable/);
  });
});
