import assert from "node:assert/strict";
import {
  ACCEPTED,
  answeredEntry,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TIMED_OUT,
} from "../../../../test/support/tracking/journal-entries.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import {
  concernsWholeGateway,
  describeIssue,
  isGatewayAnswer,
  isUnreachable,
  pauseAfter,
} from "../../src/tracking/connection-issue.ts";

const endpoint = "https://gateway.test";
const { txId } = fakeBytes(1);
const limited = (retryAfterMs: number | undefined) =>
  new ChainError("GATEWAY_RATE_LIMITED", { endpoint, retryAfterMs });
const unreachable = (how?: "closed" | "timeout") =>
  new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason: "no answer", ...(how && { how }) });
const refused = new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 500, body: "" });

describe("pauseAfter", () => {
  it("doubles from 3 s to 30 s, and follows a longer requested pause", () => {
    for (const [error, failures, pause] of [
      [new TypeError("broken"), 1, 3_000],
      [refused, 2, 6_000],
      [unreachable(), 4, 24_000],
      [unreachable(), 5, 30_000],
      [unreachable(), 1_000, 30_000],
      [limited(undefined), 1, 3_000],
      [limited(2_000), 1, 3_000],
      [limited(90_000), 1, 90_000],
    ] as const)
      assert.equal(pauseAfter(error, failures), pause, `${error} ${failures}`);
  });
});

describe("concernsWholeGateway", () => {
  it("returns true for a requested pause and a missing connection", () => {
    const errors = [limited(0), unreachable(), unreachable("closed"), unreachable("timeout"), refused, new Error("x")];

    assert.deepEqual(errors.map(concernsWholeGateway), [true, true, false, false, false, false]);
  });
});

describe("isUnreachable", () => {
  it("returns true for a missing answer, also when the request may have arrived", () => {
    const silent = new ChainError("GATEWAY_SILENT", { endpoint, reason: "closed", how: "closed" });

    assert.deepEqual([unreachable(), silent, limited(0), refused].map(isUnreachable), [true, true, false, false]);
  });
});

describe("isGatewayAnswer", () => {
  it("returns true for reports of a gateway, and not for entries of a window", () => {
    const answers = [
      answeredEntry(txId, ACCEPTED),
      answeredEntry(txId, rejected("SIGERROR")),
      { kind: "head-time", txId, at: 1, time: 2 },
      { kind: "seen-in-pool", txId, at: 1 },
      { kind: "not-found", txId, at: 1, time: 2 },
    ] as const;
    const others = [
      answeredEntry(txId, TIMED_OUT),
      signedEntry(1),
      startedEntry(txId),
      { kind: "hidden", txId, at: 1 },
      { kind: "replaced", txId, at: 1, by: fakeBytes(2).txId },
    ] as const;

    for (const fact of answers) assert.equal(isGatewayAnswer(fact), true, fact.kind);
    for (const fact of others) assert.equal(isGatewayAnswer(fact), false, fact.kind);
  });
});

describe("describeIssue", () => {
  it("returns code, cause and the awaited event", () => {
    for (const [error, code, waitsFor] of [
      [unreachable(), "GATEWAY_UNREACHABLE", "for-an-answer"],
      [limited(1_000), "GATEWAY_RATE_LIMITED", "as-asked"],
      [refused, "GATEWAY_HTTP_STATUS", undefined],
      [new TypeError("broken"), "UNEXPECTED", undefined],
    ] as const) {
      const issue = describeIssue(error);
      assert.deepEqual([issue.code, issue.waitsFor, issue.isShortened], [code, waitsFor, undefined]);
    }
    assert.equal(describeIssue(new TypeError("broken")).message, "TypeError: broken");
    assert.equal(describeIssue(limited(86_400_000)).isShortened, true);
    assert.equal(describeIssue(limited(86_399_999)).isShortened, undefined);
  });
});
