import assert from "node:assert/strict";
import type { TrackingState } from "../../../../src/core/life/tracking-state.ts";
import type { BlockReference } from "../../../../src/core/primitives/block.ts";
import type { TxId } from "../../../../src/core/primitives/bytes.ts";
import { forgotten } from "../../../../src/features/local-chain/forgotten.ts";

const txId = "ab".repeat(32) as TxId;
const block = { number: 7, timestamp: 1, id: "07" } as unknown as BlockReference;
const FINAL: TrackingState = { kind: "solidified", block, outcome: { kind: "success" } };
const INCLUDED: TrackingState = { kind: "included", block };
const UNKNOWN: TrackingState = { kind: "unknown", reason: "reset" };
const REJECTED: TrackingState = { kind: "rejected", code: "SIGERROR", message: "", retry: "sign-again" };
const ABSENT: TrackingState = { kind: "proven-absent", from: 1, to: 9 };

const leaves = (state: TrackingState, fate: string): boolean =>
  forgotten([{ txId, state, attempts: [] }], { [txId]: fate }).length === 1;

describe("a list whose chain went back", () => {
  it("lets go whatever the chain had and has no more", () => {
    assert.deepEqual(
      [FINAL, INCLUDED, UNKNOWN, REJECTED].map((it) => leaves(it, "lost")),
      [true, true, true, true],
    );
  });

  it("keeps as final only what is solidified", () => {
    assert.deepEqual(
      ["solid", "block", "pool"].map((fate) => leaves(FINAL, fate)),
      [false, true, true],
    );
  });

  it("keeps what is final on a chain that ended before", () => {
    assert.equal(leaves(FINAL, "unknown"), false);
  });

  it("goes on with what is not final and still there", () => {
    assert.deepEqual(
      ["solid", "block", "pool"].map((fate) => leaves(INCLUDED, fate)),
      [false, false, false],
    );
  });

  it("lets go what nobody knows to have arrived: the blocks that could tell are gone", () => {
    assert.equal(leaves(UNKNOWN, "unknown"), true);
  });

  it("keeps what had ended without the chain", () => {
    assert.deepEqual(
      [REJECTED, ABSENT].map((it) => leaves(it, "unknown")),
      [false, false],
    );
  });
});
