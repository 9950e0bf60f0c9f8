import assert from "node:assert/strict";
import { type ChainId, parseChainId } from "../../../packages/client/src/gateway/network.ts";
import type { TrackingState } from "../../../packages/client/src/life/tracking-state.ts";
import { duplicateText } from "../../../src/sending/sending-words.ts";
import { blockReference, tracked } from "../../support/tracking/tracked.ts";

const CHAIN = parseChainId(`${"0".repeat(16)}${"a".repeat(48)}`) as ChainId;
const textOf = (state: TrackingState) =>
  duplicateText(
    "1.5 coins → Bob",
    { tracked: tracked({ state, network: "Main" }), relation: "same" },
    { network: "Main" },
  );

describe("duplicateText", () => {
  it("says that a second payment would pay twice", () => {
    const solidified: TrackingState = { kind: "solidified", block: blockReference(1), outcome: { kind: "success" } };
    assert.match(
      textOf({ kind: "unknown", reason: "" }).detail,
      /may still be executed\. A second one would pay twice/,
    );
    assert.match(textOf({ kind: "pending" }).detail, /not final yet\. A second one would pay twice/);
    assert.match(textOf(solidified).title, /executed meanwhile/);
  });

  it("H1: says under which other name the first one stands, and why it counts", () => {
    const here = { network: "Provider B", chain: CHAIN };
    const text = (network: string, relation: "same" | "untold") =>
      duplicateText("1.5 coins → Bob", { tracked: tracked({ network }), relation }, here).detail;

    assert.match(text("Provider A", "same"), /Network: Provider A, the same chain as Provider B\n/);
    assert.match(
      text("Provider A", "untold"),
      /Network: Provider A\. Whether it is another chain than Provider B could not be found out, so it counts as the same\. Try again/,
    );
    assert.doesNotMatch(text("Provider B", "same"), /Network:/);
    assert.match(text("Provider B", "untold"), /could not be found out/);
  });
});
