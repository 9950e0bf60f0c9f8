import assert from "node:assert/strict";
import { testChainOf } from "../../../test/support/chain/test-chain.ts";
import { dice } from "../../../test/support/random/dice.ts";
import { howOften } from "../../../test/support/random/how-often.ts";
import type { Json } from "../../tron/src/primitives/json.ts";
import { type BlockInterval, createSimulation, type LocalChainOptions } from "../src/simulation/simulation.ts";

const START = Date.UTC(2026, 0, 1);
const STEPS = howOften(20, 300);

/** Runs random requests, and checks the time of each block against the table in docs/local-chain.md. */
async function checkTimes(
  options: LocalChainOptions & { readonly blockTimeMs: BlockInterval },
  seed: number,
): Promise<void> {
  let now = START;
  const simulation = await createSimulation({ now: () => now, accounts: 2, ...options });
  const { chain, producer } = simulation;
  const test = testChainOf(simulation);
  const roll = dice(seed);
  const tre = async (method: string, ...params: readonly Json[]): Promise<void> => {
    assert.equal((await test.ask("/tre", { jsonrpc: "2.0", id: 1, method, params })).error, undefined, method);
  };
  const head = (): number => chain.head.header.timestamp;
  const pending = { at: undefined as number | undefined };
  const set = (at: number): void => {
    pending.at = at;
  };
  const steps: readonly (() => unknown)[] = [
    () => tre("tre_mine", { blocks: 1 + roll(5) }),
    () => test.ask("/local/mine", { blocks: 1 + roll(9) }),
    () => test.send(test.transfer()),
    () => chain.produceBlock("near"),
    async () => {
      const ms = 1 + roll(20_000);
      set((pending.at ?? head()) + ms);
      await test.ask("/local/warp", { ms, mine: false });
    },
    async () => {
      set(head() + 1 + roll(10_000_000));
      await tre("tre_setNextBlockTimestamp", String(pending.at));
    },
    () => tre("tre_blockTime", roll(4)),
    () => {
      now += roll(10_000);
    },
  ];
  for (let step = 0; step < STEPS; step += 1) {
    const before = chain.head.header;
    await steps[roll(steps.length)]?.();
    for (let height = before.number + 1; height <= chain.head.header.number; height += 1) {
      const time = chain.block(height)?.header.timestamp ?? 0;
      const parent = chain.block(height - 1)?.header.timestamp ?? 0;
      const where = `step ${step}, block ${height}, ${JSON.stringify(options)}, seed ${seed}`;
      if (pending.at !== undefined) {
        assert.equal(time, pending.at, where);
        pending.at = undefined;
      } else if (options.seed !== undefined) {
        assert.equal(time - parent, 3_000, where);
      } else {
        assert.ok(time - parent >= producer.minGapMs, `${time - parent} ms: ${where}`);
      }
    }
  }
}

describe("block times by mode", () => {
  const modes: readonly BlockInterval[] = [0, "instant", 200, 1_000, 3_000];
  for (const blockTimeMs of modes) {
    it(`are exact after a set time, and otherwise keep their distance, with a block time of ${blockTimeMs}`, async () => {
      for (const witnesses of [1, 3]) {
        await checkTimes({ blockTimeMs, witnesses }, witnesses);
        await checkTimes({ blockTimeMs, witnesses, minBlockGapMs: 1 }, witnesses + 10);
        await checkTimes({ blockTimeMs, witnesses, seed: "times" }, witnesses + 20);
      }
    });
  }

  it("keep the minimum distance of a timer that is faster than a second", async () => {
    const { producer } = await createSimulation({ blockTimeMs: 200 });
    assert.equal(producer.minGapMs, 200);
    producer.change(60_000);
    assert.equal(producer.minGapMs, 1_000);
  });
});
