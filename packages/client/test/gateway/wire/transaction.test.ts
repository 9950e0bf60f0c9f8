import assert from "node:assert/strict";
import { party } from "../../../../../test/support/incoming/incoming-fixture.ts";
import type { Json } from "../../../../tron/src/primitives/json.ts";
import { parseTransactionInfo } from "../../../src/gateway/wire/transaction.ts";

const noted = (text: string): string => Buffer.from(text).toString("hex");

function internalOf(...internal: readonly Json[]) {
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
  it("have parties, operation, and amounts of coins and tokens", () => {
    const between = { from: party(1), to: party(2), note: "call" };
    const values = [{ amount: 5n }, { amount: 7n, tokenId: "1000001" }, { amount: 0n }];

    assert.deepEqual(internalOf(moved({ rejected: true }), moved()), [
      { ...between, rejected: true, values },
      { ...between, rejected: false, values },
    ]);
  });

  it("have no receiver when the node omits it", () => {
    assert.equal(internalOf(moved({ transferTo_address: "" }))?.[0]?.to, undefined);
  });

  it("are absent when the node stores none", () => {
    assert.equal(parseTransactionInfo({ id: "ab".repeat(32), blockNumber: 5 })?.internal, undefined);
  });
});
