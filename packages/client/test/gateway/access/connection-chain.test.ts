import assert from "node:assert/strict";
import { wireBlock } from "../../../../../test/support/fakes/wire-block.ts";
import type { BlockId } from "../../../../tron/src/primitives/block.ts";
import type { ChainId } from "../../../src/chain/chain-place.ts";
import { type ChainSeen, judgeChain, type TimeReference } from "../../../src/gateway/access/connection-chain.ts";
import type { CheckName } from "../../../src/gateway/access/finding.ts";
import type { Block } from "../../../src/gateway/gateway.ts";
import { parseBlock } from "../../../src/gateway/wire/block.ts";

const NOW = Date.UTC(2026, 0, 1);
const CHAIN = `${"0".repeat(16)}${"ab".repeat(24)}` as ChainId;
const OTHER = `${"0".repeat(16)}${"cd".repeat(24)}` as ChainId;
const TIME: TimeReference = { now: NOW, isMeasured: true, local: false };

const block = (number: number, ageMs: number, parent = "11"): Block =>
  parseBlock(wireBlock({ number, timestamp: NOW - ageMs, parentId: parent.repeat(32) as BlockId }));
const SOLID = block(981, 60_000);
const SEEN: ChainSeen = {
  head: block(1_000, 3_000),
  solid: SOLID,
  headChain: CHAIN,
  solidChain: CHAIN,
  headAtSolid: SOLID,
  version: "4.8.0",
};

function judge(check: CheckName, change: Partial<ChainSeen>, time: Partial<TimeReference> = {}): string {
  const found = judgeChain({ ...SEEN, ...change }, { ...TIME, ...time }).find((it) => it.check === check);
  return found === undefined ? "nothing" : `${found.status}: ${found.sentence}`;
}

describe("what a connection test reads of the chain", () => {
  it("is fine where both sides agree and keep up", () => {
    assert.deepEqual(
      judgeChain(SEEN, TIME).map(({ check, status }) => [check, status]),
      ["same-chain", "fork", "head", "solidified", "version"].map((it) => [it, "ok"]),
    );
  });

  it("says nothing of blocks where the two sides are different chains", () => {
    assert.match(judge("same-chain", { solidChain: OTHER }), /^failed: .*different chains/);
    assert.equal(judge("head", { solidChain: OTHER }), "nothing");
  });

  it("tells a side that has another block at the same height", () => {
    assert.match(judge("fork", { headAtSolid: block(981, 60_000, "22") }), /^failed: .*different blocks 981/);
    assert.match(judge("fork", { headAtSolid: undefined }), /^skipped/);
  });

  it("tells how old the newest block is, by the gateway's clock where it is known", () => {
    const old = (blocks: number) => ({ head: block(1_000, blocks * 3_000) });

    assert.match(judge("head", old(5)), /^ok: .* 1,000, 15 s old/);
    assert.match(judge("head", old(10)), /^warning: .* 30 s old/);
    assert.match(judge("head", old(40)), /^failed: .* 2 min old: the node/);
    assert.match(judge("head", old(40), { isMeasured: false }), /2 min old by the clock of this computer/);
    assert.match(judge("head", old(-40)), /^warning: .* ahead of the clock/);
    assert.match(judge("head", old(200_000), { local: true }), /^ok/);
    assert.match(judge("head", { head: undefined }), /^skipped: \/wallet\/getnowblock is not served/);
  });

  it("tells how far the solidified data are behind, or that they are of a node that is ahead", () => {
    const behind = (blocks: number) => ({ solid: block(1_000 - blocks, 60_000) });

    assert.match(judge("solidified", behind(19)), /^ok: .*19 blocks behind/);
    assert.match(judge("solidified", behind(50)), /^warning: .*50 blocks behind/);
    assert.match(judge("solidified", behind(200)), /^failed: .*200 blocks behind/);
    assert.match(judge("solidified", behind(200), { local: true }), /^ok/);
    assert.match(judge("solidified", behind(-20)), /^failed: .*20 blocks ahead/);
    assert.match(judge("solidified", { head: undefined, solid: block(981, 600_000) }), /^failed: .*10 min old/);
    assert.match(judge("solidified", { solid: undefined }), /^skipped/);
  });

  it("compares versions number by number", () => {
    for (const version of ["4.7.0.1", "4.7.1", "4.10.0", "5", "GreatVoyage"])
      assert.match(judge("version", { version }), /^ok/, version);
    for (const version of ["4.7.0", "4.6.9.9", "3.9"])
      assert.match(judge("version", { version }), /^warning: .*need 4\.7\.0\.1/, version);
    assert.match(judge("version", { version: undefined }), /^skipped/);
    assert.ok(judge("version", { version: "9".repeat(5_000) }).length < 100);
  });
});
