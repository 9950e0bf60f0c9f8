import assert from "node:assert/strict";
import { VALIDITY } from "../../../../test/support/tracking/intents.ts";
import { DUPLICATE, rejected, turnedAway } from "../../../../test/support/tracking/journal-entries.ts";
import { evidence } from "../../../../test/support/tracking/proven.ts";
import { ALICE, adopted, BOB, blockReference, tracked, txId } from "../../../../test/support/tracking/tracked.ts";
import { transactionId } from "../../../tron/src/primitives/bytes.ts";
import { rawDataFromIntent } from "../../../tron/src/transaction/built-transaction.ts";
import { decodeRawData, encodeRawData } from "../../../tron/src/transaction/raw-data-codec.ts";
import type { RecordedOutcome } from "../../src/life/journal-entry.ts";
import type { Attempt, TrackedTransaction } from "../../src/life/tracked-transaction.ts";
import type { TrackingState } from "../../src/life/tracking-state.ts";
import { allowedActions, judge, whyNotSent } from "../../src/retry/judge.ts";

const absence = { ...evidence(), provenAt: 5_000 };
const REJECTED: RecordedOutcome = { kind: "rejected", code: "TRANSACTION_EXPIRATION_ERROR", message: "expired" };
const TIMED_OUT: RecordedOutcome = { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "no answer" };
const DUPLICATE_ANSWER: RecordedOutcome = { kind: "already-known", message: "Dup transaction." };
const rejectedState: TrackingState = {
  kind: "rejected",
  code: "TRANSACTION_EXPIRATION_ERROR",
  message: "expired",
  retry: "rebuild",
};
const unknownState: TrackingState = { kind: "unknown", reason: "no answer" };
const executed: TrackingState = { kind: "solidified", block: blockReference(7), outcome: { kind: "success" } };
/** In a block after the height that was solidified when the others were signed. */
const executedSince: TrackingState = { ...executed, block: blockReference(101) };

function attempts(...outcomes: readonly (RecordedOutcome | undefined)[]): readonly Attempt[] {
  return outcomes.map((outcome, index) => ({
    number: index + 1,
    endpoint: "https://gateway.test",
    startedAt: index,
    ...(outcome === undefined ? {} : { answeredAt: index, outcome }),
  }));
}

/** Whether a replacement is allowed, allowed later, or never. */
function verdictOn(it: TrackedTransaction): "yes" | "not-yet" | "no" {
  const { createReplacement } = judge(it);
  if (createReplacement.allowed) return "yes";
  return createReplacement.when === undefined ? "no" : "not-yet";
}

function verdictOf(changes: Partial<TrackedTransaction>): string {
  return verdictOn(tracked(changes));
}

function whyNotResend(
  it: TrackedTransaction,
  all: readonly TrackedTransaction[],
  acknowledged: readonly string[],
): string | undefined {
  return whyNotSent(judge(it, { all, acknowledged }).sendSameBytes);
}

describe("judge about a replacement", () => {
  it("S82 allows it with a proof, and hands the proof on", () => {
    const it = tracked({ state: { kind: "proven-absent", from: 101, to: 121 }, absence });

    const because = { kind: "proof", absence };
    assert.deepEqual(judge(it).createReplacement, { allowed: true, signed: it.signed, because });
  });

  it("S86 S122 allows it at once after an explicit rejection of the first and only submission", () => {
    assert.equal(verdictOf({ state: rejectedState, attempts: attempts(REJECTED) }), "yes");
  });

  it("S121 offers nothing but a rebuild after an early expiry", () => {
    const it = tracked({ state: rejectedState, attempts: attempts(REJECTED) });

    assert.equal(verdictOn(it), "yes");
    assert.match(whyNotResend(it, [it], []) ?? "", /never be accepted/);
  });

  it("S123 refuses it when an earlier submission may have happened", () => {
    assert.equal(verdictOf({ state: unknownState, attempts: attempts(TIMED_OUT, REJECTED) }), "not-yet");
    assert.equal(verdictOf({ state: rejectedState, attempts: attempts(REJECTED, DUPLICATE_ANSWER) }), "not-yet");
    assert.equal(verdictOf({ state: rejectedState, attempts: attempts(REJECTED, REJECTED) }), "not-yet");
  });

  it("S84 refuses it after any number of timeouts, and says until when", () => {
    const it = tracked({ state: unknownState, attempts: attempts(...Array.from({ length: 10 }, () => TIMED_OUT)) });
    const { createReplacement } = judge(it);

    assert.ok(!createReplacement.allowed);
    assert.equal(createReplacement.when, it.signed?.expiration);
    assert.match(createReplacement.why, /expiration/);
  });

  it("S124 leaves the choice to wait or to rebuild when the only submission expires too far ahead", () => {
    const it = tracked({
      state: { ...rejectedState, retry: "same-bytes-later" } as TrackingState,
      attempts: attempts(REJECTED),
    });

    assert.equal(verdictOn(it), "yes");
    assert.equal(whyNotResend(it, [it], []), undefined);
    const doubtful = { ...it, state: unknownState, attempts: attempts(TIMED_OUT, REJECTED) };
    assert.equal(verdictOn(doubtful), "not-yet");
  });

  it("S127 asks about the first bytes before a new draft: a released signature needs a proof", () => {
    assert.equal(verdictOf({ state: unknownState, attempts: attempts(undefined) }), "not-yet");
    assert.equal(verdictOf({ state: { kind: "pending" }, attempts: attempts({ kind: "accepted" }) }), "not-yet");
    assert.equal(verdictOf({ state: { kind: "included", block: blockReference(7) } }), "not-yet");
  });

  it("S146 has no way from unknown to a replacement but the proof", () => {
    const states: readonly TrackingState[] = [unknownState, { kind: "pending" }, { kind: "signed" }, executed];

    for (const state of states) assert.notEqual(verdictOf({ state, attempts: attempts(TIMED_OUT) }), "yes");
    assert.notEqual(verdictOf({ state: { kind: "proven-absent", from: 1, to: 2 } }), "yes");
    assert.equal(verdictOf({ state: { kind: "proven-absent", from: 1, to: 2 }, absence }), "yes");
  });

  it("refuses what is replaced already, and what is not ours", () => {
    assert.equal(verdictOf({ state: { kind: "replaced", by: txId("1") }, absence }), "no");
    assert.equal(verdictOn(adopted({ state: unknownState })), "no");
  });
});

