import assert from "node:assert/strict";
import { describeLifeLine } from "../../../../src/features/tracking/life-line-page.view.ts";
import { lifeLineReport } from "../../../../src/features/tracking/life-line-report.view.ts";
import { maskTexts } from "../../../../src/host/log/mask-texts.ts";
import { MASK, Masking } from "../../../../src/host/log/masking.ts";
import { nameOf, noReasons, tracked } from "../../../support/tracking/tracked.ts";

const context = {
  nameOf,
  timeOf: (ms: number) => `t${ms}`,
  reasonOf: noReasons,
  sessionStart: 9,
  production: false,
  fallbackUrls: [],
};

describe("maskTexts", () => {
  it("leaves no secret in a page or a report, wherever an answer repeated it, and changes nothing else", () => {
    const masking = new Masking();
    masking.remember("key-0123456789");
    const message = "the header CHAIN-PRO-API-KEY key-0123456789 with Bearer abc.def is wrong";
    const outcome = { kind: "rejected", code: "SIGERROR", message } as const;
    const attempts = [{ number: 1, endpoint: "https://gateway.test", startedAt: 5, outcome }];
    const life = describeLifeLine(tracked({ attempts }), context);

    const masked = maskTexts(life, (text) => masking.masked(text));

    assert.doesNotMatch(JSON.stringify(masked) + lifeLineReport(masked), /key-0123456789|abc\.def/);
    assert.ok(JSON.stringify(masked).includes(MASK));
    assert.deepEqual(masked.stages, life.stages);
    assert.equal(masked.production, false);
    assert.equal(masked.proof, null);
  });
});
