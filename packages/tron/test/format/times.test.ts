import assert from "node:assert/strict";
import { formatTime, localTime, startOfDay } from "../../src/format/times.ts";

describe("formatTime", () => {
  /** Replaces the narrow blank before AM and PM. */
  const plain = (text: string) => text.replaceAll("\u202f", " ");
  const noon = new Date(2026, 4, 3, 12, 30, 15).getTime();

  it("omits the date on the same day", () => {
    assert.equal(plain(formatTime(noon, noon + 1)), "12:30:15 PM");
  });

  it("shows the date on other days", () => {
    const tomorrow = new Date(2026, 4, 4, 0, 0, 0).getTime();

    assert.equal(startOfDay(tomorrow + 5), tomorrow);
    assert.equal(formatTime(noon, tomorrow), localTime(noon));
    assert.equal(plain(localTime(noon)), "5/3/2026, 12:30:15 PM");
  });
});
