import assert from "node:assert/strict";
import { FakeClock } from "../../../../../test/support/fakes/fake-clock.ts";
import { ChainError } from "../../../../tron/src/errors/chain-error.ts";
import type { Block } from "../../../src/gateway/gateway.ts";
import { BlockRanges } from "../../../src/gateway/http/block-ranges.ts";
import type { HeightRange } from "../../../src/gateway/http/endpoints.ts";

const endpoint = "https://api.chain.test";
const FAILURES = {
  "a timeout": new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason: "nichts kam", how: "timeout" }),
  "a silence with a token": new ChainError("GATEWAY_SILENT", { endpoint, reason: "nichts kam", how: "closed" }),
  "a failure of the gateway": new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 504, body: "" }),
  "an answer that is cut": new ChainError("GATEWAY_ANSWER_MALFORMED", { endpoint, reason: "it is cut", body: "" }),
};

/** A gateway that bears so many blocks at once, and has those up to a height. */
function bearing(most: number, newest: number, failure: Error = FAILURES["a timeout"]) {
  const asked: number[] = [];
  const node = { most, failure, asked };
  const clock = new FakeClock();
  const ranges = new BlockRanges({
    clock,
    random: () => 0,
    deadlineMs: 30_000,
    read: async ({ start, end }: HeightRange) => {
      asked.push(end - start);
      if (end - start > node.most) throw node.failure;
      const there = Math.max(0, Math.min(end, newest + 1) - start);
      return Array.from({ length: there }, (_, at) => ({ number: start + at }) as Block);
    },
  });
  const read = async (start: number, end: number): Promise<number[]> =>
    (await clock.runUntil(ranges.read({ start, end }))).map(({ number }) => number);
  return { ...node, node, read, clock, asked };
}

const heights = (start: number, end: number): number[] => Array.from({ length: end - start }, (_, at) => start + at);

describe("ranges of blocks", () => {
  for (const [name, failure] of Object.entries(FAILURES)) {
    it(`are halved after ${name}, all blocks come, and they grow again`, async () => {
      const { read, asked, node } = bearing(30, 1_000, failure);
      assert.deepEqual(await read(0, 100), heights(0, 100));
      assert.deepEqual(asked.slice(0, 4), [100, 50, 25, 50]);
      node.most = 100;
      asked.length = 0;
      assert.deepEqual(await read(100, 300), heights(100, 300));
      assert.ok(asked.includes(100), String(asked));
    });
  }

  it("stop at the first block that is not there", async () => {
    const { read, asked } = bearing(100, 42);
    assert.deepEqual(await read(40, 140), [40, 41, 42]);
    assert.deepEqual(asked, [100]);
  });

  it("are not asked in smaller pieces for what is not too much, nor below one block", async () => {
    const refused = new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 5, reason: "connection refused" });
    const closed = bearing(0, 1_000, refused);
    await assert.rejects(closed.read(0, 100), { code: "GATEWAY_UNREACHABLE" });
    assert.deepEqual(closed.asked, [100]);

    const broken = bearing(0, 1_000, FAILURES["a failure of the gateway"]);
    await assert.rejects(broken.read(0, 100), { code: "GATEWAY_HTTP_STATUS" });
    assert.deepEqual(broken.asked, [100, 50, 25, 12, 6, 3, 1]);
  });
});
