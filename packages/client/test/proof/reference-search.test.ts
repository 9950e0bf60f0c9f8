import assert from "node:assert/strict";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { bytesReferringTo } from "../../../../test/support/tracking/chain-places.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import type { BlockId } from "../../../tron/src/primitives/block.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import type { Block } from "../../src/gateway/gateway.ts";
import { findReference, searchReference } from "../../src/proof/inclusion-interval.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2026, 5, 1);
const HEAD = 1_000_000;
const signal = new AbortController().signal;
const idAt = (height: number): BlockId =>
  `${height.toString(16).padStart(16, "0").repeat(2)}${"c".repeat(32)}` as BlockId;

/** Returns a chain with a block every three seconds; a `foreign` one has other ids. */
function longChain({ foreign = false, behindMs = 0, head = HEAD, isGuess = false } = {}) {
  const gateway = new FakeGateway();
  const read: number[] = [];
  const block = (number: number): Block => {
    const id = foreign ? (`${idAt(number).slice(0, 16)}${"d".repeat(48)}` as BlockId) : idAt(number);
    const timestamp = NOW - behindMs - 3_000 * (head - number);
    return { number, id, timestamp, parentId: id, witness: undefined, transactions: [], complete: true };
  };
  gateway.headBlock = async () => ({ ...block(head), ...(isGuess && { isGuess }) }) as Block;
  gateway.headBlocks = async (height) => {
    read.push(height);
    return [block(height)];
  };
  return { gateway, read };
}

const search = (gateway: FakeGateway, bytes: Hex) => searchReference(gateway, bytes, { now: NOW, signal });

describe("searchReference", () => {
  it("H1: finds a recent block with two requests", async () => {
    const { gateway, read } = longChain();

    assert.equal(await search(gateway, bytesReferringTo(idAt(HEAD - 20), NOW)), "there");
    assert.deepEqual(read, [HEAD - 20]);
  });

  it("H1: finds a block of two days ago under a recent height with the same two bytes", async () => {
    const { gateway, read } = longChain();

    assert.equal(await search(gateway, bytesReferringTo(idAt(HEAD - 70_000), NOW)), "there");
    assert.deepEqual(read, [HEAD - 70_000 + 65_536, HEAD - 70_000]);
  });

  it("T3: findReference returns the height of the found block", async () => {
    const find = (gateway: FakeGateway, height: number) =>
      findReference(gateway, bytesReferringTo(idAt(height), NOW), { now: NOW, signal });

    for (const height of [HEAD, HEAD - 20, HEAD - 65_500, HEAD - 70_000]) {
      assert.deepEqual(await find(longChain().gateway, height), { answer: "there", height });
    }
    assert.deepEqual(await find(longChain({ foreign: true }).gateway, HEAD - 20), { answer: "not-there" });
  });

  it('H1: returns "not-there" when the blocks are older than the reference', async () => {
    const { gateway, read } = longChain({ foreign: true });

    assert.equal(await search(gateway, bytesReferringTo(idAt(HEAD - 20), NOW)), "not-there");
    assert.deepEqual(read.length, 4);
  });

  it("H1: reads an older block until one is older than the longest lifetime of the bytes", async () => {
    const expirationFor = (blockTime: number) => blockTime + DAY_MS + 2 * 65_536 * 3_000;
    const readsFor = async (expiration: number) => {
      const { gateway, read } = longChain({ foreign: true });
      await search(gateway, bytesReferringTo(idAt(HEAD - 20), expiration));
      return read.length;
    };
    const newest = NOW - 20 * 3_000;

    assert.deepEqual([await readsFor(expirationFor(newest)), await readsFor(expirationFor(newest) + 1)], [2, 1]);
  });

  it('H1: returns "unknown" when the search would read too many blocks', async () => {
    const { gateway, read } = longChain({ foreign: true });

    assert.equal(await search(gateway, bytesReferringTo(idAt(HEAD - 20), NOW - 60 * DAY_MS)), "unknown");
    assert.equal(read.length, 14);
  });

  it('H1: returns "unknown" when the block may still come or the newest block is minutes old', async () => {
    const behind = (behindMs: number) => search(longChain({ foreign: true, behindMs }).gateway, recent);
    const recent = bytesReferringTo(idAt(HEAD - 20), NOW);
    const short = longChain({ head: 10 });

    assert.equal(await search(longChain({ foreign: true }).gateway, bytesReferringTo(idAt(HEAD + 5), NOW)), "unknown");
    assert.deepEqual([await behind(300_000), await behind(300_001)], ["not-there", "unknown"]);
    assert.equal(await search(longChain({ foreign: true, isGuess: true }).gateway, recent), "unknown");
    assert.deepEqual([await search(short.gateway, bytesReferringTo(idAt(20), NOW)), short.read], ["unknown", []]);
  });

  it('H1: returns "unknown" without an answer, without such a block, or for bytes without a reference', async () => {
    const [silent, holey] = [longChain().gateway, longChain().gateway];
    silent.headBlocks = () => Promise.reject(new ChainError("CHAIN_BLOCK_MISSING", { height: 1 }));
    holey.headBlocks = async () => [];
    const bytes = bytesReferringTo(idAt(HEAD - 20), NOW);

    assert.deepEqual(
      [await search(silent, bytes), await search(holey, bytes), await search(longChain().gateway, "00" as Hex)],
      ["unknown", "unknown", "unknown"],
    );
  });
});
