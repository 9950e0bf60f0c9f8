import assert from "node:assert/strict";
import fc from "fast-check";
import type { BlockId } from "../../../../src/core/primitives/block.ts";
import type { Hex } from "../../../../src/core/primitives/bytes.ts";
import { bytesToHex } from "../../../../src/core/primitives/bytes.ts";
import {
  estimatedLast,
  inclusionInterval,
  intervalAfter,
  isLast,
  REFERENCE_BLOCKS,
} from "../../../../src/core/replacement/inclusion-interval.ts";
import { decodeRawData, encodeRawData } from "../../../../src/core/transaction/raw-data-codec.ts";
import { rawDataFromIntent } from "../../../../src/core/transaction/raw-data-from-intent.ts";
import { readLifetime } from "../../../../src/core/transaction/raw-data-reader.ts";
import { anyIntent, anyValidity } from "../../../support/intents.ts";
import { rawDataFor } from "../../../support/random-chains.ts";

const expiration = 1_000_000;
const idAt = (height: number): BlockId => `${height.toString(16).padStart(16, "0")}${"ab".repeat(24)}` as BlockId;
const intervalOf = (reference: number, solidHeight: number) =>
  inclusionInterval({ rawDataHex: rawDataFor(idAt(reference), expiration, 1), expiration, solidHeight });

describe("inclusionInterval", () => {
  it("begins after the solidified height that was known before the first signature", () => {
    assert.equal(intervalOf(98, 100).first, 101);
  });

  it("ends at most 65,536 blocks after the reference block", () => {
    assert.equal(intervalOf(98, 100).limit, 98 + REFERENCE_BLOCKS);
    assert.equal(intervalOf(70_000, 70_100).limit, 70_000 + REFERENCE_BLOCKS);
  });

  it("begins after the reference block when that turns out to be the later one", () => {
    const block = { number: 105, id: idAt(105), timestamp: expiration - 1 };
    const other = { ...block, id: `${idAt(105).slice(0, 16)}${"cd".repeat(24)}` as BlockId };

    const { first, limit } = intervalAfter(intervalOf(105, 100), block);

    assert.deepEqual({ first, limit }, { first: 106, limit: 105 + REFERENCE_BLOCKS });
    assert.equal(intervalAfter(intervalOf(105, 100), other).first, 101);
  });

  it("reads along the reference block when it is near, because it tells one chain from another", () => {
    const { from, anchored } = intervalOf(98, 100);
    const met = { number: 98, id: idAt(98), timestamp: 1 };

    assert.deepEqual({ from, anchored }, { from: 98, anchored: false });
    assert.deepEqual(intervalAfter(intervalOf(98, 100), met), { ...intervalOf(98, 100), anchored: true });
    assert.deepEqual(intervalOf(105, 100).anchored, false);
    assert.deepEqual(intervalOf(500, 20_000).anchored, true);
  });

  it("reads along the genesis block too, which a transaction of a young chain refers to", () => {
    const { first, from, anchored } = intervalOf(0, 5);
    const genesis = { number: 0, id: idAt(0), timestamp: 0 };

    assert.deepEqual({ first, from, anchored }, { first: 6, from: 0, anchored: false });
    assert.equal(intervalAfter(intervalOf(0, 5), genesis).anchored, true);
  });

  it("S81 ends with the first block whose time reached the expiration, that one included", () => {
    const interval = intervalOf(98, 100);

    assert.deepEqual(
      [expiration - 1, expiration, expiration + 1].map((timestamp) => isLast(interval, { timestamp })),
      [false, true, true],
    );
  });

  it("estimates its last block by the usual pace", () => {
    assert.equal(estimatedLast(intervalOf(98, 100), { number: 100, timestamp: expiration - 60_000 }), 120);
    assert.equal(estimatedLast(intervalOf(98, 100), { number: 100, timestamp: expiration }), 100);
  });

  it("needs no reference: bytes that cannot be read do not shorten it", () => {
    const interval = inclusionInterval({ rawDataHex: "0a" as Hex, expiration, solidHeight: 100 });

    const { first, from, limit, anchored } = interval;
    assert.deepEqual(
      { first, from, limit, anchored },
      { first: 101, from: 101, limit: Number.MAX_SAFE_INTEGER, anchored: true },
    );
  });
});

describe("readLifetime", () => {
  it("reads what the codec reads, of any transaction", () => {
    fc.assert(
      fc.property(anyIntent(), anyValidity, (intent, validity) => {
        const bytes = encodeRawData(rawDataFromIntent(intent, validity));
        const { raw } = decodeRawData(bytes);

        assert.deepEqual(readLifetime(bytesToHex(bytes)), {
          timestamp: validity.timestamp,
          expiration: Number(raw.expiration),
          reference: { bytes: bytesToHex(raw.refBlockBytes), hash: bytesToHex(raw.refBlockHash) },
        });
      }),
    );
  });

  it("gives nothing for bytes that are cut or are something else", () => {
    const whole = rawDataFor(idAt(5), expiration, 1);

    for (const text of ["", "ff", "00000001", whole.slice(0, 10), whole.slice(0, 28)]) {
      assert.equal(readLifetime(text as Hex), undefined, text);
    }
  });
});
