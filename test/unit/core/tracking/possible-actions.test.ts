import assert from "node:assert/strict";
import type { RecordedOutcome } from "../../../../src/core/journal/journal.ts";
import { transactionId } from "../../../../src/core/primitives/hash.ts";
import { possibleActions } from "../../../../src/core/tracking/possible-actions.ts";
import type { TrackedTransaction } from "../../../../src/core/tracking/tracked-transaction.ts";
import { whyNotAgain } from "../../../../src/core/tracking/why-not-again.ts";
import { decodeRawData, encodeRawData } from "../../../../src/core/transaction/raw-data-codec.ts";
import { rawDataFromIntent } from "../../../../src/core/transaction/raw-data-from-intent.ts";
import { VALIDITY } from "../../../support/intents.ts";
import { DUPLICATE, rejected } from "../../../support/journal-entries.ts";
import { ALICE, adopted, BOB, blockReference, tracked, txId } from "../../../support/tracked.ts";

const OTHER_NODE = ["https://other.test"];

function after(state: TrackedTransaction["state"], ...outcomes: readonly RecordedOutcome[]): TrackedTransaction {
  const attempts = outcomes.map((outcome, index) => ({
    ...{ number: index + 1, endpoint: "https://gateway.test", startedAt: index, answeredAt: index, outcome },
  }));
  return tracked({ state, attempts });
}

describe("possibleActions", () => {
  it("of an unknown outcome are harmless ones alone", () => {
    assert.deepEqual(possibleActions(tracked({ state: { kind: "unknown", reason: "" } }), OTHER_NODE), [
      ...["sendSameBytes", "tryOtherNode", "lookNow"],
    ]);
  });

  it("S110 another node is offered after DUP, first answer or not, when the profile has one", () => {
    const first = { kind: "rejected", code: "SIGERROR", message: "sig error", retry: "another-node" } as const;
    const cases = [
      after({ kind: "unknown", reason: "" }, DUPLICATE),
      after(first, rejected("SIGERROR", "sig error"), DUPLICATE),
    ];

    for (const it of cases) {
      assert.ok(possibleActions(it, OTHER_NODE).includes("tryOtherNode"));
      assert.ok(!possibleActions(it, []).includes("tryOtherNode"));
    }
  });

  it("another node is not offered for bytes that are not here, nor after any other answer", () => {
    const state = { kind: "rejected", code: "BANDWITH_ERROR", message: "", retry: "same-bytes-after-funding" } as const;

    assert.ok(
      !possibleActions(adopted({ state: { kind: "unknown", reason: "" } }), OTHER_NODE).includes("tryOtherNode"),
    );
    assert.deepEqual(possibleActions(after(state, rejected("BANDWITH_ERROR")), OTHER_NODE), [
      ...["sendSameBytes", "createReplacement", "remove"],
    ]);
  });
});

describe("whyNotAgain", () => {
  it("names the block, the answer or the replacement", () => {
    const block = blockReference(7);
    const signature = { kind: "rejected", code: "SIGERROR", message: "sig error", retry: "sign-again" } as const;

    assert.match(whyNotAgain(tracked({ state: { kind: "included", block } })) ?? "", /block 7/);
    assert.match(whyNotAgain(tracked({ state: signature })) ?? "", /txID stays the same\. The answer was: sig error/);
    assert.match(whyNotAgain(tracked({ state: { kind: "replaced", by: txId("1") } })) ?? "", /1111 took its place/);
  });

  for (const result of ["REVERT", "OUT_OF_ENERGY", "OUT_OF_TIME"]) {
    it(`S141 after ${result} the same bytes are not sent again; a new transaction is the way`, () => {
      const outcome = { kind: "failed", result, message: "" } as const;
      const failed = tracked({ state: { kind: "solidified", block: blockReference(7), outcome } });

      assert.deepEqual(possibleActions(failed, OTHER_NODE), ["remove"]);
      assert.match(whyNotAgain(failed) ?? "", /cannot be executed a second time. Create a new transaction/);
    });
  }

  it("S134 the new transaction that takes its place copies the call with fresh times, and has another txID", () => {
    const intent = {
      ...{
        kind: "contract-call",
        owner: ALICE,
        contract: BOB,
        data: "a9059cbb",
        callValue: 0n,
        feeLimit: 100_000_000n,
      },
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
