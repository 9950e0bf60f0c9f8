import assert from "node:assert/strict";
import type { BlockId } from "../../../../src/core/primitives/block.ts";
import { BLOCK_INTERVAL_MS } from "../../../../src/core/primitives/chain-constants.ts";
import { describeProofCost, proofCost, proofCostOfSigned } from "../../../../src/core/proof/proof-cost.ts";
import { rawDataFor } from "../../../support/random/random-chains.ts";

const solid = { number: 1_000, timestamp: 90_000_000 };
const reference = `${(1_000).toString(16).padStart(16, "0")}${"c".repeat(48)}` as BlockId;
const signed = (lifetimeMs: number) => {
  const expiration = solid.timestamp + lifetimeMs;
  return { rawDataHex: rawDataFor(reference, expiration, solid.timestamp - 1), expiration, solidHeight: solid.number };
};

describe("the cost of a proof of absence", () => {
  it("is the blocks from two rounds of witnesses before the reference block until the expiration, 100 a request", () => {
    assert.deepEqual(proofCost(signed(20 * BLOCK_INTERVAL_MS), solid), { blocks: 75, requests: 1 });
    assert.deepEqual(proofCost(signed(250 * BLOCK_INTERVAL_MS), solid), { blocks: 305, requests: 4 });
  });

  it("counts the usual distance of the solidified head for one that is signed already", () => {
    assert.deepEqual(proofCostOfSigned(signed(20 * BLOCK_INTERVAL_MS)), { blocks: 94, requests: 1 });
  });

  it("is not guessed from bytes whose times cannot be", () => {
    const expiration = solid.timestamp;

    assert.equal(proofCostOfSigned({ rawDataHex: rawDataFor(reference, expiration, 1), expiration: 1 }), undefined);
    const old = { rawDataHex: rawDataFor(reference, expiration, 1), expiration: 86_400_000 * 2 };
    assert.equal(proofCostOfSigned(old), undefined);
  });

  it("reads as words", () => {
    assert.equal(describeProofCost({ blocks: 21, requests: 1 }), "about 21 solidified blocks, in 1 request");
    assert.equal(
      describeProofCost({ blocks: 28_821, requests: 289 }),
      "about 28,821 solidified blocks, in 289 requests",
    );
  });
});
