import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type LongDay, liveThrough } from "../support/tracking/long-day.ts";

const HOURS = 24;
const COUNT = 500;
/** All of them are sent by then: what is listed is kept, what is only watched is not. */
const SENT_BY_HOUR = 2;
/** The hours of the day on which something is sent all the time, and what is sent then. */
const BUSY_HOURS = 14;
const BUSY_COUNT = 300;
/** Hour by which all transactions are settled. */
const SETTLED_BY_HOUR = 7;
const MOST_GROWTH = 0.05;

describe("a window that watches for 24 simulated hours", function () {
  this.timeout(600_000);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-long-day-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  /**
   * Returns the growth of memory from an hour to the end of the day, and checks that the window worked in each hour.
   */
  function growthOf({ heapAt, requestsAt, sleepers, said, troubles }: LongDay, from: number, hours: number): number {
    const [first = 0, last = 0] = [heapAt[from - 1], heapAt.at(-1)];
    const growth = last / first - 1;
    const [before, after] = [first, last].map((it) => (it / 1_000_000).toFixed(2));
    process.stdout.write(
      `      ${before} MB after hour ${from}, ${after} MB after hour ${hours} (${(growth * 100).toFixed(2)} %), ` +
        `${Math.min(...requestsAt)} to ${Math.max(...requestsAt)} requests an hour\n`,
    );
    assert.equal(requestsAt.length, hours);
    assert.ok(Math.min(...requestsAt) > 0, `hours without a request: ${requestsAt.join()}`);
    assert.deepEqual({ sleepers, said, troubles }, { sleepers: 0, said: [], troubles: [] });
    return growth;
  }

  it(`uses as much memory after hour ${HOURS} as after hour ${SENT_BY_HOUR}, within 5 %, with ${COUNT} transactions, asks in every hour, and leaves no sleeper behind`, async () => {
    const day = await liveThrough(folder, HOURS, COUNT, SENT_BY_HOUR);

    const growth = growthOf(day, SENT_BY_HOUR, HOURS);
    assert.deepEqual(day.states, { solidified: 451, "proven-absent": 50, unknown: 3 });
    assert.ok(growth <= MOST_GROWTH, `it grew by ${(growth * 100).toFixed(1)} %`);
  });

  it("needs no more than 7 kB for each transaction that is listed, with what the journal knows by heart, sent all through the day", async () => {
    const day = await liveThrough(folder, BUSY_HOURS, BUSY_COUNT, BUSY_HOURS);

    growthOf(day, SETTLED_BY_HOUR, BUSY_HOURS);
    const [first = 0, last = 0] = [day.heapAt[SETTLED_BY_HOUR - 1], day.heapAt.at(-1)];
    const each = (last - first) / (BUSY_COUNT * ((BUSY_HOURS - SETTLED_BY_HOUR) / BUSY_HOURS));
    process.stdout.write(`      ${(each / 1_000).toFixed(1)} kB each\n`);
    assert.ok(each <= 7_000, `${Math.round(each)} bytes each`);
  });
});
