import assert from "node:assert/strict";
import { shortAddress, shortTxId, withoutStop } from "../../src/format/short.ts";
import { parseAddress } from "../../src/primitives/address.ts";

const ADDRESS = parseAddress("TWAFRfZFmhVQZjxM3De7Mp5UZ9sLqWqpHp");

describe("shortAddress", () => {
  it("keeps both ends of the base58 form", () => {
    assert.equal(shortAddress(ADDRESS), "TWAFRf…qpHp");
  });

  it("returns the name of a named account", () => {
    assert.equal(
      shortAddress(ADDRESS, (it) => (it === ADDRESS ? "Alice" : undefined)),
      "Alice",
    );
  });
});

describe("withoutStop", () => {
  it("drops one full stop at the end, also a Chinese one", () => {
    assert.deepEqual(["Sale has ended.", "已结束。", "Why?", "a.b"].map(withoutStop), [
      "Sale has ended",
      "已结束",
      "Why?",
      "a.b",
    ]);
  });
});

describe("shortTxId", () => {
  it("keeps both ends", () => {
    assert.equal(shortTxId(`abcdef${"0".repeat(54)}9876`), "abcdef…9876");
  });
});
