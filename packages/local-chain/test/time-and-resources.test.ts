import assert from "node:assert/strict";
import { type TestChain, testChainOf } from "../../../test/support/chain/test-chain.ts";
import type { Json } from "../../tron/src/primitives/json.ts";
import { createSimulation, type LocalChainOptions } from "../src/simulation/simulation.ts";

const START = Date.UTC(2026, 0, 1);

describe("chain time and recovery", () => {
  let now: number;

  /** Starts a chain with a clock that the test sets. */
  async function chainAt(options: LocalChainOptions): Promise<TestChain> {
    now = START;
    return testChainOf(await createSimulation({ now: () => now, accounts: 2, ...options }));
  }

  /** Returns the used free bandwidth after a transfer, block by block. */
  async function usages(chain: TestChain, passedMs: number): Promise<readonly Json[]> {
    const address = chain.accounts[0]?.address ?? "";
    await chain.send(chain.transfer());
    const seen: Json[] = [];
    for (let blocks = 0; blocks < 60; blocks += 1) {
      now += passedMs;
      chain.simulation.chain.produceBlock("near");
      seen.push((await chain.ask("/wallet/getaccount", { address, visible: true })).free_net_usage ?? 0);
    }
    return seen;
  }

  it("recovers by a slot per block with any block time", async () => {
    const usual = await usages(await chainAt({ seed: "test" }), 0);
    assert.ok(Number(usual.at(-1)) < Number(usual[0]));
    assert.deepEqual(await usages(await chainAt({ seed: "test", blockTimeMs: 1_000 }), 1_000), usual);
    assert.deepEqual(await usages(await chainAt({ blockTimeMs: 3_000 }), 3_000), usual);
    assert.deepEqual(await usages(await chainAt({ blockTimeMs: 1_000 }), 1_000), usual);
    assert.deepEqual(await usages(await chainAt({ blockTimeMs: 0 }), 5), usual);
  });

  it("recovers in slots without a block", async () => {
    const chain = await chainAt({ blockTimeMs: 1_000 });
    const [before] = await usages(chain, 1_000);
    now += 86_400_000;
    chain.simulation.chain.produceBlock("near");
    const address = chain.accounts[0]?.address ?? "";
    const { free_net_usage: after } = await chain.ask("/wallet/getaccount", { address, visible: true });
    assert.deepEqual([Number(before) > 0, after], [true, undefined]);
  });

  it("reports the time of the last use as chain time", async () => {
    const chain = await chainAt({ blockTimeMs: 1_000 });
    await usages(chain, 1_000);
    await usages(chain, 1_000);
    const address = chain.accounts[0]?.address ?? "";
    const { latest_consume_free_time: last } = await chain.ask("/wallet/getaccount", { address, visible: true });
    assert.ok(Number(last) <= now && Number(last) > now - 2_000_000, `${String(last)} at ${now}`);
  });

  it("moves forward by a warp until the chain is reset", async () => {
    const chain = await chainAt({ blockTimeMs: 0 });
    const time = (): number => chain.simulation.chain.head.header.timestamp - START;
    now += 6_000;
    await chain.ask("/local/warp", { ms: 86_400_000 });
    assert.equal(time(), 86_400_000);
    now += 60_000;
    await chain.ask("/local/mine");
    assert.equal(time(), 86_460_000);
    await chain.ask("/local/reset");
    await chain.ask("/local/mine");
    assert.equal(time(), 66_000);
  });
});
