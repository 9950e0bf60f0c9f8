import assert from "node:assert/strict";
import fc from "fast-check";
import { howOften } from "../../../../../test/support/random/how-often.ts";
import type { BlockId } from "../../../../tron/src/primitives/block.ts";
import type { Block } from "../../../src/gateway/gateway.ts";
import { GatewayMemory } from "../../../src/gateway/http/gateway-memory.ts";
import { SolidHead } from "../../../src/gateway/http/solid-head.ts";

/** Solidified blocks by their height, as a node keeps them. */
class Heights {
  newest: number;
  /** Older ones were thrown away. */
  oldest: number;
  head: number | undefined;
  fork = 0;
  asked: number[] = [];

  constructor(newest: number, { oldest = 0, head }: { oldest?: number; head?: number | undefined } = {}) {
    this.newest = newest;
    this.oldest = oldest;
    this.head = head;
  }

  blockAt = async (height: number): Promise<Block | undefined> => {
    this.asked.push(height);
    return height >= this.oldest && height <= this.newest ? this.block(height) : undefined;
  };

  block(number: number): Block {
    const [id, parentId] = [number, number - 1].map((it) => `${this.fork}-${it}` as BlockId);
    return { number, id, parentId, timestamp: number * 3_000, transactions: [], complete: true } as unknown as Block;
  }

  search(memory = new GatewayMemory()): SolidHead {
    return new SolidHead({ memory, url: "u", blockAt: this.blockAt, headHeight: async () => this.head });
  }

  /** What was asked since the last call. */
  count(): number {
    return this.asked.splice(0).length;
  }
}

describe("the newest solidified block, by heights alone", () => {
  it("is found right below the newest block of all, whatever the lag, with a few requests", async () => {
    const lags = fc.tuple(fc.integer({ min: 0, max: 90_000_000 }), fc.integer({ min: 0, max: 200 }));
    assert.equal((await new Heights(0, { head: 4 }).search().newest())?.number, 0);
    await fc.assert(
      fc.asyncProperty(lags, async ([newest, lag]) => {
        const node = new Heights(newest, { head: newest + lag });
        assert.equal((await node.search().newest())?.number, newest);
        assert.ok(node.count() <= 2 * Math.ceil(Math.log2(lag + 2)) + 2, `${newest} ${lag}`);
      }),
      { numRuns: howOften(200, 5_000) },
    );
  });

  it("is found where nothing tells the head, by steps that grow", async () => {
    for (const newest of [1, 2, 3, 4, 5, 17, 1_000, 77_000_000]) {
      const node = new Heights(newest);
      assert.equal((await node.search().newest())?.number, newest);
      assert.ok(node.count() <= 45);
    }
  });

  it("is found on a node that threw its old blocks away, when the head is told; else nothing is claimed", async () => {
    const node = new Heights(77_000_000, { oldest: 76_999_000, head: 77_000_018 });
    assert.equal((await node.search().newest())?.number, 77_000_000);
    node.head = undefined;
    assert.equal(await node.search().newest(), undefined);
  });

  it("is followed with one request while there is nothing new, and with one more than there are new blocks", async () => {
    const node = new Heights(1_000, { head: 1_018 });
    const search = node.search();
    await search.newest();
    node.count();
    for (const [fresh, requests] of [
      [0, 1],
      [1, 2],
      [2, 3],
      [3, 4],
    ] as const) {
      node.newest += fresh;
      assert.equal((await search.newest())?.number, node.newest);
      assert.equal(node.count(), requests, `${fresh} new`);
    }
    node.newest += 5_000;
    assert.equal((await search.newest())?.number, node.newest);
    assert.ok(node.count() < 30);
  });

  it("is remembered for every gateway object of the URL", async () => {
    const [memory, node] = [new GatewayMemory(), new Heights(500, { head: 518 })];
    await node.search(memory).newest();
    node.count();
    assert.equal((await node.search(memory).newest())?.number, 500);
    assert.equal(node.count(), 1);
  });

  it("stays what was seen when a node answers that is behind, and goes on when it catches up", async () => {
    const node = new Heights(900, { head: 918 });
    const search = node.search();
    await search.newest();
    node.newest = 899;
    assert.equal((await search.newest())?.number, 900);
    node.newest = 901;
    assert.equal((await search.newest())?.number, 901);
  });

  it("is looked for anew when the chain goes on after another block, or is another one for several looks", async () => {
    const node = new Heights(900, { head: 918 });
    const search = node.search();
    await search.newest();
    node.fork = 1;
    node.newest = 901;
    assert.equal((await search.newest())?.id, "1-901");

    node.fork = 2;
    node.newest = 40;
    node.head = 58;
    const seen = [];
    for (let look = 0; look < 4; look++) seen.push((await search.newest())?.number);
    assert.deepEqual(seen, [901, 901, 40, 40]);
  });

  it("ends also where every height is told to be there", async () => {
    const node = new Heights(Number.MAX_SAFE_INTEGER);
    const search = node.search();
    assert.ok(((await search.newest())?.number ?? 0) >= 2 ** 34);
    assert.ok(node.count() < 60);
  });
});
