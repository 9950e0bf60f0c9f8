import assert from "node:assert/strict";
import type { TrackingState } from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { groupByAttention, isClearable } from "../../../../src/features/tracking/groups.view.ts";
import { evidence } from "../../../support/tracking/proven.ts";
import { adopted, blockReference, tracked, txId } from "../../../support/tracking/tracked.ts";

const MIDNIGHT = 100_000;
const TIMES = { startOfDay: MIDNIGHT, sessionStart: MIDNIGHT };
const final: TrackingState = { kind: "solidified", block: blockReference(9), outcome: { kind: "success" } };

describe("groupByAttention", () => {
  it("orders groups by urgency", () => {
    const groups = groupByAttention(
      [
        tracked({ txId: txId("1"), state: final, changedAt: MIDNIGHT - 1 }),
        tracked({ txId: txId("2"), state: final, changedAt: MIDNIGHT }),
        tracked({ txId: txId("3"), state: { kind: "pending" } }),
        tracked({ txId: txId("4"), state: { kind: "unknown", reason: "reset" } }),
      ],
      TIMES,
    );

    assert.deepEqual(
      groups.map(({ label, open }) => [label, open]),
      [
        ["Needs attention (1)", true],
        ["Waiting (1)", true],
        ["Final today (1)", true],
        ["Older (1)", false],
      ],
    );
    const lost = tracked({ state: { kind: "signed" }, replacedBy: txId("7") });

    assert.deepEqual(
      groupByAttention([lost], TIMES).map(({ kind }) => kind),
      ["waiting"],
    );
  });

  it("omits empty groups", () => {
    const groups = groupByAttention([tracked({ state: { kind: "pending" } })], TIMES);

    assert.deepEqual(
      groups.map((it) => it.label),
      ["Waiting (1)"],
    );
  });

  it("puts rejected and unsent transactions into the group that needs attention", () => {
    const rejected: TrackingState = { kind: "rejected", code: "SIGERROR", message: "", retry: "sign-again" };

    const groups = groupByAttention([tracked({ state: rejected }), tracked({ txId: txId("2") })], TIMES);

    assert.deepEqual(
      groups.map((it) => it.label),
      ["Needs attention (2)"],
    );
    const foreign = groupByAttention([adopted({ state: { kind: "unknown", reason: "" } })], TIMES);
    assert.deepEqual(
      foreign.map((it) => it.kind),
      ["waiting"],
    );
  });
});

describe("isClearable", () => {
  const failed: TrackingState = {
    kind: "solidified",
    block: blockReference(9),
    outcome: { kind: "failed", result: "REVERT", message: "" },
  };
  const absence = { ...evidence(), provenAt: 5 };
  const refused = { kind: "rejected", code: "SIGERROR", message: "" } as const;
  const attempt = { number: 1, endpoint: "http://a", startedAt: 1, answeredAt: 2, outcome: refused };

  it("is true for solidified, proven absent and replaced transactions", () => {
    for (const state of [final, failed, { kind: "proven-absent", from: 1, to: 9 }, { kind: "replaced", by: txId("2") }])
      assert.equal(isClearable(tracked({ state: state as TrackingState })), true);
  });

  it("is false for removed ones, for open ones, and where a gateway may have reported something wrong", () => {
    const other = { endpoint: "http://b", outcome: { kind: "success" } } as const;
    for (const it of [
      tracked({ state: final, hidden: true }),
      tracked({ state: { kind: "pending" } }),
      tracked({ state: { ...refused, retry: "sign-again" } }),
      tracked({ state: failed, outcomeElsewhere: other }),
      tracked({ state: final, absence }),
      tracked({ state: { kind: "replaced", by: txId("2") }, attempts: [attempt] }),
    ])
      assert.equal(isClearable(it), false);
  });
});
