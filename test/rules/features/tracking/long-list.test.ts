import assert from "node:assert/strict";
import { threadTimeMs } from "../../../../packages/node/src/system-clock.ts";
import { groupByAttention } from "../../../../src/features/tracking/groups.view.ts";
import { describeTransaction } from "../../../../src/features/tracking/transaction.view.ts";
import { workUnitMs } from "../../../support/time/work-units.ts";
import { EVERY_HISTORY } from "../../../support/tracking/every-history.ts";
import { nameOf, noReasons } from "../../../support/tracking/tracked.ts";

const COUNT = 1_000;
/** Most CPU time in units of work: about one frame at 60 Hz on a machine of 2024. */
const MOST_UNITS = 60;
const ROUNDS = 20;

describe("transaction list", () => {
  it(`groups and describes ${COUNT} transactions within ${MOST_UNITS} units of work`, () => {
    const all = EVERY_HISTORY.slice(0, COUNT);
    const context = { nameOf, timeOf: String, reasonOf: noReasons, sessionStart: 1 };
    assert.equal(all.length, COUNT);

    const times = Array.from({ length: ROUNDS }, () => {
      const started = threadTimeMs();
      const groups = groupByAttention(all, { startOfDay: 1, sessionStart: 1 });
      const rows = groups.flatMap(({ transactions }) => transactions.map((it) => describeTransaction(it, context)));
      assert.equal(rows.length, COUNT);
      return threadTimeMs() - started;
    });

    const most = MOST_UNITS * workUnitMs();
    assert.ok(Math.min(...times) <= most, `it took ${times.map((it) => it.toFixed(1)).join(", ")} ms`);
  });
});
