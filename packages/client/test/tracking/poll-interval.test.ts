import assert from "node:assert/strict";
import {
  afterPoll,
  INITIAL_POLL_INTERVAL,
  type PollInterval,
  timeUntilBlocks,
  waitForBlocks,
} from "../../src/tracking/poll-interval.ts";

/** Returns the poll interval after blocks that came every `ms`, polled each time one was there. */
function steady(ms: number, blocks: number): PollInterval {
  let interval = INITIAL_POLL_INTERVAL;
  for (let height = 0; height <= blocks; height++) interval = afterPoll(interval, height, height * ms);
  return interval;
}

describe("poll interval", () => {
  it("is 3 s until blocks are measured, then that of the chain, at most 3 s", () => {
    const { intervalMs, isMeasured } = INITIAL_POLL_INTERVAL;
    assert.deepEqual([intervalMs, isMeasured], [3_000, false]);
    assert.equal(afterPoll(afterPoll(INITIAL_POLL_INTERVAL, 10, 0), 25, 3_000).intervalMs, 200, "a fast chain");
    assert.equal(steady(3_000, 20).intervalMs, 3_000);
    assert.ok(Math.abs(steady(250, 20).intervalMs - 250) < 5);
    assert.equal(steady(60_000, 3).intervalMs, 3_000, "a slow chain");
  });

  it("counts from the last progress, not from the last poll", () => {
    const interval = steady(1_000, 50);

    assert.ok(timeUntilBlocks(interval, 1, 50_400) <= 705);
    assert.ok(timeUntilBlocks(interval, 1, 50_400) >= 690);
  });

  it("waits one more interval for a late block", () => {
    const interval = afterPoll(steady(1_000, 50), 50, 51_200);

    assert.equal(Math.round(timeUntilBlocks(interval, 1, 51_200)), 1_100);
    assert.ok(timeUntilBlocks(interval, 3, 51_200) > 2_050);
  });

  it("covers several blocks", () => {
    assert.equal(Math.round(waitForBlocks(INITIAL_POLL_INTERVAL, 4)), 13_200);
  });
});
