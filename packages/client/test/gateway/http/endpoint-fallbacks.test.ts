import assert from "node:assert/strict";
import fc from "fast-check";
import { FakeClock } from "../../../../../test/support/fakes/fake-clock.ts";
import { howOften } from "../../../../../test/support/random/how-often.ts";
import { ChainError } from "../../../../tron/src/errors/chain-error.ts";
import { parseAddress } from "../../../../tron/src/primitives/address.ts";
import type { BlockId } from "../../../../tron/src/primitives/block.ts";
import type { Hex } from "../../../../tron/src/primitives/bytes.ts";
import type { Block, SimulatedRun } from "../../../src/gateway/gateway.ts";
import { BlockRanges, readState, SolidHead, stateRun } from "../../../src/gateway/http/endpoint-fallbacks.ts";
import type { HeightRange } from "../../../src/gateway/http/endpoints.ts";
import { GatewayMemory } from "../../../src/gateway/http/http-reader.ts";

/** Solidified blocks of a node by height. */
class Heights {
  newest: number;
  /** Height of the oldest stored block. */
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

  /** Returns the number of requests since the last call. */
  count(): number {
    return this.asked.splice(0).length;
  }
}

describe("solidified head by heights", () => {
  it("is found below the head at any lag, with a few requests", async () => {
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

  it("is found without a known head, by growing steps", async () => {
    for (const newest of [1, 2, 3, 4, 5, 17, 1_000, 77_000_000]) {
      const node = new Heights(newest);
      assert.equal((await node.search().newest())?.number, newest);
      assert.ok(node.count() <= 45);
    }
  });

  it("is found on a node that pruned old blocks when the head is known, and not otherwise", async () => {
    const node = new Heights(77_000_000, { oldest: 76_999_000, head: 77_000_018 });
    assert.equal((await node.search().newest())?.number, 77_000_000);
    node.head = undefined;
    assert.equal(await node.search().newest(), undefined);
  });

  it("is followed with one request, and one more for each new block", async () => {
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

  it("is shared by all gateway objects of the URL", async () => {
    const [memory, node] = [new GatewayMemory(), new Heights(500, { head: 518 })];
    await node.search(memory).newest();
    node.count();
    assert.equal((await node.search(memory).newest())?.number, 500);
    assert.equal(node.count(), 1);
  });

  it("keeps the highest block when a node is behind, and continues when it catches up", async () => {
    const node = new Heights(900, { head: 918 });
    const search = node.search();
    await search.newest();
    node.newest = 899;
    assert.equal((await search.newest())?.number, 900);
    node.newest = 901;
    assert.equal((await search.newest())?.number, 901);
  });

  it("is searched again when the chain continues after another block or becomes another chain", async () => {
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

  it("ends when the gateway claims to have every height", async () => {
    const node = new Heights(Number.MAX_SAFE_INTEGER);
    const search = node.search();
    assert.ok(((await search.newest())?.number ?? 0) >= 2 ** 34);
    assert.ok(node.count() < 60);
  });
});

const endpoint = "https://api.chain.test";
const FAILURES = {
  "a timeout": new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason: "nichts kam", how: "timeout" }),
  "a silence with a token": new ChainError("GATEWAY_SILENT", { endpoint, reason: "nichts kam", how: "closed" }),
  "a failure of the gateway": new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 504, body: "" }),
  "an answer that is cut": new ChainError("GATEWAY_ANSWER_MALFORMED", { endpoint, reason: "it is cut", body: "" }),
};

/** Returns a gateway that answers at most `most` blocks per request, up to a height. */
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

describe("block ranges", () => {
  for (const [name, failure] of Object.entries(FAILURES)) {
    it(`are halved after ${name}, return all blocks, and grow again`, async () => {
      const { read, asked, node } = bearing(30, 1_000, failure);
      assert.deepEqual(await read(0, 100), heights(0, 100));
      assert.deepEqual(asked.slice(0, 4), [100, 50, 25, 50]);
      node.most = 100;
      asked.length = 0;
      assert.deepEqual(await read(100, 300), heights(100, 300));
      assert.ok(asked.includes(100), String(asked));
    });
  }

  it("stop at the first missing block", async () => {
    const { read, asked } = bearing(100, 42);
    assert.deepEqual(await read(40, 140), [40, 41, 42]);
    assert.deepEqual(asked, [100]);
  });

  it("are not halved for other errors or below one block", async () => {
    const refused = new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 5, reason: "connection refused" });
    const closed = bearing(0, 1_000, refused);
    await assert.rejects(closed.read(0, 100), { code: "GATEWAY_UNREACHABLE" });
    assert.deepEqual(closed.asked, [100]);

    const broken = bearing(0, 1_000, FAILURES["a failure of the gateway"]);
    await assert.rejects(broken.read(0, 100), { code: "GATEWAY_HTTP_STATUS" });
    assert.deepEqual(broken.asked, [100, 50, 25, 12, 6, 3, 1]);
  });
});

const word = (value: bigint | string): string =>
  (typeof value === "string" ? value : value.toString(16)).padStart(64, "0");
const ran = (...words: readonly (bigint | string)[]): SimulatedRun => ({
  reverted: false,
  energyUsed: 1n,
  energyPenalty: 0n,
  returned: words.map(word).join("") as Hex,
  events: [],
});

describe("full node state by constant calls", () => {
  it("sends the account and the height in the code, without coins", () => {
    const account = parseAddress("410a3a98b458fa3094cc846fe82df15c0509e9df11");
    const { data, callValue, contract, owner } = stateRun({ account, height: 77_000_000 });
    assert.equal(data, `43600052${"42602052"}73${account.slice(2)}31604052${"6304"}${"96ed40"}4060605260806000f3`);
    assert.deepEqual([callValue, contract, owner], [0n, undefined, `41${"00".repeat(20)}`]);
  });

  it("reads height, time, balance, and the ID of one of the 256 previous blocks", () => {
    const id = word("4b").padEnd(64, "0");
    const state = readState(ran(1_000n, 1_767_225_600n, 5_000_000n, id), { height: 744 });
    assert.deepEqual(state, { number: 1_000, timestamp: 1_767_225_600_000, balance: 5_000_000n, blockId: id });
    assert.equal(readState(ran(1_000n, 1n, 0n, id), { height: 743 })?.blockId, undefined);
    assert.equal(readState(ran(1_000n, 1n, 0n, id), { height: 1_000 })?.blockId, undefined);
  });

  it("returns undefined when the run failed, returned another type, or an impossible height", () => {
    assert.equal(readState({ ...ran(1n, 1n, 1n, 1n), reverted: true }, {}), undefined);
    assert.equal(readState(ran(1n, 1n, 1n), {}), undefined);
    assert.equal(readState(ran("ff".repeat(32), 1n, 1n, 1n), {}), undefined);
    assert.equal(readState(ran(1n, "ff".repeat(32), 1n, 1n), {}), undefined);
  });
});
