import assert from "node:assert/strict";
import { describeLifeLine } from "../../../../src/features/tracking/life-line-page.view.ts";
import { lifeLineReport } from "../../../../src/features/tracking/life-line-report.view.ts";
import { evidence } from "../../../support/tracking/proven.ts";
import { nameOf, noReasons, tracked, txId } from "../../../support/tracking/tracked.ts";

const context = {
  nameOf,
  timeOf: (ms: number) => `t${ms}`,
  reasonOf: noReasons,
  sessionStart: 9,
  production: false,
  fallbackUrls: [],
};

describe("lifeLineReport", () => {
  it("holds the state, every attempt, the proof and the links", () => {
    const life = describeLifeLine(
      tracked({
        state: { kind: "replaced", by: txId("b") },
        replacedBy: txId("b"),
        absence: { ...evidence(), provenAt: 5 },
        attempts: [{ number: 1, endpoint: "https://gateway.test", startedAt: 5, answeredAt: 28 }],
      }),
      context,
    );

    const report = lifeLineReport(life);

    for (const part of [
      tracked().txId,
      txId("b"),
      evidence().digest,
      "https\\:\\/\\/gateway\\.test",
      "Proof of absence",
      "Replaced by",
    ]) {
      assert.ok(report.includes(part), `${part} is not in\n${report}`);
    }
  });

  it("shows texts of a gateway as they are: nothing becomes a link, an image or HTML", () => {
    const message = "![x](http://evil) <b> | `code`";
    const outcome = { kind: "rejected", code: "SIGERROR", message } as const;
    const life = describeLifeLine(
      tracked({
        label: "[a](b)",
        attempts: [{ number: 1, endpoint: "https://gateway.test", startedAt: 5, outcome }],
      }),
      context,
    );

    const report = lifeLineReport(life);

    assert.doesNotMatch(report, /(?<!\\)[[<`]\w*(http|b>|code)/);
    assert.ok(report.includes("\\!\\[x\\]\\(http\\:\\/\\/evil\\) \\<b\\> \\| \\`code\\`"), report);
  });
});
