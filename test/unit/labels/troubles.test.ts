import assert from "node:assert/strict";
import type { ConnectionIssue } from "../../../packages/client/src/tracking/connection-issue.ts";
import { formatTime } from "../../../packages/tron/src/format/times.ts";
import { describeIssues } from "../../../src/labels/troubles.ts";
import { fakeTxId } from "../../support/fakes/fake-gateway.ts";

const NOW = Date.UTC(2026, 0, 1, 12);

function trouble(network: string, more: Partial<ConnectionIssue> = {}): ConnectionIssue {
  const sentence = `${network} did not answer. Check its URL.`;
  return { network, code: "GATEWAY_UNREACHABLE", message: sentence, since: NOW, nextTryAt: NOW + 12_000, ...more };
}

describe("describeTroubles", () => {
  it("says nothing while all is well", () => {
    assert.equal(describeIssues([], NOW), undefined);
  });

  it("says that it waits for the one network that does not answer, and how that could be put right", () => {
    assert.equal(
      describeIssues([trouble("Nile", { waitsFor: "for-an-answer" })], NOW),
      "Waiting for Nile. Finality checks its open transactions again within 30 s; Check Now checks immediately. " +
        "Nile did not answer. Check its URL.",
    );
  });

  it("says once that it waits when no network answers, without an error for each", () => {
    const both = [trouble("Nile", { waitsFor: "for-an-answer" }), trouble("Main", { waitsFor: "for-an-answer" })];

    assert.equal(
      describeIssues(both, NOW),
      "Waiting for an answer of Nile, Main. Finality checks its open transactions again within 30 s, or when this computer is online again.",
    );
  });

  it("says why each of them does not answer where the causes differ, for one may be put right", () => {
    const why = { waitsFor: "for-an-answer", reason: "its host name is unknown" } as const;
    const lines = describeIssues([trouble("Nile", why), trouble("Main", { ...why, reason: "a certificate" })], NOW);

    assert.deepEqual(lines?.split("\n").slice(1), [
      "Nile did not answer. Check its URL.",
      "Main did not answer. Check its URL.",
    ]);
    const same = describeIssues([trouble("Nile", why), trouble("Main", why)], NOW);
    assert.equal(same?.split("\n").length, 1);
  });

  it("says once that this computer is not connected, whatever the networks", () => {
    const both = [trouble("Nile", { waitsFor: "for-a-connection" }), trouble("Main", { waitsFor: "for-a-connection" })];

    assert.equal(
      describeIssues(both, NOW),
      "This computer is offline. Finality checks open transactions when it is online again; Check Now checks immediately.",
    );
  });

  it("says until when a gateway asked for a pause", () => {
    assert.equal(
      describeIssues([trouble("Nile", { waitsFor: "as-asked" })], NOW),
      `Nile requested a pause. Finality checks its open transactions again at ${formatTime(NOW + 12_000, NOW)}.`,
    );
  });

  it("T2: says when a pause is shortened to a day", () => {
    assert.equal(
      describeIssues([trouble("Nile", { waitsFor: "as-asked", isShortened: true })], NOW),
      `Nile requested a pause of a day or more. Finality checks its open transactions again at ${formatTime(NOW + 12_000, NOW)}.`,
    );
  });

  it("T5: says that a failure concerns some transactions, and that the others are tracked", () => {
    assert.equal(
      describeIssues([trouble("Nile", { txIds: [fakeTxId(1)] })], NOW),
      "1 transaction on Nile cannot be queried; all others are tracked. Nile did not answer. Check its URL.",
    );
  });

  it("says what a person has to put right first, and in its own words", () => {
    const disk = trouble("", { message: "The disk is full." });

    assert.match(
      describeIssues([trouble("Nile", { waitsFor: "for-an-answer" }), disk], NOW) ?? "",
      /^The disk is full\.\n/,
    );
  });
});
