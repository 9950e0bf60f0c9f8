import assert from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type TestChain, testChain } from "../../../../test/support/chain/test-chain.ts";
import { dice } from "../../../../test/support/random/dice.ts";
import { howOften } from "../../../../test/support/random/how-often.ts";
import type { Json } from "../../../tron/src/primitives/json.ts";
import type { ChainSnapshot, SnapshotImage, StateImage } from "../../src/chain/chain-state.ts";
import { MAX_AGE_MS } from "../../src/chain/mempool.ts";

const CONTRACT = `41${"5e".repeat(20)}`;
const FIXTURES = howOften(200, 10_000);
const CONTRACTS = 20;
const RESTORE_MS = 1;

/** Returns the entries of a layer in a fixed order, which restored maps may not have. */
function sortedTables({ settled }: StateImage): readonly unknown[] {
  const byKey = ([a]: readonly [unknown, unknown], [b]: readonly [unknown, unknown]): number =>
    String(a) < String(b) ? -1 : 1;
  return Object.entries(settled.tables).map(([name, entries]) => [name, [...entries].sort(byKey)]);
}

function comparable({ blocks, states, ...image }: SnapshotImage): unknown {
  return { ...image, blocks, layers: states.layers, totals: states.settled.totals, tables: sortedTables(states) };
}

async function tre(chain: TestChain, method: string, ...params: readonly Json[]): Promise<Json> {
  const { result, error } = await chain.ask("/tre", { jsonrpc: "2.0", id: 1, method, params });
  assert.equal(error, undefined, method);
  return result ?? null;
}

async function randomChange(chain: TestChain, roll: (sides: number) => number): Promise<void> {
  const blocks = chain.simulation.chain;
  switch (roll(6)) {
    case 0:
      return chain.mine(1 + roll(80));
    case 1:
      return void (await tre(chain, "tre_setAccountStorageAt", CONTRACT, roll(20), roll(3)));
    case 2:
      return void (await tre(chain, "tre_setAccountBalance", `41${String(roll(90) + 10).repeat(20)}`, roll(1_000)));
    case 3:
      if (blocks.unsolidified > 0) blocks.fork(1 + roll(blocks.unsolidified), "return");
      return;
    case 4:
      return blocks.warp(1 + roll(2 * MAX_AGE_MS));
    default:
      return void (await chain.send(chain.transfer({ amount: BigInt(1 + roll(1_000)) })));
  }
}

describe("snapshots of the chain", () => {
  for (const seed of [1, 2]) {
    it(`are restored exactly in any order and across forks (seed ${seed})`, async () => {
      const roll = dice(seed);
      const chain = await testChain({ witnesses: 3 });
      const { chain: blocks } = chain.simulation;
      const taken: { readonly snapshot: ChainSnapshot; readonly image: unknown }[] = [];
      for (let step = 0; step < howOften(60, 500); step += 1) {
        for (let changes = roll(4); changes > 0; changes -= 1) await randomChange(chain, roll);
        const at = roll(Math.max(1, taken.length));
        const one = taken[at];
        if (taken.length < 3 || roll(3) === 0)
          taken.push({ snapshot: blocks.snapshot(), image: comparable(blocks.image()) });
        else if (one !== undefined && roll(4) > 0) {
          blocks.restore(one.snapshot);
          assert.deepEqual(comparable(blocks.image()), one.image, `step ${step}`);
          for (const it of [0, 1, blocks.head.header.number]) assert.equal(blocks.block(it)?.header.number, it);
        } else if (one !== undefined) {
          blocks.release(one.snapshot);
          taken.splice(at, 1);
        }
      }
    }).timeout(60_000);
  }

  it("find the transactions of their blocks, and no later ones", async () => {
    const chain = await testChain();
    const { chain: blocks } = chain.simulation;
    const [first, second] = [chain.transfer(), chain.transfer()];
    await chain.send(first);
    chain.mine();
    const before = blocks.snapshot();
    await chain.send(second);
    chain.mine();
    const after = blocks.snapshot();
    const found = (): readonly boolean[] => [first, second].map(({ id }) => blocks.find(id as never) !== undefined);
    blocks.restore(before);
    assert.deepEqual(found(), [true, false]);
    blocks.restore(after);
    assert.deepEqual(found(), [true, true]);
  });

  it(`keep memory constant over ${FIXTURES} fixtures, with cheap restores`, async () => {
    const chain = await testChain({ tre: true, accounts: 2 });
    for (let index = 0; index < 2_000; index += 1) {
      await tre(chain, "tre_setAccountStorageAt", CONTRACT, index, 1);
    }
    const used: number[] = [];
    const restored: number[] = [];
    for (let fixture = 0; fixture < FIXTURES; fixture += 1) {
      const outer = await tre(chain, "tre_snapshot");
      for (let index = 0; index < CONTRACTS; index += 1) {
        const code = `0x60${String(10 + (fixture % 89))}`;
        await tre(chain, "tre_setAccountCode", `41${String(10 + index).repeat(20)}`, code);
      }
      const inner = chain.simulation.chain.stateSnapshot();
      await tre(chain, "tre_setAccountStorageAt", CONTRACT, fixture % 50, fixture);
      const start = performance.now();
      chain.simulation.chain.revertState(inner);
      restored.push(performance.now() - start);
      chain.simulation.chain.releaseState(inner);
      await tre(chain, "tre_revert", outer);
      if (fixture % (FIXTURES / 10) === FIXTURES / 10 - 1) used.push(heapAfterCollection());
    }
    const median = restored.sort((a, b) => a - b)[FIXTURES / 2] ?? 0;
    const [, early = 0] = used;
    const late = used.at(-1) ?? 0;
    assert.ok(late < early * 1.1, `${early} bytes after a fifth of the fixtures, ${late} at the end`);
    assert.ok(median < RESTORE_MS, `${median} ms`);
  }).timeout(120_000);

  it("take memory in proportion to their differences, with 100 of them open", async () => {
    const chain = await testChain({ tre: true, accounts: 2 });
    for (let index = 0; index < 5_000; index += 1) await tre(chain, "tre_setAccountStorageAt", CONTRACT, index, 1);
    const before = heapAfterCollection();
    for (let index = 0; index < 100; index += 1) {
      await tre(chain, "tre_snapshot");
      await tre(chain, "tre_setAccountStorageAt", CONTRACT, index, 2);
    }
    const grown = heapAfterCollection() - before;
    assert.ok(grown < 2_000_000, `${grown} bytes`);
  }).timeout(60_000);
});

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heapAfterCollection(): number {
  collect();
  return process.memoryUsage().heapUsed;
}
