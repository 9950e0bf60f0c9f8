import assert from "node:assert/strict";
import type { FailureReason } from "../../../../packages/client/src/explain/failure-reason.ts";
import {
  failureOf,
  type TrackedTransaction,
} from "../../../../packages/client/src/transaction-state/tracked-transaction.ts";
import { markdownText } from "../../../../packages/tron/src/format/markdown.ts";
import { foreignText } from "../../../../packages/tron/src/primitives/plain-text.ts";
import { noticeAbout } from "../../../../src/features/tracking/notifications.view.ts";
import { describeTimeline } from "../../../../src/features/tracking/timeline-page.view.ts";
import { timelineReport } from "../../../../src/features/tracking/timeline-report.ts";
import {
  describeTooltip,
  describeTransaction,
  timelineOf,
} from "../../../../src/features/tracking/transaction.view.ts";
import { HOSTILE_TEXTS, HUGE_TEXT } from "../../../support/failures/hostile-texts.ts";
import { blockReference, nameOf, tracked } from "../../../support/tracking/tracked.ts";

const UNSEEN = /[^\P{Cc}\n]|\p{Cf}/u;
const context = {
  nameOf,
  timeOf: (ms: number) => `t${ms}`,
  reasonOf,
  sessionStart: 9,
  production: false,
  fallbackUrls: [],
};

/** Returns the reason of a failure with hostile texts of a contract and an artifact. */
function reasonOf(tracked: TrackedTransaction): FailureReason | undefined {
  const failure = failureOf(tracked);
  if (failure?.result !== "REVERT") return undefined;
  return { text: foreignText(failure.message), source: foreignText(failure.message) };
}

/** Returns a rejected, an unknown and two failed transactions with this text. */
function transactionsWith(text: string): readonly TrackedTransaction[] {
  const attempt = { number: 1, endpoint: "https://gateway.test", startedAt: 10, answeredAt: 28 };
  const refused = { kind: "rejected", code: "CONTRACT_VALIDATE_ERROR", message: text } as const;
  const lost = { kind: "unknown", code: "GATEWAY_ANSWER_MALFORMED", message: text } as const;
  return [
    tracked({ state: { ...refused, retry: "fix-request" }, attempts: [{ ...attempt, outcome: refused }] }),
    tracked({ state: { kind: "unknown", reason: text }, attempts: [{ ...attempt, outcome: lost }] }),
    tracked({
      state: {
        kind: "solidified",
        block: blockReference(7),
        outcome: { kind: "failed", result: "REVERT", message: text },
      },
    }),
    tracked({
      state: {
        kind: "included",
        block: blockReference(7),
        outcome: { kind: "failed", result: "OTHER", message: text },
      },
    }),
  ];
}

describe("hostile text of the chain", () => {
  for (const [name, text] of Object.entries(HOSTILE_TEXTS)) {
    for (const transaction of transactionsWith(text)) {
      const { kind } = transaction.state;

      it(`is escaped in the tree and its tooltips, ${kind}: ${name}`, () => {
        const row = describeTransaction(transaction, context);
        const facts = timelineOf(transaction, context);
        const { life, state, notes } = describeTooltip(transaction, context);
        const shown = [
          row.description,
          row.spoken,
          state,
          ...notes,
          ...life,
          ...facts.map(({ description }) => description),
        ];

        for (const one of shown) assert.doesNotMatch(one, UNSEEN);
        for (const one of [state, ...notes, ...life])
          assert.doesNotMatch(markdownText(one).replaceAll("&#36;", ""), /(?<!\\)[<[\]`$*_#]/);
      });

      it(`creates no link in a notification, ${kind}: ${name}`, () => {
        const { message = "" } = noticeAbout(transaction, context) ?? {};

        assert.ok(message.length > 10 || kind === "included");
        assert.doesNotMatch(message, UNSEEN);
        assert.doesNotMatch(message, /\]\(/);
      });

      it(`is escaped in the report of a timeline, ${kind}: ${name}`, () => {
        const report = timelineReport(describeTimeline(transaction, context));

        assert.doesNotMatch(report, UNSEEN);
        assert.doesNotMatch(report.replace(/`[^`\n]*`/g, ""), /(?<!\\)[<[]|(?<!\\)!\[/);
      });
    }
  }

  it("is shortened where there is one line", () => {
    for (const transaction of transactionsWith(HUGE_TEXT)) {
      const row = describeTransaction(transaction, context);

      assert.ok(row.description.length < 500 && row.spoken.length < 1_000, `${row.description.length}`);
      assert.ok((noticeAbout(transaction, context)?.message.length ?? 0) <= 1_001);
      assert.ok(timelineOf(transaction, context).every(({ description }) => description.length < 600));
    }
  });
});
