import assert from "node:assert/strict";
import { soak } from "../../../support/fault-soak.ts";

/** What a block and its transactions take; a chain keeps them all. */
const KEPT_PER_REQUEST = 4_000;

describe("the books of the embedded chain", () => {
  for (const [seed, requests] of [
    [1, 1_000],
    [2, 1_000],
    [3, 10_000],
  ] as const) {
    it(`S19 S105 S143 are balanced to the sun after ${requests} random requests under random faults, seed ${seed}`, async function () {
      this.timeout(120_000);

      const { executed, hits, blocks, heapPerRequest } = await soak(seed, requests);

      assert.ok(executed > requests / 20, `only ${executed} transactions were executed`);
      assert.ok(blocks > requests / 20, `only ${blocks} blocks`);
      assert.equal(
        hits.every((it) => it > 0),
        true,
        `a fault has not happened: ${hits}`,
      );
      assert.ok(heapPerRequest < KEPT_PER_REQUEST, `${heapPerRequest} bytes a request stay behind`);
    });
  }
});
