import assert from "node:assert/strict";
import { liveThrough } from "../support/tracking/long-day.ts";

const HOURS = 24;
const COUNT = 500;
/** All of them are sent by then: what is listed is kept, what is only watched is not. */
const SENT_BY_HOUR = 2;
const MOST_GROWTH = 0.05;

describe("a window that watches for 24 simulated hours", function () {
  this.timeout(300_000);

  it(`uses as much memory after hour ${HOURS} as after hour ${SENT_BY_HOUR}, within 5 %, with ${COUNT} transactions, and leaves no sleeper behind`, async () => {
    const { heapAt, states, sleepers, requests } = await liveThrough(HOURS, COUNT, SENT_BY_HOUR);

    const [first = 0, last = 0] = [heapAt[SENT_BY_HOUR - 1], heapAt.at(-1)];
    const growth = last / first - 1;
    const [before, after] = [first, last].map((it) => (it / 1_000_000).toFixed(2));
    process.stdout.write(
      `      ${before} MB after hour ${SENT_BY_HOUR}, ${after} MB after hour ${HOURS} (${(growth * 100).toFixed(2)} %), ` +
        `${requests} requests, ${JSON.stringify(states)}\n`,
    );
    assert.deepEqual(states, { solidified: 450, "proven-absent": 50 });
    assert.ok(growth <= MOST_GROWTH, `it grew by ${(growth * 100).toFixed(1)} %`);
    assert.equal(sleepers, 0);
  });

  it("needs no more than 5 kB for each transaction that is listed, sent all through the day", async () => {
    const { heapAt } = await liveThrough(HOURS, COUNT, HOURS);

    const [first = 0, last = 0] = [heapAt[1], heapAt.at(-1)];
    const each = (last - first) / (COUNT * ((HOURS - 2) / HOURS));
    process.stdout.write(`      ${(each / 1_000).toFixed(1)} kB each, ${((last / first - 1) * 100).toFixed(2)} %\n`);
    assert.ok(each <= 5_000, `${Math.round(each)} bytes each`);
  });
});
