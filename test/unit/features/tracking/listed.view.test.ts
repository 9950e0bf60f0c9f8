import assert from "node:assert/strict";
import { whatMayBeDone } from "../../../../src/features/tracking/listed.view.ts";
import { adopted, blockReference, tracked } from "../../../support/tracking/tracked.ts";

const nowhere = () => undefined;
const block = blockReference(7);

describe("what may be done with the transactions of the list", () => {
  it("is nothing without one", () => {
    assert.equal(whatMayBeDone([], nowhere), "");
    assert.equal(whatMayBeDone([tracked({ state: { kind: "pending" }, hidden: true })], nowhere), "");
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

  it("is to open a page, and to ask another node, where the network of one of them has it", () => {
    const [here, there] = [adopted({ network: "Mainnet" }), adopted({ network: "Local chain" })];
    const open = tracked({ network: "Mainnet", state: { kind: "unknown", reason: "reset" } });
    const networkOf = ({ network }: { readonly network: string }) =>
      network === "Mainnet"
        ? { explorerUrl: "https://pages.example", fallbackUrls: ["https://second.example"] }
        : { fallbackUrls: [] };

    assert.match(whatMayBeDone([there, here], networkOf), /\+explorable/);
    assert.doesNotMatch(whatMayBeDone([there], networkOf), /explorable|elsewhere/);
    assert.match(whatMayBeDone([open], networkOf), /\+elsewhere/);
    assert.doesNotMatch(whatMayBeDone([open], nowhere), /elsewhere/);
  });
});
