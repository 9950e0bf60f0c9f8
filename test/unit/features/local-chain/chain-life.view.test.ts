import assert from "node:assert/strict";
import type { TrackingState } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import type { BlockReference } from "../../../../packages/tron/src/primitives/block.ts";
import type { TxId } from "../../../../packages/tron/src/primitives/bytes.ts";
import {
  complaint,
  forgotten,
  lossOf,
  parseBlocks,
  parseSpan,
  placeText,
} from "../../../../src/features/local-chain/chain-life.view.ts";

describe("what the life of a local chain is told", () => {
  it("takes whole numbers of blocks", () => {
    assert.deepEqual([parseBlocks("1"), parseBlocks(" 100000 ")], [1, 100_000]);
    for (const text of ["", "0", "-1", "1.5", "1e3", "many", "9".repeat(16)]) {
      assert.throws(() => parseBlocks(text), /whole number from 1 on/, text);
    }
  });

  it("takes spans in milliseconds, or with a unit", () => {
    assert.deepEqual(
      ["3000", "90 s", "10min", "5 m", "2 H", "1.5 d"].map(parseSpan),
      [3_000, 90_000, 600_000, 300_000, 7_200_000, 129_600_000],
    );
    for (const text of ["", "0", "-5 s", "1 week", "h", "1e300 d", "9".repeat(20)]) {
      assert.throws(() => parseSpan(text), /milliseconds/, text);
    }
  });

  it("complains in a sentence while a person types, and is silent when all is well", () => {
    assert.equal(complaint(parseBlocks)("x"), "It has to be a whole number from 1 on.");
    assert.equal(complaint(parseBlocks)("7"), undefined);
  });

  it("says what going back costs", () => {
    assert.match(lossOf(undefined, 0, 0), /^The chain goes back to its first blocks: .* as they were\.$/);
    assert.match(lossOf("here", 0, 1), /snapshot "here".*There is 1 transaction of it in the list\. What/);
    assert.match(lossOf("here", 1, 3), /There are 3 transactions of it in the list\. 1 of them is not final yet\./);
    assert.match(lossOf("here", 2, 3), /2 of them are not final yet\. .* the journal keeps it\.$/);
  });

  it("says where the chain stands", () => {
    assert.equal(placeText({ head: { number: 1_204 }, solid: { number: 7 } }), "Block 1,204 · solidified 7");
  });
});

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
