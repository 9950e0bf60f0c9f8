import assert from "node:assert/strict";
import type { BlockId } from "../../src/primitives/block.ts";
import { bytesToHex, type Hex } from "../../src/primitives/bytes.ts";
import { referenceTo, refersTo } from "../../src/transaction/built-transaction.ts";

const BLOCK = "0000000003fe262d52bfa4b2814f816fd2e57af5b98a33d60d8630a03a908e0e" as BlockId;

describe("reference block", () => {
  it("S22 consists of the low two bytes of the height and bytes 8 to 15 of the id", () => {
    const { bytes, hash } = referenceTo(BLOCK);

    assert.equal(bytesToHex(bytes), "262d");
    assert.equal(bytesToHex(hash), "52bfa4b2814f816f");
  });

  it("matches a block only when both fields match", () => {
    const [bytes, hash] = ["262d" as Hex, "52bfa4b2814f816f" as Hex];

    assert.ok(refersTo({ bytes, hash }, BLOCK));
    assert.ok(!refersTo({ bytes: "262e" as Hex, hash }, BLOCK));
    assert.ok(!refersTo({ bytes, hash: "52bfa4b2814f8170" as Hex }, BLOCK));
  });
});
