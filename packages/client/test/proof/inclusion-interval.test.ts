import assert from "node:assert/strict";
import fc from "fast-check";
import { rawDataFor } from "../../../../test/support/random/random-chains.ts";
import { anyIntent, anyValidity } from "../../../../test/support/tracking/intents.ts";
import { BLOCK_INTERVAL_MS, type BlockId } from "../../../tron/src/primitives/block.ts";
import { bytesToHex, type Hex } from "../../../tron/src/primitives/bytes.ts";
import { rawDataFromIntent, readLifetime } from "../../../tron/src/transaction/built-transaction.ts";
import { decodeRawData, encodeRawData } from "../../../tron/src/transaction/raw-data-codec.ts";
import {
  estimatedLast,
  inclusionInterval,
  intervalAfter,
  isLast,
  proofCost,
  proofCostOfSigned,
  REFERENCE_BLOCKS,
} from "../../src/proof/inclusion-interval.ts";

const expiration = 1_000_000;
const idAt = (height: number): BlockId => `${height.toString(16).padStart(16, "0")}${"ab".repeat(24)}` as BlockId;
const intervalOf = (reference: number, solidHeight: number) =>
  inclusionInterval({ rawDataHex: rawDataFor(idAt(reference), expiration, 1), expiration, solidHeight });

describe("inclusionInterval", () => {
  it("H2: begins after the reference block of the bytes at any reported height", () => {
    assert.deepEqual(
      [98, 97, 60, 5].map((reference) => intervalOf(reference, 100).first),
      [99, 98, 61, 6],
    );
    assert.equal(intervalOf(98, 40_000).first, 99);
    assert.equal(intervalOf(105, 100).first, 106);
  });

  it("ends 65,536 blocks after the reference block", () => {
    assert.equal(intervalOf(98, 100).limit, 98 + REFERENCE_BLOCKS);
    assert.equal(intervalOf(70_000, 70_100).limit, 70_000 + REFERENCE_BLOCKS);
  });

  it("H2: is anchored by the reference block and by no other block of its height", () => {
    const block = { number: 105, id: idAt(105), timestamp: expiration - 1 };
    const other = { ...block, id: `${idAt(105).slice(0, 16)}${"cd".repeat(24)}` as BlockId };
    const interval = intervalOf(105, 100);

    assert.deepEqual(intervalAfter(interval, block), { ...interval, anchored: true });
    assert.equal(intervalAfter(interval, other), undefined);
    assert.equal(interval.anchored, false);
  });

  it("H2: tries each height that matches a distant reference block, without an anchor", () => {
    const heights = [0, 1, 2].map((attempt) =>
      inclusionInterval({ rawDataHex: rawDataFor(idAt(500), expiration, 1), expiration, solidHeight: 80_000 }, attempt),
    );

    assert.deepEqual(
      heights.map(({ first, anchored }) => [first, anchored]),
      [
        [66_037, false],
        [131_573, false],
        [66_037, false],
      ],
    );
  });

  it("begins two rounds of witnesses before the reference block, at least at block 0", () => {
    assert.equal(intervalOf(98, 100).from, 98 - 2 * 27);
    assert.equal(intervalOf(0, 5).from, 0);
    assert.equal(intervalAfter(intervalOf(0, 5), { number: 0, id: idAt(0), timestamp: 0 })?.anchored, true);
  });

  it("S81 ends with the first block whose time reaches the expiration", () => {
    const interval = intervalOf(98, 100);

    assert.deepEqual(
      [expiration - 1, expiration, expiration + 1].map((timestamp) => isLast(interval, { timestamp })),
      [false, true, true],
    );
  });

  it("estimates its last block from the block interval", () => {
    assert.equal(estimatedLast(intervalOf(98, 100), { number: 100, timestamp: expiration - 60_000 }), 120);
    assert.equal(estimatedLast(intervalOf(98, 100), { number: 100, timestamp: expiration }), 100);
  });

  it("H2: has no anchor for bytes that cannot be read", () => {
    const interval = inclusionInterval({ rawDataHex: "0a" as Hex, expiration, solidHeight: 100 });

    assert.equal(interval.anchored, false);
    assert.equal(intervalAfter(interval, { number: 100, id: idAt(100), timestamp: 1 }), undefined);
    assert.equal(intervalAfter(interval, { number: 101, id: idAt(101), timestamp: 1 }), undefined);
  });
});

describe("readLifetime", () => {
  it("returns the values that the codec reads from random transactions", () => {
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

  it("returns undefined for truncated or other bytes", () => {
    const whole = rawDataFor(idAt(5), expiration, 1);

    for (const text of ["", "ff", "00000001", whole.slice(0, 10), whole.slice(0, 28)]) {
      assert.equal(readLifetime(text as Hex), undefined, text);
    }
  });
});

const solid = { number: 1_000, timestamp: 90_000_000 };
const reference = `${(1_000).toString(16).padStart(16, "0")}${"c".repeat(48)}` as BlockId;
const signed = (lifetimeMs: number) => {
  const expiration = solid.timestamp + lifetimeMs;
  return { rawDataHex: rawDataFor(reference, expiration, solid.timestamp - 1), expiration, solidHeight: solid.number };
};

describe("proofCost and proofCostOfSigned", () => {
  it("count blocks from two rounds before the reference block to the expiration, 100 per request", () => {
    assert.deepEqual(proofCost(signed(20 * BLOCK_INTERVAL_MS), solid), { blocks: 75, requests: 1 });
    assert.deepEqual(proofCost(signed(250 * BLOCK_INTERVAL_MS), solid), { blocks: 305, requests: 4 });
  });

  it("add the usual distance of the solidified head for a signed transaction", () => {
    assert.deepEqual(proofCostOfSigned(signed(20 * BLOCK_INTERVAL_MS)), { blocks: 94, requests: 1 });
  });

  it("return undefined for bytes with impossible times", () => {
    const expiration = solid.timestamp;

    assert.equal(proofCostOfSigned({ rawDataHex: rawDataFor(reference, expiration, 1), expiration: 1 }), undefined);
    const old = { rawDataHex: rawDataFor(reference, expiration, 1), expiration: 86_400_000 * 2 };
    assert.equal(proofCostOfSigned(old), undefined);
  });
});
