import assert from "node:assert/strict";
import { bytesToHex, hexToBytes } from "../../../../src/core/primitives/bytes.ts";
import { parseTxId, sha256, transactionId } from "../../../../src/core/primitives/hash.ts";
import { merkleRoot } from "../../../../src/core/primitives/merkle.ts";
import { transactionVectors } from "../../../support/recorded/vectors.ts";

describe("hash", () => {
  it("is SHA-256", () => {
    assert.equal(
      bytesToHex(sha256(Buffer.from("message digest"))),
      "f7846f55cf23e14eebeab5b4e1550cad5b509e3348fbc4efa3a1413d393cb650",
    );
  });

  for (const { name, rawDataHex, txId } of transactionVectors) {
    it(`S18 txID of the ${name} is the hash of its raw_data`, () => {
      assert.equal(transactionId(hexToBytes(rawDataHex)), txId);
    });
  }
});

describe("parseTxId", () => {
  const txId = "6303c7639f591407ef9f34a7ac8c9c9a21151f5a6af21924502515734fc267ab";

  for (const text of [txId, txId.toUpperCase(), `0x${txId}`, ` ${txId}\n`]) {
    it(`reads ${JSON.stringify(text)}`, () => {
      assert.equal(parseTxId(text), txId);
    });
  }

  for (const text of ["", txId.slice(1), `${txId}0`, txId.replace("6", "g"), `${txId} ${txId}`]) {
    it(`does not read ${JSON.stringify(text)}`, () => {
      assert.equal(parseTxId(text), undefined);
    });
  }
});

describe("merkleRoot", () => {
  const leaf = (fill: number): Uint8Array => new Uint8Array(32).fill(fill);
  const pair = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(Buffer.concat([left, right]));

  it("of nothing is zero, of one leaf the leaf", () => {
    assert.deepEqual(merkleRoot([]), leaf(0));
    assert.deepEqual(merkleRoot([leaf(7)]), leaf(7));
  });

  it("hashes pairs and lets an odd one rise unchanged", () => {
    const [a, b, c, d, e] = [leaf(1), leaf(2), leaf(3), leaf(4), leaf(5)] as const;

    assert.deepEqual(merkleRoot([a, b, c]), pair(pair(a, b), c));
    assert.deepEqual(merkleRoot([a, b, c, d, e]), pair(pair(pair(a, b), pair(c, d)), e));
  });
});
