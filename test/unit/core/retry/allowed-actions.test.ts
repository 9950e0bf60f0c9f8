import assert from "node:assert/strict";
import type { RecordedOutcome } from "../../../../src/core/life/journal-entry.ts";
import type { TrackedTransaction } from "../../../../src/core/life/tracked-transaction.ts";
import { transactionId } from "../../../../src/core/primitives/bytes.ts";
import { allowedActions, judge } from "../../../../src/core/retry/judge.ts";
import { rawDataFromIntent } from "../../../../src/core/transaction/built-transaction.ts";
import { decodeRawData, encodeRawData } from "../../../../src/core/transaction/raw-data-codec.ts";
import { VALIDITY } from "../../../support/tracking/intents.ts";
import { DUPLICATE, rejected, turnedAway } from "../../../support/tracking/journal-entries.ts";
import { ALICE, adopted, BOB, blockReference, tracked, txId } from "../../../support/tracking/tracked.ts";

const OTHER_NODE = { otherUrls: ["https://other.test"] };
const NO_OTHER = { otherUrls: [] };

function after(state: TrackedTransaction["state"], ...outcomes: readonly RecordedOutcome[]): TrackedTransaction {
  const attempts = outcomes.map((outcome, index) => ({
    number: index + 1,
    endpoint: "https://gateway.test",
    startedAt: index,
    answeredAt: index,
    outcome,
  }));
  return tracked({ state, attempts });
}

/** Why the same bytes may not be sent again; empty when they may. */
function whyNot(it: TrackedTransaction): string {
  const { sendSameBytes } = judge(it);
  return sendSameBytes.allowed ? "" : sendSameBytes.why;
}

describe("allowedActions", () => {
  it("of an unknown outcome are harmless ones alone", () => {
    assert.deepEqual(allowedActions(tracked({ state: { kind: "unknown", reason: "" } }), OTHER_NODE), [
      "sendSameBytes",
      "sendToAnotherNode",
      "lookNow",
    ]);
  });

  it("M1b: of what was turned away before the node, no replacement is one of them", () => {
    const forbidden = turnedAway("GATEWAY_UNAUTHORIZED", "it answered 403");

    const it = after({ kind: "unknown", reason: "it answered 403" }, forbidden);

    assert.deepEqual(allowedActions(it, OTHER_NODE), ["sendSameBytes", "sendToAnotherNode", "lookNow"]);
    assert.equal(judge(it).createReplacement.allowed, false);
  });

  it("S110 another node is offered after DUP, first answer or not, when the profile has one", () => {
    const first = { kind: "rejected", code: "SIGERROR", message: "sig error", retry: "another-node" } as const;
    const cases = [
      after({ kind: "unknown", reason: "" }, DUPLICATE),
      after(first, rejected("SIGERROR", "sig error"), DUPLICATE),
    ];

    for (const it of cases) {
      assert.ok(allowedActions(it, OTHER_NODE).includes("sendToAnotherNode"));
      assert.ok(!allowedActions(it, NO_OTHER).includes("sendToAnotherNode"));
    }
  });

  it("another node is offered wherever the same bytes may go, and never for bytes that are not here", () => {
    const state = { kind: "rejected", code: "BANDWITH_ERROR", message: "", retry: "same-bytes-after-funding" } as const;

    assert.ok(
      !allowedActions(adopted({ state: { kind: "unknown", reason: "" } }), OTHER_NODE).includes("sendToAnotherNode"),
    );
    assert.deepEqual(allowedActions(after(state, rejected("BANDWITH_ERROR")), OTHER_NODE), [
      "sendSameBytes",
      "sendToAnotherNode",
      "lookNow",
    ]);
  });
});

describe("judge about the same bytes", () => {
  it("names the block, the answer or the replacement", () => {
    const block = blockReference(7);
    const signature = { kind: "rejected", code: "SIGERROR", message: "sig error", retry: "sign-again" } as const;

    assert.match(whyNot(tracked({ state: { kind: "included", block } })), /block 7/);
    assert.match(whyNot(tracked({ state: signature })), /txID stays the same\. The answer was: sig error/);
    assert.match(whyNot(tracked({ state: { kind: "replaced", by: txId("1") } })), /1111 took its place/);
  });

  for (const result of ["REVERT", "OUT_OF_ENERGY", "OUT_OF_TIME"]) {
    it(`S141 after ${result} the same bytes are not sent again; a new transaction is the way`, () => {
      const outcome = { kind: "failed", result, message: "" } as const;
      const failed = tracked({ state: { kind: "solidified", block: blockReference(7), outcome } });

      assert.deepEqual(allowedActions(failed, OTHER_NODE), []);
      assert.match(whyNot(failed), /cannot be executed a second time. Create a new transaction/);
    });
  }

  it("S134 the new transaction that takes its place copies the call with fresh times, and has another txID", () => {
    const intent = {
      kind: "contract-call",
      owner: ALICE,
      contract: BOB,
      data: "a9059cbb",
      callValue: 0n,
      feeLimit: 100_000_000n,
    } as Parameters<typeof rawDataFromIntent>[0];
    const [first, second] = [0, 60_000].map((later) => {
      const times = { expiration: VALIDITY.expiration + later, timestamp: VALIDITY.timestamp + later };
      return encodeRawData(rawDataFromIntent(intent, { ...VALIDITY, ...times }));
    });
    assert.ok(first !== undefined && second !== undefined);

    assert.deepEqual(decodeRawData(first).contracts, decodeRawData(second).contracts);
    assert.notEqual(transactionId(first), transactionId(second));
  });
});
