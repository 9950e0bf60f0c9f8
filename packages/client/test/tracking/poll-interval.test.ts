import assert from "node:assert/strict";
import {
  afterPoll,
  INITIAL_POLL_INTERVAL,
  type PollInterval,
  timeUntilBlocks,
  waitForBlocks,
} from "../../src/tracking/poll-interval.ts";

/** The pace after blocks that came every `ms`, polled each time one was there. */
function steady(ms: number, blocks: number): PollInterval {
  let pace = INITIAL_POLL_INTERVAL;
  for (let height = 0; height <= blocks; height++) pace = afterPoll(pace, height, height * ms);
  return pace;
}

describe("block pace", () => {
  it("assumes 3 s until it has seen blocks come", () => {
    assert.equal(INITIAL_POLL_INTERVAL.intervalMs, 3_000);
    assert.equal(INITIAL_POLL_INTERVAL.isMeasured, false);
  });

  it("finds a fast chain with the first measurement", () => {
    assert.equal(afterPoll(afterPoll(INITIAL_POLL_INTERVAL, 10, 0), 25, 3_000).intervalMs, 200);
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

    assert.ok(timeUntilBlocks(pace, 1, 50_400) <= 705);
    assert.ok(timeUntilBlocks(pace, 1, 50_400) >= 690);
  });

  it("gives a late block one more interval", () => {
    const pace = afterPoll(steady(1_000, 50), 50, 51_200);

    assert.equal(Math.round(timeUntilBlocks(pace, 1, 51_200)), 1_100);
    assert.ok(timeUntilBlocks(pace, 3, 51_200) > 2_050);
  });

  it("waits for several blocks at once", () => {
    assert.equal(Math.round(waitForBlocks(INITIAL_POLL_INTERVAL, 4)), 13_200);
  });
});
