import assert from "node:assert/strict";
import type { FailureReason } from "../../../../packages/client/src/explain/failure-reason.ts";
import { hex } from "../../../../packages/tron/src/primitives/bytes.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { describeState } from "../../../../src/features/decoder/decoder-page.view.ts";
import { describeState as describeInHover } from "../../../../src/features/explanations/explanation.view.ts";
import { toPublic } from "../../../../src/features/tracking/finality-api.ts";
import { noticeAbout } from "../../../../src/features/tracking/notifications.view.ts";
import { describeTimeline } from "../../../../src/features/tracking/timeline-page.view.ts";
import { timelineReport } from "../../../../src/features/tracking/timeline-report.ts";
import { describeTooltip, describeTransaction } from "../../../../src/features/tracking/transaction.view.ts";
import { blockReference, nameOf, tracked } from "../../../support/tracking/tracked.ts";

const REASON = "NotEnoughLeaves(holder: Grace, balance: 0, needed: 5)";
const reason: FailureReason = {
  text: foreignText(REASON),
  detail: "Something else is known.",
  source: foreignText("Leaf (build/Leaf.json)"),
};
const context = {
  nameOf,
  timeOf: (ms: number) => `t${ms}`,
  reasonOf: () => reason,
  sessionStart: 1_000_000,
  production: false,
  fallbackUrls: [],
};
const outcome = { kind: "failed", result: "REVERT", message: "REVERT opcode executed", data: hex("beef") } as const;
const final = tracked({ state: { kind: "solidified", block: blockReference(7), outcome } });
const included = tracked({ state: { kind: "included", block: blockReference(7), outcome } });

describe("failure reason", () => {
  it("replaces the node's message in the row and its screen-reader label", () => {
    const row = describeTransaction(final, context);

    assert.match(row.label, /^Failed · /);
    assert.equal(row.description, REASON);
    assert.match(row.spoken, /Final, failed: NotEnoughLeaves\(holder: Grace/);
    assert.equal(describeTransaction(included, context).description, `${REASON} · block 7 · may still change`);
  });

  it("is shown in the tooltip with its detail and source", () => {
    const { state, notes, life } = describeTooltip(final, context);

    assert.equal(state, `Final, failed: ${REASON}`);
    assert.deepEqual(notes, ["Something else is known.", "Named by Leaf (build/Leaf.json)"]);
    assert.ok(life.includes(`Failed, ${REASON}`));
  });

  it("is shown in the notification with its source", () => {
    assert.equal(
      noticeAbout(final, context)?.message,
      `Final, but failed: 1.5 coins → Bob. ${REASON} (named by Leaf (build/Leaf.json)).`,
    );
  });

  it("is shown in the timeline and its report beside the node's message", () => {
    for (const one of [final, included]) {
      const life = describeTimeline(one, context);
      const rows = life.steps.flatMap((step) => step.rows.map(({ name, value }) => `${name}: ${value}`));

      for (const row of [`Reason: ${REASON}`, "More: Something else is known.", "Named by: Leaf (build/Leaf.json)"]) {
        assert.ok(rows.includes(row), `${row} is not in ${rows.join("; ")}`);
      }
      assert.ok(rows.includes("Message: REVERT opcode executed"));
      assert.match(
        timelineReport(life).replaceAll("\\", ""),
        /- Reason: NotEnoughLeaves\(holder: Grace, balance: 0, needed: 5\)/,
      );
    }
  });

  it("is shown in the decoder and in a hover", () => {
    assert.equal(describeState(final, context.reasonOf).text, `Final, but failed: ${REASON}`);
    assert.equal(describeInHover({ tracked: final, reason }), `final in block 7, and failed: ${REASON}`);
  });

  it("is attributed to its gateway when another URL reports success", () => {
    const disputed = {
      ...final,
      outcomeElsewhere: { endpoint: "https://other.test", outcome: { kind: "success" } },
    } as const;
    const both = `Its gateway reports that it failed (${REASON}), https://other.test that it was executed`;

    assert.equal(describeState(disputed, context.reasonOf).text, both);
    assert.equal(describeInHover({ tracked: disputed, reason }), `final in block 7. ${both}`);
  });

  it("is part of the public API without the revert data", () => {
    const { state } = toPublic(final, context.reasonOf);

    assert.ok(state.kind === "solidified");
    assert.deepEqual(state.outcome, {
      kind: "failed",
      result: "REVERT",
      message: "REVERT opcode executed",
      reason: REASON,
      reasonSource: "Leaf (build/Leaf.json)",
    });
  });

  it("is absent when unknown, and the row shows the node's message", () => {
    const { description } = describeTransaction(final, { ...context, reasonOf: () => undefined });

    assert.equal(description, "REVERT: REVERT opcode executed");
  });
});
