import assert from "node:assert/strict";
import { blockVector } from "../../../../test/support/recorded/vectors.ts";
import type { BlockId } from "../../src/primitives/block.ts";
import type { Hex } from "../../src/primitives/bytes.ts";
import { type BlockHeader, blockId, transactionRoot } from "../../src/transaction/built-transaction.ts";

const HEADER = blockVector.header as unknown as BlockHeader;

describe("blockId", () => {
  it("vector 10: follows from the header", () => {
    assert.equal(blockId(HEADER), blockVector.id);
  });

  it("begins with the height, and depends on every other field", () => {
    const other = "ab".repeat(32);
    const changed = [
      { ...HEADER, timestamp: HEADER.timestamp + 1 },
      { ...HEADER, parentId: other as BlockId },
      { ...HEADER, transactionRoot: other as Hex },
      { ...HEADER, witness: "41" as Hex },
      { ...HEADER, version: 35 },
      { ...HEADER, accountStateRoot: other as Hex },
    ];

    const ids = [HEADER, ...changed].map(blockId);

    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.every((it) => Number.parseInt(it.slice(0, 16), 16) === HEADER.number));
  });
});

describe("transactionRoot", () => {
  it("is zero for an empty block", () => {
    assert.equal(transactionRoot([]), "00".repeat(32));
  });
});
