import assert from "node:assert/strict";
import { BlockTimes, type Spacing, spacingOf } from "../../src/chain/block-production.ts";

const HOUR = 3_600_000;
/** A multiple of 3000. */
const START = Date.UTC(2026, 0, 1);

describe("the times of blocks", () => {
  let now: number;
  let latest: number;

  beforeEach(() => {
    now = START;
    latest = START;
  });

  const following = (slotMs = 3_000, running = true): BlockTimes => {
    const times = new BlockTimes(START);
    times.follow({ now: () => now, slotMs, running });
    return times;
  };
  /** The next block, after so much real time, in ms since the start. */
  const next = (times: BlockTimes, passed: number, spacing: Spacing = "near"): number => {
    now += passed;
    latest = times.next(latest, spacing);
    return latest - START;
  };
  const blocks = (times: BlockTimes, count: number, passed: number, spacing?: Spacing): readonly number[] =>
    Array.from({ length: count }, () => next(times, passed, spacing));

  it("are 3000 ms apart on a chain with a time of its own, and a jump comes on top", () => {
    const times = new BlockTimes(START);
    assert.deepEqual(blocks(times, 2, HOUR), [3_000, 6_000]);
    times.jump(10_000);
    assert.deepEqual(blocks(times, 2, HOUR), [21_000, 24_000]);
  });

  it("begin where they are told to", () => {
    assert.equal(new BlockTimes(START).next(0, "slots"), START);
  });

  it("are those of the slots in which blocks are made, whatever is between them", () => {
    assert.deepEqual(blocks(following(3_000), 3, 3_000), [3_000, 6_000, 9_000]);
    assert.deepEqual(blocks(following(1_000), 3, 1_000), [10_000, 11_000, 12_000]);
    const late = [next(following(3_000), 10 * HOUR + 500), next(following(3_000), 3_000)];
    assert.deepEqual(late, [10 * HOUR + 12_000, 10 * HOUR + 15_000]);
  });

  it("are not of the slot before when a timer is early", () => {
    assert.equal(next(following(1_000), 999), 1_000);
  });

  it("stay near the clock when blocks are made faster, and each is later than the one before", () => {
    assert.deepEqual(blocks(following(), 4, 1), [1, 2, 3, 4]);
    assert.equal(next(following(), 60_000), 60_000);
  });

  it("run ahead of the clock where a row of blocks is to let time pass, and wait for it afterwards", () => {
    const times = following();
    assert.equal(blocks(times, 60, 0, "slots").at(-1), 180_000);
    assert.equal(next(times, 0), 180_001);
    assert.equal(next(times, 200_000), 198_000);
  });

  it("let up to 30 s pass where they come on request alone, and no more", () => {
    const times = blocks(following(3_000, false), 12, 0, "requested");
    assert.deepEqual(times.slice(0, 3), [3_000, 6_000, 9_000]);
    assert.deepEqual(times.slice(9), [30_000, 30_001, 30_002]);
    latest = START;
    assert.deepEqual(blocks(following(3_000, true), 2, 0, "requested"), [1, 2]);
  });

  it("let time pass when more than six of them are asked for in a row", () => {
    assert.deepEqual([1, 6, 7, 60].map(spacingOf), ["requested", "requested", "slots", "slots"]);
  });

  it("keep their distance from the clock after a jump, where blocks come by themselves", () => {
    const times = following(1_000);
    times.jump(HOUR);
    assert.equal(next(times, 0), HOUR + 3_000);
    assert.deepEqual(blocks(times, 2, 1_000), [HOUR + 4_000, HOUR + 5_000]);
  });

  it("are 3000 ms apart after a jump, where blocks come on request", () => {
    const times = following(3_000, false);
    times.jump(HOUR);
    assert.deepEqual(blocks(times, 3, 60_000), [HOUR + 3_000, HOUR + 6_000, HOUR + 9_000]);
  });
});
