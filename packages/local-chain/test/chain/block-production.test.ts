import assert from "node:assert/strict";
import { hexToBytes } from "../../../tron/src/primitives/bytes.ts";
import { BlockTimes, type Spacing, spacingOf } from "../../src/chain/block-production.ts";
import { createSimulation, faucetTransfer, type Simulation } from "../../src/simulation/simulation.ts";

const HOUR = 3_600_000;
/** A multiple of 3000. */
const START = Date.UTC(2026, 0, 1);

describe("BlockTimes", () => {
  let now: number;
  let latest: number;

  beforeEach(() => {
    now = START;
    latest = START;
  });

  const following = (slotMs = 3_000, running = true, minGapMs = Math.min(1_000, slotMs)): BlockTimes => {
    const times = new BlockTimes(START);
    times.follow({ now: () => now, slotMs, running, minGapMs });
    return times;
  };
  /** Returns the time of the next block after some real time, in ms since the start. */
  const next = (times: BlockTimes, passed: number, spacing: Spacing = "near"): number => {
    now += passed;
    latest = times.next(latest, spacing);
    return latest - START;
  };
  const blocks = (times: BlockTimes, count: number, passed: number, spacing?: Spacing): readonly number[] =>
    Array.from({ length: count }, () => next(times, passed, spacing));

  it("spaces blocks by 3000 ms without a clock, and exactly after a jump", () => {
    const times = new BlockTimes(START);
    assert.deepEqual(blocks(times, 2, HOUR), [3_000, 6_000]);
    times.jump(latest, 10_000);
    assert.deepEqual(blocks(times, 2, HOUR), [16_000, 19_000]);
  });

  it("begins at the given time", () => {
    assert.equal(new BlockTimes(START).next(0, "slots"), START);
  });

  it("follows the slots in which blocks are produced", () => {
    assert.deepEqual(blocks(following(3_000), 3, 3_000), [3_000, 6_000, 9_000]);
    assert.deepEqual(blocks(following(1_000), 3, 1_000), [10_000, 11_000, 12_000]);
    const late = [next(following(3_000), 10 * HOUR + 500), next(following(3_000), 3_000)];
    assert.deepEqual(late, [10 * HOUR + 12_000, 10 * HOUR + 15_000]);
  });

  it("does not reuse the previous slot when a timer fires early", () => {
    assert.equal(next(following(1_000), 999), 1_000);
  });

  it("spaces blocks by a second when they are faster than the clock", () => {
    assert.deepEqual(blocks(following(), 4, 1), [1_000, 2_000, 3_000, 4_000]);
    assert.equal(next(following(), 60_000), 60_000);
  });

  it("stays near the clock when a shorter distance is set", () => {
    assert.deepEqual(blocks(following(3_000, true, 1), 4, 1), [1, 2, 3, 4]);
  });

  it("runs ahead of the clock for a series of blocks, and waits for it afterwards", () => {
    const times = following();
    assert.equal(blocks(times, 60, 0, "slots").at(-1), 180_000);
    assert.equal(next(times, 0), 181_000);
    assert.equal(next(times, 200_000), 198_000);
  });

  it("runs at most 30 s ahead with blocks on request", () => {
    const times = blocks(following(3_000, false), 12, 0, "requested");
    assert.deepEqual(times.slice(0, 3), [3_000, 6_000, 9_000]);
    assert.deepEqual(times.slice(9), [30_000, 31_000, 32_000]);
    latest = START;
    assert.deepEqual(blocks(following(3_000, true), 2, 0, "requested"), [1_000, 2_000]);
  });

  it("uses slots when more than six blocks are requested in a row", () => {
    assert.deepEqual([1, 6, 7, 60].map(spacingOf), ["requested", "requested", "slots", "slots"]);
  });

  it("keeps the distance from the clock after a jump", () => {
    const byTimer = following(1_000);
    byTimer.jump(latest, HOUR);
    assert.equal(next(byTimer, 0), HOUR);
    assert.deepEqual(blocks(byTimer, 2, 1_000), [HOUR + 1_000, HOUR + 2_000]);
    [now, latest] = [START, START];
    const onRequest = following(3_000, false);
    onRequest.jump(latest, HOUR);
    assert.deepEqual(blocks(onRequest, 3, 60_000), [HOUR, HOUR + 60_000, HOUR + 120_000]);
  });

  it("adds up two jumps before a block", () => {
    const times = following(3_000, false);
    times.jump(latest, 1_500);
    times.jump(latest, 2_500);
    assert.equal(next(times, 0), 4_000);
  });
});

describe("BlockProducer", () => {
  const send = ({ chain, node, faucet, accounts }: Simulation): void => {
    const [to] = accounts;
    assert.ok(to);
    node.submit(faucetTransfer(chain, hexToBytes(faucet.privateKey), to.hex, { amount: 1n }));
  };

  it("gives each transaction its own block at once in instant mode", async () => {
    const simulation = await createSimulation({ seed: "instant", blockTimeMs: "instant", witnesses: 1 });
    const { number } = simulation.chain.head.header;

    for (let sent = 0; sent < 3; sent += 1) send(simulation);

    const blocks = [1, 2, 3].map((it) => simulation.chain.block(number + it)?.transactions.length);
    assert.deepEqual([blocks, simulation.chain.pool.size], [[1, 1, 1], 0]);
    assert.deepEqual(
      [simulation.chain.head.header.number, simulation.chain.solid.header.number],
      [number + 3, number + 3],
    );
  });

  it("also produces the blocks that solidify it, when there are several witnesses", async () => {
    const simulation = await createSimulation({ seed: "instant", blockTimeMs: "instant" });
    const { number } = simulation.chain.head.header;

    send(simulation);

    assert.ok(simulation.chain.solid.header.number > number);
    assert.equal(simulation.chain.block(number + 1)?.transactions.length, 1);
  });

  it("produces no block in manual mode", async () => {
    const simulation = await createSimulation({ seed: "manual", blockTimeMs: 0 });
    const { number } = simulation.chain.head.header;

    send(simulation);

    assert.deepEqual([simulation.chain.head.header.number, simulation.chain.pool.size], [number, 1]);
  });
});
