import assert from "node:assert/strict";
import {
  type BlockPace,
  FIRST_PACE,
  paceAfter,
  untilNextBlock,
  waitFor,
} from "../../../../src/core/tracking/block-pace.ts";

/** The pace after blocks that came every `ms`, polled each time one was there. */
function steady(ms: number, blocks: number): BlockPace {
  let pace = FIRST_PACE;
  for (let height = 0; height <= blocks; height++) pace = paceAfter(pace, height, height * ms);
  return pace;
}

describe("block pace", () => {
  it("assumes 3 s until it has seen blocks come", () => {
    assert.equal(FIRST_PACE.intervalMs, 3_000);
    assert.equal(FIRST_PACE.measured, false);
  });

  it("finds a fast chain with the first measurement", () => {
    assert.equal(paceAfter(paceAfter(FIRST_PACE, 10, 0), 25, 3_000).intervalMs, 200);
  });

  it("stays with a chain's own interval", () => {
    assert.equal(steady(3_000, 20).intervalMs, 3_000);
    assert.ok(Math.abs(steady(250, 20).intervalMs - 250) < 5);
  });

  it("never polls a slow chain more slowly than every 3 s", () => {
    assert.equal(steady(60_000, 3).intervalMs, 3_000);
  });

  it("waits one interval and a little since the last progress, not since the last poll", () => {
    const pace = steady(1_000, 50);

    assert.ok(untilNextBlock(pace, 50_400) <= 705);
    assert.ok(untilNextBlock(pace, 50_400) >= 690);
  });

  it("asks again soon for a late block, and more and more slowly when it stays away", () => {
    let pace = steady(1_000, 50);
    const waits = Array.from({ length: 6 }, () => {
      pace = paceAfter(pace, 50, 51_200);
      return Math.round(untilNextBlock(pace, 51_200));
    });

    assert.deepEqual(
      waits.slice(0, 2).map((it) => Math.round(it / 100)),
      [5, 10],
    );
    assert.equal(waits.at(-1), 3_000);
  });

  it("waits for several blocks at once", () => {
    assert.equal(Math.round(waitFor(FIRST_PACE, 4)), 13_200);
  });
});
