import assert from "node:assert/strict";
import { party } from "../../../../../test/support/incoming/incoming-fixture.ts";
import type { Json } from "../../../../tron/src/primitives/json.ts";
import { parseTransactionInfo } from "../../../src/gateway/wire/transaction.ts";

const noted = (text: string): string => Buffer.from(text).toString("hex");

function transfersOf(...internal: readonly Json[]) {
  return parseTransactionInfo({ id: "ab".repeat(32), blockNumber: 5, internal_transactions: internal })?.internal;
}

function moved(change: { readonly [name: string]: Json } = {}): Json {
  return {
    caller_address: party(1),
    transferTo_address: party(2),
    note: noted("call"),
    callValueInfo: [{ callValue: 5 }, { callValue: 7, tokenId: "1000001" }, {}],
    ...change,
  };
}

describe("internal transactions of a receipt", () => {
  it("are payments of coins and tokens, and none for an amount of 0", () => {
    const between = { from: party(1), to: party(2) };

    assert.deepEqual(transfersOf(moved({ rejected: true }), moved()), [
      { ...between, amount: 5n, position: "1.0" },
      { ...between, amount: 7n, position: "1.1", tokenId: "1000001" },
    ]);
  });

  it("are no payments when they were undone, or record a stake, a delegation or a vote", () => {
    const notes = ["freezeBalanceV2ForEnergy", "delegateResourceOfEnergy", "voteWitness", "unDelegateResourceOfEnergy"];

    assert.deepEqual(transfersOf(moved({ rejected: true }), ...notes.map((it) => moved({ note: noted(it) }))), []);
  });

  it("are absent when the node stores none", () => {
    assert.equal(parseTransactionInfo({ id: "ab".repeat(32), blockNumber: 5 })?.internal, undefined);
  });
});