describe("judge about sending again", () => {
  const old = tracked({
    state: { ...rejectedState, retry: "same-bytes-after-funding" } as TrackingState,
    attempts: attempts(REJECTED),
  });
  const newer = (state: TrackingState): TrackedTransaction =>
    tracked({ txId: txId("1"), state, createdAt: 2_000, attempts: attempts({ kind: "accepted" }) });

  it("never sends the old bytes after a replacement was released", () => {
    const replaced = tracked({ state: { kind: "replaced", by: txId("1") }, replacedBy: txId("1") });

    assert.match(whyNotResend(replaced, [replaced], [txId("1")]) ?? "", /could pay twice/);
  });

  it("stops a rejected payment while an equal one is alive or was executed since, unless that is acknowledged", () => {
    for (const state of [unknownState, { kind: "pending" }, executedSince] as const) {
      const all = [old, newer(state)];
      assert.match(whyNotResend(old, all, []) ?? "", /twice/);
      assert.equal(whyNotResend(old, all, [txId("1")]), undefined);
    }
  });

  it("minds each equal one: to know of one of them is not to know of the other", () => {
    const others = [newer(executedSince), { ...newer({ kind: "pending" }), txId: txId("b2") }];
    const [first] = others;

    assert.match(whyNotResend(old, [old, ...others], [first?.txId ?? ""]) ?? "", /b2b2/);
  });

  it("goes by heights of the chain and not by local time", () => {
    const dated = { ...newer(executedSince), createdAt: 1, changedAt: 1 };

    assert.match(whyNotResend(old, [old, dated], []) ?? "", /executed meanwhile/);
    assert.equal(whyNotResend(old, [old, { ...newer(executed), createdAt: 9_000, changedAt: 9_000 }], []), undefined);
  });

  it("does not mind one that failed, or was final before, or is another one", () => {
    const failed: TrackingState = {
      ...executedSince,
      outcome: { kind: "failed", result: "REVERT", message: "" },
    } as TrackingState;

    assert.equal(whyNotResend(old, [old, newer(failed)], []), undefined);
    assert.equal(whyNotResend(old, [old, newer(executed)], []), undefined);
    assert.equal(whyNotResend(old, [old, { ...newer(executedSince), network: "Main" }], []), undefined);
  });

  it("minds an older one that may still be executed, or was since", () => {
    for (const state of [unknownState, executedSince] as const) {
      const older = { ...newer(state), createdAt: 1, changedAt: 5_000 };
      assert.match(whyNotResend(old, [older, old], []) ?? "", /An equal transaction/);
    }
  });

  it("lets the bytes of an unknown one go again: they may be out anyway", () => {
    const unknown = tracked({ state: unknownState, attempts: attempts(TIMED_OUT) });

    assert.equal(whyNotResend(unknown, [unknown, newer({ kind: "pending" })], []), undefined);
  });
});

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

      assert.deepEqual(allowedActions(failed, OTHER_NODE), ["doItAgain"]);
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
