import assert from "node:assert/strict";
import * as fc from "fast-check";
import {
  bytesToHex,
  equalBytes,
  hex,
  hexToBytes,
  isHexPairs,
  parseTxId,
  sha256,
  shorten,
} from "../../src/primitives/bytes.ts";
import { merkleRoot } from "../../src/transaction/built-transaction.ts";

describe("hex and bytes", () => {
  it("are unchanged after a round trip", () => {
    return fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        assert.deepEqual(hexToBytes(bytesToHex(bytes)), bytes);
      }),
    );
  });

  it("are read with 0x and capitals", () => {
    assert.equal(hex("0xDEad"), "dead");
    assert.equal(hex("0XBEEF"), "beef");
    assert.equal(hex(""), "");
    assert.equal(hex("0x"), "");
  });

  it("are not read from other texts", () => {
    for (const text of ["a", "0xa", "zz", "0x0xaa", "aa ", "aa\n", "aa\naa", "ａａ"])
      assert.throws(() => hexToBytes(text), { code: "HEX_MALFORMED" }, text);
  });

  it("are printed from a view into a larger buffer", () => {
    assert.equal(bytesToHex(Uint8Array.of(0, 1, 2, 3).subarray(1, 3)), "0102");
  });

  it("are copied, so that a view does not expose its pool", () => {
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
  it("is true for pairs of hex digits only", () => {
    for (const text of ["00ff", "00FF"]) assert.equal(isHexPairs(text), true, text);
    for (const text of ["", "0", "0x00", "0g", "00\n"]) assert.equal(isHexPairs(text), false, text);
  });
});

describe("shorten", () => {
  it("keeps a short text, and cuts a long one with an ellipsis", () => {
    assert.equal(shorten("abc", 3), "abc");
    assert.equal(shorten("abcd", 3), "ab…");
  });
});

describe("sha256", () => {
  it("returns SHA-256", () => {
    assert.equal(
      bytesToHex(sha256(Buffer.from("message digest"))),
      "f7846f55cf23e14eebeab5b4e1550cad5b509e3348fbc4efa3a1413d393cb650",
    );
  });
});

describe("parseTxId", () => {
  const txId = "6303c7639f591407ef9f34a7ac8c9c9a21151f5a6af21924502515734fc267ab";

  it("reads a txID with 0x, capitals and blanks, and nothing else", () => {
    for (const text of [txId, txId.toUpperCase(), `0x${txId}`, ` ${txId}\n`]) assert.equal(parseTxId(text), txId, text);
    for (const text of ["", txId.slice(1), `${txId}0`, txId.replace("6", "g"), `${txId} ${txId}`])
      assert.equal(parseTxId(text), undefined, text);
  });
});

describe("merkleRoot", () => {
  const leaf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
  const pair = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(Buffer.concat([left, right]));

  it("returns zero for no leaves, and a single leaf unchanged", () => {
    assert.deepEqual(merkleRoot([]), leaf(0));
    assert.deepEqual(merkleRoot([leaf(7)]), leaf(7));
  });

  it("hashes pairs, and passes an odd leaf up unchanged", () => {
    const [a, b, c, d, e] = [leaf(1), leaf(2), leaf(3), leaf(4), leaf(5)] as const;

    assert.deepEqual(merkleRoot([a, b, c]), pair(pair(a, b), c));
    assert.deepEqual(merkleRoot([a, b, c, d, e]), pair(pair(pair(a, b), pair(c, d)), e));
  });
});
