import assert from "node:assert/strict";
import { fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { formatTime } from "../../../tron/src/format/times.ts";
import { describeIssues } from "../../src/labels/troubles.ts";
import type { ConnectionIssue } from "../../src/tracking/connection-issue.ts";

const NOW = Date.UTC(2026, 0, 1, 12);

function issueOf(network: string, more: Partial<ConnectionIssue> = {}): ConnectionIssue {
  const sentence = `${network} did not answer. Check its URL.`;
  return { network, code: "GATEWAY_UNREACHABLE", message: sentence, since: NOW, nextTryAt: NOW + 12_000, ...more };
}

describe("describeIssues", () => {
  it("is undefined without issues", () => {
    assert.equal(describeIssues([], NOW), undefined);
  });

  it("names the waiting network and the fix", () => {
    assert.equal(
      describeIssues([issueOf("Nile", { waitsFor: "for-an-answer" })], NOW),
      "Waiting for Nile. Finality checks its open transactions again within 30 s; Check Now checks immediately. " +
        "Nile did not answer. Check its URL.",
    );
  });

  it("combines all waiting networks", () => {
    const both = [issueOf("Nile", { waitsFor: "for-an-answer" }), issueOf("Main", { waitsFor: "for-an-answer" })];

    assert.equal(
      describeIssues(both, NOW),
      "Waiting for an answer of Nile, Main. Finality checks its open transactions again within 30 s, or when this computer is online again.",
    );
  });

  it("lists different causes per network", () => {
    const why = { waitsFor: "for-an-answer", reason: "its host name is unknown" } as const;
    const lines = describeIssues([issueOf("Nile", why), issueOf("Main", { ...why, reason: "a certificate" })], NOW);

    assert.deepEqual(lines?.split("\n").slice(1), [
      "Nile did not answer. Check its URL.",
      "Main did not answer. Check its URL.",
    ]);
    const same = describeIssues([issueOf("Nile", why), issueOf("Main", why)], NOW);
    assert.equal(same?.split("\n").length, 1);
  });

  it("reports once that the computer is offline", () => {
    const both = [issueOf("Nile", { waitsFor: "for-a-connection" }), issueOf("Main", { waitsFor: "for-a-connection" })];

    assert.equal(
      describeIssues(both, NOW),
      "This computer is offline. Finality checks open transactions when it is online again; Check Now checks immediately.",
    );
  });

  it("T2: shows the end of a requested pause, also one that is shortened to a day", () => {
    assert.equal(
      describeIssues([issueOf("Nile", { waitsFor: "as-asked" })], NOW),
      `Nile requested a pause. Finality checks its open transactions again at ${formatTime(NOW + 12_000, NOW)}.`,
    );
    assert.equal(
      describeIssues([issueOf("Nile", { waitsFor: "as-asked", isShortened: true })], NOW),
      `Nile requested a pause of a day or more. Finality checks its open transactions again at ${formatTime(NOW + 12_000, NOW)}.`,
    );
  });

  it("T5: names the number of affected transactions", () => {
    assert.equal(
      describeIssues([issueOf("Nile", { txIds: [fakeTxId(1)] })], NOW),
      "1 transaction on Nile cannot be queried; all others are tracked. Nile did not answer. Check its URL.",
    );
  });

  it("shows local problems first", () => {
    const disk = issueOf("", { message: "The disk is full." });

    assert.match(
      describeIssues([issueOf("Nile", { waitsFor: "for-an-answer" }), disk], NOW) ?? "",
      /^The disk is full\.\n/,
    );
  });
});
