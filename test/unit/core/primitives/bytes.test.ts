import assert from "node:assert/strict";
import * as fc from "fast-check";
import { isChainError } from "../../../../src/core/errors/chain-error.ts";
import { bytesToHex, equalBytes, hex, hexToBytes, isHexPairs, shorten } from "../../../../src/core/primitives/bytes.ts";

describe("bytes", () => {
  it("are the same after a round trip through hex", () => {
    return fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        assert.deepEqual(hexToBytes(bytesToHex(bytes)), bytes);
      }),
    );
  });

  it("are read from hex as people and nodes write it", () => {
    assert.equal(hex("0xDEad"), "dead");
    assert.equal(hex("0XBEEF"), "beef");
    assert.equal(hex(""), "");
    assert.equal(hex("0x"), "");
  });

  for (const text of ["a", "0xa", "zz", "0x0xaa", "aa ", "aa\n", "aa\naa", "ａａ"]) {
    it(`are not read from ${JSON.stringify(text)}`, () => {
      assert.throws(
        () => hexToBytes(text),
        (thrown) => isChainError(thrown) && thrown.code === "HEX_MALFORMED",
      );
    });
  }

  it("are printed right from a view into a larger buffer", () => {
    assert.equal(bytesToHex(Uint8Array.of(0, 1, 2, 3).subarray(1, 3)), "0102");
  });

  it("are copied, so that a view never leaks its pool", () => {
    assert.equal(hexToBytes("0102").buffer.byteLength, 2);
  });

  it("are equal when length and content are", () => {
    assert.ok(equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2)));
    assert.ok(!equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 2, 3)));
    assert.ok(!equalBytes(Uint8Array.of(1, 2), Uint8Array.of(1, 3)));
    assert.ok(equalBytes(new Uint8Array(), new Uint8Array()));
  });
});

describe("isHexPairs", () => {
  for (const [text, pairs] of [
    ["00ff", true],
    ["00FF", true],
    ["", false],
    ["0", false],
    ["0x00", false],
    ["0g", false],
    ["00\n", false],
  ] as const) {
    it(`says ${pairs} to ${JSON.stringify(text)}`, () => {
      assert.equal(isHexPairs(text), pairs);
    });
  }
});

describe("shorten", () => {
  it("keeps a short text and cuts a long one with a sign that it did", () => {
    assert.equal(shorten("abc", 3), "abc");
    assert.equal(shorten("abcd", 3), "ab…");
  });
});
