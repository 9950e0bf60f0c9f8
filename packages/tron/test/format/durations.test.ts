import assert from "node:assert/strict";
import { roughly, timeAhead, timeLeft, timeTaken } from "../../src/format/durations.ts";

describe("durations", () => {
  it("are rounded to two units, and not negative", () => {
    assert.deepEqual([-5_000, 0, 400, 59_400, 60_000, 61_000, 3_600_000, 3_720_000].map(timeTaken), [
      "0 s",
      "0 s",
      "0 s",
      "59 s",
      "1 min",
      "1 min 1 s",
      "1 h",
      "1 h 2 min",
    ]);
  });

  it("are in seconds below two minutes, then in minutes, then in hours with a tenth", () => {
    assert.deepEqual([60_000, 119_400, 120_000, 3_600_000, 7_200_000, 5_400_000, 9_000_000].map(roughly), [
      "60 s",
      "119 s",
      "2 min",
      "60 min",
      "2 h",
      "90 min",
      "2.5 h",
    ]);
  });

  it("are not rounded up for the time left", () => {
    assert.deepEqual([1_999, 119_999, 179_000, 7_199_000, 10_799_000].map(timeLeft), [
      "1 s",
      "119 s",
      "2 min",
      "119 min",
      "2 h",
    ]);
  });

  it("are not rounded down for a time ahead, and in days from two days on", () => {
    const [minute, hour] = [60_000, 3_600_000];
    assert.deepEqual([-5, 1, 119_001, 2 * minute, 2 * hour, 2 * hour + 1, 48 * hour, 13.2 * 24 * hour].map(timeAhead), [
      "0 s",
      "1 s",
      "120 s",
      "2 min",
      "2 h",
      "3 h",
      "2 days",
      "14 days",
    ]);
  });
});
