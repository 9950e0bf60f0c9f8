import assert from "node:assert/strict";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import type { BlockId } from "../../../tron/src/primitives/block.ts";
import { newSolidifiedBlocks, type ScanCursor } from "../../src/proof/solidified-blocks.ts";

const { signal } = new AbortController();

async function scan(gateway: FakeGateway, after: ScanCursor): Promise<number[]> {
  const heights: number[] = [];
  for await (const run of newSolidifiedBlocks(gateway, after, signal)) heights.push(...run.map((it) => it.number));
  return heights;
}

function chainOf(blocks: number): FakeGateway {
  const gateway = new FakeGateway();
  gateway.mineEmpty(blocks);
  gateway.solidify();
  return gateway;
}

describe("newSolidifiedBlocks", () => {
  it("returns one new block with the poll itself", async () => {
    const gateway = chainOf(8);

    assert.deepEqual(await scan(gateway, { number: 7 }), [8]);
    assert.deepEqual(gateway.requests, ["solidBlock"]);
  });

  it("reads missed blocks with one request for 100 blocks", async () => {
    const gateway = chainOf(205);

    const heights = await scan(gateway, { number: 2 });

    assert.deepEqual(
      heights,
      Array.from({ length: 203 }, (_, index) => index + 3),
    );
    assert.deepEqual(gateway.requests, [
      "solidBlock",
      "solidBlocks 3 103",
      "solidBlocks 103 203",
      "solidBlocks 203 205",
    ]);
  });

  it("returns nothing when the node is behind", async () => {
    const gateway = chainOf(8);

    assert.deepEqual(await scan(gateway, { number: 11 }), []);
    assert.deepEqual(await scan(gateway, { number: 8 }), []);
  });

  it("S74 returns only solidified blocks", async () => {
    const gateway = new FakeGateway();
    gateway.mineEmpty(60);
    gateway.solidify(50);

    assert.equal((await scan(gateway, { number: 0 })).at(-1), 50);
    const cursor = gateway.solid;
    gateway.reorganise(5);
    gateway.mineEmpty(5);
    gateway.solidify();

    assert.deepEqual(await scan(gateway, cursor), [51, 52, 53, 54, 55, 56, 57, 58, 59, 60]);
  });

  it("stops at a missing block, and continues when it is available", async () => {
    const gateway = chainOf(6);
    const hole = gateway.solid;
    gateway.mineEmpty(3);
    gateway.solidify();
    gateway.replaceBlock(6, { number: 60 });

    await assert.rejects(scan(gateway, { number: 4 }), { code: "CHAIN_BLOCK_MISSING", details: { height: 6 } });

    gateway.replaceBlock(6, hole);
    assert.deepEqual(await scan(gateway, { number: 4 }), [5, 6, 7, 8, 9]);
  });

  it("refuses a first block with another parent", async () => {
    const gateway = chainOf(6);
    const expectedParent = "ff".repeat(32) as BlockId;

    const broken = scan(gateway, { number: 5, id: expectedParent });

    await assert.rejects(broken, {
      code: "CHAIN_LINK_BROKEN",
      details: { height: 6, expectedParent, parent: gateway.solid.parentId },
    });
  });

  it("refuses a block with another parent within a range", async () => {
    const gateway = chainOf(9);
    gateway.replaceBlock(7, { parentId: "ee".repeat(32) as BlockId });

    await assert.rejects(scan(gateway, { number: 4 }), { code: "CHAIN_LINK_BROKEN" });
  });
});
