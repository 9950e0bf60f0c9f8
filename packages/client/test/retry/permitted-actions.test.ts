import assert from "node:assert/strict";
import fc from "fast-check";
import { emptyInfo } from "../../../../test/support/fakes/fake-gateway.ts";
import { VALIDITY } from "../../../../test/support/tracking/intents.ts";
import {
  ACCEPTED,
  answeredEntry,
  DUPLICATE,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TIMED_OUT,
  TRANSFER,
  trackedFromEntries,
  turnedAway,
} from "../../../../test/support/tracking/journal-entries.ts";
import { evidence } from "../../../../test/support/tracking/proven.ts";
import {
  ALICE,
  adopted,
  BOB,
  blockReference,
  signedPart,
  tracked,
  txId,
} from "../../../../test/support/tracking/tracked.ts";
import { BROADCAST_CODES } from "../../../tron/src/node-messages/node-message.ts";
import { parseAddress, toBase58 } from "../../../tron/src/primitives/address.ts";
import { transactionId } from "../../../tron/src/primitives/bytes.ts";
import { rawDataFromIntent } from "../../../tron/src/transaction/built-transaction.ts";
import { contractResults } from "../../../tron/src/transaction/contract-types.ts";
import type { IntentOf } from "../../../tron/src/transaction/intent.ts";
import { decodeRawData, encodeRawData } from "../../../tron/src/transaction/raw-data-codec.ts";
import {
  type ActionDecision,
  allowedActions,
  decideActions,
  resendRefusal,
} from "../../src/retry/permitted-actions.ts";
import { HANDED_OVER_AGAIN, replacementTexts } from "../../src/retry/retry-messages.ts";
import { awaitsProof } from "../../src/retry/retry-policy.ts";
import { outcomeInInfo } from "../../src/transaction-state/execution-outcome.ts";
import type { JournalEntry, RecordedOutcome } from "../../src/transaction-state/journal-entry.ts";
import type { Attempt, TrackedTransaction, TrackingState } from "../../src/transaction-state/tracked-transaction.ts";

const absence = { ...evidence(), provenAt: 5_000 };
const REJECTED: RecordedOutcome = { kind: "rejected", code: "TRANSACTION_EXPIRATION_ERROR", message: "expired" };
const UNREACHABLE: RecordedOutcome = { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "no answer" };
const DUPLICATE_ANSWER: RecordedOutcome = { kind: "already-known", message: "Dup transaction." };
const OUT_OF_BANDWIDTH = { kind: "rejected", code: "BANDWITH_ERROR", message: "" } as const;
const rejectedState: TrackingState = {
  kind: "rejected",
  code: "TRANSACTION_EXPIRATION_ERROR",
  message: "expired",
  retry: "rebuild",
};
const unknownState: TrackingState = { kind: "unknown", reason: "no answer" };
const executed: TrackingState = { kind: "solidified", block: blockReference(7), outcome: { kind: "success" } };
/** Executed in a block after the solidified height at signing. */
const executedSince: TrackingState = { ...executed, block: blockReference(101) };

function attempts(...outcomes: readonly (RecordedOutcome | undefined)[]): readonly Attempt[] {
  return outcomes.map((outcome, index) => ({
    number: index + 1,
    endpoint: "https://gateway.test",
    startedAt: index,
    ...(outcome === undefined ? {} : { answeredAt: index, outcome }),
  }));
}

/** Returns the permission for a replacement: now, later or never. */
function verdictOn(it: TrackedTransaction): "yes" | "not-yet" | "no" {
  const { createReplacement } = decideActions(it);
  if (createReplacement.allowed) return "yes";
  return createReplacement.when === undefined ? "no" : "not-yet";
}

function verdictOf(changes: Partial<TrackedTransaction>): string {
  return verdictOn(tracked(changes));
}

function whyNotResend(
  it: TrackedTransaction,
  all: readonly TrackedTransaction[] = [it],
  acknowledged: readonly string[] = [],
): string | undefined {
  return resendRefusal(decideActions(it, { all, acknowledged }).sendSameBytes);
}

describe("decideActions about a replacement", () => {
  it("S82 allows a replacement when the absence is proven, and returns the proof", () => {
    const it = tracked({ state: { kind: "proven-absent", from: 101, to: 121 }, absence });

    const because = { kind: "proof", absence };
    assert.deepEqual(decideActions(it).createReplacement, { allowed: true, signed: it.signed, because });
  });

  it("S86 S121 S122 allows a replacement and not the same bytes when the only submission was refused as expired", () => {
    const it = tracked({ state: rejectedState, attempts: attempts(REJECTED) });

    assert.equal(verdictOn(it), "yes");
    assert.match(whyNotResend(it) ?? "", /no longer be accepted/);
  });

  it("S123 delays a replacement when an earlier submission may have succeeded", () => {
    assert.equal(verdictOf({ state: unknownState, attempts: attempts(UNREACHABLE, REJECTED) }), "not-yet");
    assert.equal(verdictOf({ state: rejectedState, attempts: attempts(REJECTED, DUPLICATE_ANSWER) }), "not-yet");
    assert.equal(verdictOf({ state: rejectedState, attempts: attempts(REJECTED, REJECTED) }), "not-yet");
  });

  it("S84 delays a replacement until the expiration after any number of timeouts", () => {
    const it = tracked({ state: unknownState, attempts: attempts(...Array.from({ length: 10 }, () => UNREACHABLE)) });
    const { createReplacement } = decideActions(it);

    assert.ok(!createReplacement.allowed);
    assert.equal(createReplacement.when, it.signed?.expiration);
    assert.match(createReplacement.why, /expiration/);
  });

  it("S124 allows the same bytes and a replacement when the only submission expires too far ahead", () => {
    const it = tracked({
      state: { ...rejectedState, retry: "same-bytes-later" } as TrackingState,
      attempts: attempts(REJECTED),
    });

    assert.equal(verdictOn(it), "yes");
    assert.equal(whyNotResend(it), undefined);
    const doubtful = { ...it, state: unknownState, attempts: attempts(UNREACHABLE, REJECTED) };
    assert.equal(verdictOn(doubtful), "not-yet");
  });

  it("S127 delays a replacement until a proof when a signature was released", () => {
    assert.equal(verdictOf({ state: unknownState, attempts: attempts(undefined) }), "not-yet");
    assert.equal(verdictOf({ state: { kind: "pending" }, attempts: attempts({ kind: "accepted" }) }), "not-yet");
    assert.equal(verdictOf({ state: { kind: "included", block: blockReference(7) } }), "not-yet");
  });

  it("S146 allows no replacement of an unknown outcome without a proof", () => {
    const states: readonly TrackingState[] = [unknownState, { kind: "pending" }, { kind: "signed" }, executed];

    for (const state of states) assert.notEqual(verdictOf({ state, attempts: attempts(UNREACHABLE) }), "yes");
    assert.notEqual(verdictOf({ state: { kind: "proven-absent", from: 1, to: 2 } }), "yes");
    assert.equal(verdictOf({ state: { kind: "proven-absent", from: 1, to: 2 }, absence }), "yes");
  });

  it("refuses to replace a replaced or a foreign transaction", () => {
    assert.equal(verdictOf({ state: { kind: "replaced", by: txId("1") }, absence }), "no");
    assert.equal(verdictOf({ state: unknownState, replacedBy: txId("1"), attempts: attempts(UNREACHABLE) }), "no");
    assert.equal(verdictOn(adopted({ state: unknownState })), "no");
  });

  it("does not suggest a new transaction before the proof when several submissions were refused", () => {
    const { advice, whyNot } = decideActions(tracked({ state: rejectedState, attempts: attempts(REJECTED, REJECTED) }));

    assert.equal(advice, HANDED_OVER_AGAIN.advice);
    assert.equal(whyNot, HANDED_OVER_AGAIN.whyNot);
  });

  it("delays a replacement of funded bytes because they are valid, not because they were sent twice", () => {
    const state: TrackingState = { ...OUT_OF_BANDWIDTH, retry: "same-bytes-after-funding" };
    const why = (...outcomes: readonly RecordedOutcome[]) => {
      const { createReplacement } = decideActions(tracked({ state, attempts: attempts(...outcomes) }));
      return createReplacement.allowed ? assert.fail() : createReplacement.why;
    };

    assert.ok(!why(OUT_OF_BANDWIDTH).includes(replacementTexts.handedOverAgain));
    assert.ok(why(OUT_OF_BANDWIDTH, OUT_OF_BANDWIDTH).includes(replacementTexts.handedOverAgain));
  });

  it("asks for funds and not for signatures when a transaction with new signatures lacks Bandwidth", () => {
    const state: TrackingState = { ...OUT_OF_BANDWIDTH, retry: "same-bytes-after-funding" };
    const it = tracked({ state, signed: { ...signedPart(), renewed: true }, attempts: attempts(OUT_OF_BANDWIDTH) });

    assert.equal(decideActions(it).row, "same-bytes-after-funding");
  });
});

describe("decideActions about sending the same bytes again", () => {
  const old = tracked({
    state: { ...rejectedState, retry: "same-bytes-after-funding" } as TrackingState,
    attempts: attempts(REJECTED),
  });
  const newer = (state: TrackingState): TrackedTransaction =>
    tracked({ txId: txId("1"), state, createdAt: 2_000, attempts: attempts({ kind: "accepted" }) });

  it("refuses the old bytes when a replacement was released", () => {
    const replaced = tracked({ state: { kind: "replaced", by: txId("1") }, replacedBy: txId("1") });

    assert.match(whyNotResend(replaced, [replaced], [txId("1")]) ?? "", /could pay twice/);
  });

  it("refuses rejected bytes while an equal transaction is pending or was executed since, unless acknowledged", () => {
    for (const state of [unknownState, { kind: "pending" }, executedSince] as const) {
      const all = [old, newer(state)];
      assert.match(whyNotResend(old, all, []) ?? "", /twice/);
      assert.equal(whyNotResend(old, all, [txId("1")]), undefined);
    }
  });

  it("requires that each equal transaction is acknowledged", () => {
    const others = [newer(executedSince), { ...newer({ kind: "pending" }), txId: txId("b2") }];
    const [first] = others;

    assert.match(whyNotResend(old, [old, ...others], [first?.txId ?? ""]) ?? "", /b2b2/);
  });

  it("compares heights of the chain, not local times", () => {
    const dated = { ...newer(executedSince), createdAt: 1, changedAt: 1 };

    assert.match(whyNotResend(old, [old, dated], []) ?? "", /was executed meanwhile/);
    assert.match(whyNotResend(old, [old, newer({ kind: "pending" })], []) ?? "", /may still be executed/);
    assert.equal(whyNotResend(old, [old, { ...newer(executed), createdAt: 9_000, changedAt: 9_000 }], []), undefined);
  });

  it("ignores an equal transaction that failed, was final before, or is on another network", () => {
    const failed: TrackingState = {
      ...executedSince,
      outcome: { kind: "failed", result: "REVERT", message: "" },
    } as TrackingState;

    assert.equal(whyNotResend(old, [old, newer(failed)], []), undefined);
    assert.equal(whyNotResend(old, [old, newer(executed)], []), undefined);
    assert.equal(whyNotResend(old, [old, { ...newer(executedSince), network: "Main" }], []), undefined);
  });

  it("refuses rejected bytes when an older equal transaction may still execute or was executed since", () => {
    for (const state of [unknownState, executedSince] as const) {
      const older = { ...newer(state), createdAt: 1, changedAt: 5_000 };
      assert.match(whyNotResend(old, [older, old], []) ?? "", /An equal transaction/);
    }
  });

  it("allows the bytes of an unknown outcome beside an equal pending transaction", () => {
    const unknown = tracked({ state: unknownState, attempts: attempts(UNREACHABLE) });

    assert.equal(whyNotResend(unknown, [unknown, newer({ kind: "pending" })], []), undefined);
  });
});

describe("awaitsProof", () => {
  it("is true for our own open transaction, and false for a foreign, hidden or final one", () => {
    assert.equal(awaitsProof(tracked({ state: unknownState })), true);
    assert.equal(awaitsProof(tracked({ state: { kind: "pending" } })), true);
    assert.equal(awaitsProof(adopted({ state: unknownState })), false);
    assert.equal(awaitsProof(tracked({ state: unknownState, hidden: true })), false);
    assert.equal(awaitsProof(tracked({ state: executed })), false);
  });
});

const OTHER_NODE = { otherUrls: ["https://other.test"] };
const NO_OTHER = { otherUrls: [] };

const after = (state: TrackingState, ...outcomes: readonly RecordedOutcome[]): TrackedTransaction =>
  tracked({ state, attempts: attempts(...outcomes) });

describe("allowedActions", () => {
  it("offers only rebroadcasts and a query when the outcome is unknown", () => {
    assert.deepEqual(allowedActions(tracked({ state: { kind: "unknown", reason: "" } }), OTHER_NODE), [
      "sendSameBytes",
      "sendToAnotherNode",
      "lookNow",
    ]);
  });

  it("M1b: offers no replacement when the gateway turned the transaction away", () => {
    const forbidden = turnedAway("GATEWAY_UNAUTHORIZED", "it answered 403");

    const it = after({ kind: "unknown", reason: "it answered 403" }, forbidden);

    assert.deepEqual(allowedActions(it, OTHER_NODE), ["sendSameBytes", "sendToAnotherNode", "lookNow"]);
    assert.equal(decideActions(it).createReplacement.allowed, false);
  });

  it("S110 offers another node after a duplicate answer when the network has another URL", () => {
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

  it("offers another node when the same bytes may be sent and are stored here", () => {
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

describe("decideActions about the same bytes", () => {
  it("names the block, the answer or the replacement when the same bytes are refused", () => {
    const block = blockReference(7);
    const signature = { kind: "rejected", code: "SIGERROR", message: "sig error", retry: "sign-again" } as const;

    assert.match(whyNotResend(tracked({ state: { kind: "included", block } })) ?? "", /block 7/);
    assert.match(whyNotResend(tracked({ state: signature })) ?? "", /txID stays the same\. The answer was: sig error/);
    assert.match(whyNotResend(tracked({ state: { kind: "replaced", by: txId("1") } })) ?? "", /1111 replaced it/);
  });

  it("offers no query and no proof for an executed or replaced transaction, with the reason", () => {
    for (const [state, why] of [
      [executed, /executed/],
      [{ kind: "replaced", by: txId("1") }, /It was replaced/],
    ] as const) {
      const { lookNow, exportProof } = decideActions(tracked({ state }));
      assert.deepEqual(["code" in lookNow && lookNow.code, exportProof.allowed], ["LOOK_NOT_NEEDED", false]);
      assert.match("why" in lookNow ? lookNow.why : "", why);
    }
  });

  it("S141 offers a new transaction instead of the same bytes when the execution failed", () => {
    for (const result of ["REVERT", "OUT_OF_ENERGY", "OUT_OF_TIME"]) {
      const outcome = { kind: "failed", result, message: "" } as const;
      const failed = tracked({ state: { kind: "solidified", block: blockReference(7), outcome } });

      assert.deepEqual(allowedActions(failed, OTHER_NODE), ["doItAgain"], result);
      assert.match(whyNotResend(failed) ?? "", /cannot be executed a second time. Create a new transaction/, result);
    }
  });

  it("S134 copies the call with new times and another txID into the new transaction", () => {
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

const HEAD = Date.UTC(2026, 0, 1);
const HOUR = 60 * 60 * 1_000;
const NO_ANSWER: Answer = { kind: "none" };
const BROKE = rejected(
  "CONTRACT_VALIDATE_ERROR",
  "Contract validate error : Validate TransferContract error, balance is not sufficient.",
);
const EXPIRED = rejected("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");
const BAD_SIGNATURE = rejected("SIGERROR", "Validate signature error: sig error");
const SLOT = 3_000;

/** Answer to one submission; `none` without an answer. */
type Answer = RecordedOutcome | { readonly kind: "none" };

interface RetryCase {
  /** Answers to the submissions before the newest one, in order. */
  readonly history?: readonly Answer[];
  /** Answer to the newest submission; absent when it was not sent. */
  readonly answer?: Answer;
  /** Times of the chain, ms, and what blocks and proofs show. */
  readonly chain?: { readonly expiration?: number; readonly headTime?: number; readonly shows?: keyof typeof SHOWN };
}

const { txId: id } = fakeBytes(1);
const FAILED = { kind: "failed", result: "REVERT", message: "" } as const;
const SHOWN = {
  included: { kind: "seen-in-head", txId: id, at: 9_000, block: { number: 7, timestamp: 1 } },
  executed: { kind: "solidified", txId: id, at: 9_000, block: blockReference(7), outcome: { kind: "success" } },
  failed: { kind: "solidified", txId: id, at: 9_000, block: blockReference(7), outcome: FAILED },
  "proven-absent": { kind: "proven-absent", txId: id, at: 9_000, ...evidence() },
  replaced: { kind: "replaced", txId: id, at: 9_000, by: txId("1") },
} satisfies { readonly [name: string]: JournalEntry };

/** Returns the decision about a transaction with this history in the journal. */
function decisionFor({ history = [], answer, chain = {} }: RetryCase): ActionDecision {
  const { expiration, headTime, shows } = chain;
  const answers = answer === undefined ? history : [...history, answer];
  const lines = answers.flatMap((it, index): JournalEntry[] => {
    const start = startedEntry(id, index + 1, 2_000 + 10 * index);
    return it.kind === "none" ? [start] : [start, answeredEntry(id, it, { attempt: index + 1, at: start.at + 5 })];
  });
  const entries: readonly JournalEntry[] = [
    signedEntry(1, expiration === undefined ? {} : { expiration }),
    ...lines,
    ...(headTime === undefined ? [] : [{ kind: "head-time", txId: id, at: 8_000, time: headTime } as const]),
    ...(shows === undefined ? [] : [SHOWN[shows]]),
  ];
  const tracked = trackedFromEntries(entries, id);
  assert.ok(tracked);
  return decideActions(tracked);
}

function unreachable(code: string): RecordedOutcome {
  return { kind: "unknown", code, message: code };
}

const UNKNOWN_ROW = "unknown yes after-proof";
const TURNED_AWAY_ROW = "turned-away after after-proof";
const early = { expiration: HEAD + SLOT - 1, headTime: HEAD };
const farAhead = { expiration: HEAD + 24 * HOUR + 10_000, headTime: HEAD };
const valid = { expiration: HEAD + 60_000, headTime: HEAD };
const invalid = (message: string): RecordedOutcome => rejected("CONTRACT_VALIDATE_ERROR", message);
const TO_ONESELF = invalid("Contract validate error : Cannot transfer TRX to yourself.");
const PAST_START = invalid("Contract validate error : Start time should be greater than HeadBlockTime");
const NOT_RELAYED: RecordedOutcome = { kind: "unknown", code: "NODE_REFUSED", message: "P2P broadcast failed." };

/** Rules of the protocol: statement, condition, case, and the row, the same bytes and the replacement that they allow. */
const RULES: readonly (readonly [statements: string, condition: string, RetryCase, expected: string])[] = [
  ["", "it was not submitted", {}, "not-sent yes no"],
  ["S39 S120", "the node finds no contract", { answer: invalid("No contract!") }, "fix-request after at-once"],
  ["S107", "a field is invalid", { answer: invalid("frozenBalance must be positive") }, "fix-request after at-once"],
  [
    "S113",
    "an account does not exist",
    { answer: invalid("account [TWAF] does not exist") },
    "same-bytes-after-funding after after-proof",
  ],
  ["", "the sender is the recipient", { answer: TO_ONESELF }, "rebuild no at-once"],
  ["", "its start time has passed", { answer: PAST_START }, "rebuild no at-once"],
  ["S40 S145", "a node accepts it", { answer: ACCEPTED }, "pending yes after-proof"],
  ["S41", "a block includes it", { answer: ACCEPTED, chain: { shows: "included" } }, "included no after-proof"],
  ["S42", "it is executed", { answer: ACCEPTED, chain: { shows: "executed" } }, "executed no no"],
  ["S43 S141", "its execution fails", { answer: ACCEPTED, chain: { shows: "failed" } }, "failed no at-once"],
  [
    "S86",
    "its absence is proven",
    { answer: TIMED_OUT, chain: { shows: "proven-absent" } },
    "proven-absent no at-once",
  ],
  ["", "a replacement was released", { answer: TIMED_OUT, chain: { shows: "replaced" } }, "replaced no no"],
  ["S44 S121", "it has expired", { answer: EXPIRED, chain: early }, "rebuild no at-once"],
  [
    "S45 S139",
    "it expires too far ahead",
    { answer: EXPIRED, chain: farAhead },
    "same-bytes-when-head-advances after at-once",
  ],
  [
    "S124",
    "it expires too far ahead of a later head",
    { answer: EXPIRED, chain: { ...farAhead, headTime: HEAD + 30_000 } },
    "same-bytes-when-head-advances after at-once",
  ],
  [
    "",
    "it has expired and no head time is known",
    { answer: EXPIRED, chain: { expiration: farAhead.expiration } },
    "rebuild no at-once",
  ],
  ["S122", "the only submission has expired", { history: [], answer: EXPIRED }, "rebuild no at-once"],
  ["S123", "no answer precedes the expiry", { history: [NO_ANSWER], answer: EXPIRED, chain: early }, UNKNOWN_ROW],
  ["S123", "a timeout precedes the expiry", { history: [TIMED_OUT], answer: EXPIRED, chain: early }, UNKNOWN_ROW],
  [
    "S123",
    "an accepted submission precedes the expiry",
    { history: [ACCEPTED], answer: EXPIRED, chain: early },
    "pending yes after-proof",
  ],
  [
    "S123",
    "a refused submission precedes the expiry",
    { history: [BROKE], answer: EXPIRED, chain: early },
    "rebuild no after-proof",
  ],
  [
    "S46 S128 S140",
    "the balance is not sufficient",
    { answer: BROKE, chain: valid },
    "same-bytes-after-funding after after-proof",
  ],
  ["S140", "the balance is not sufficient and it expires", { answer: BROKE, chain: early }, "rebuild no at-once"],
  [
    "S109",
    "Bandwidth is missing",
    { answer: rejected("BANDWITH_ERROR") },
    "same-bytes-after-funding after after-proof",
  ],
  ["S47 S125", "the signature is invalid", { answer: BAD_SIGNATURE, chain: valid }, "sign-again no at-once"],
  ["S108 S138", "the first signature is invalid", { answer: BAD_SIGNATURE }, "sign-again no at-once"],
  [
    "S126",
    "corrected signatures are accepted",
    { history: [BAD_SIGNATURE], answer: ACCEPTED },
    "pending yes after-proof",
  ],
  ["S127", "the signature is invalid and it expires", { answer: BAD_SIGNATURE, chain: early }, "rebuild no at-once"],
  [
    "S127",
    "a timeout precedes an invalid signature",
    { history: [TIMED_OUT], answer: BAD_SIGNATURE, chain: early },
    UNKNOWN_ROW,
  ],
  ["S99", "the connection is refused", { answer: unreachable("GATEWAY_UNREACHABLE") }, UNKNOWN_ROW],
  ["S100 S136", "the gateway answers 5xx", { answer: unreachable("GATEWAY_HTTP_STATUS") }, UNKNOWN_ROW],
  ["S102 S135", "the request times out", { answer: TIMED_OUT }, UNKNOWN_ROW],
  ["S105", "no response arrives", { answer: NO_ANSWER }, UNKNOWN_ROW],
  ["S101 M1b", "the gateway answers 4xx", { answer: turnedAway("GATEWAY_HTTP_STATUS") }, TURNED_AWAY_ROW],
  ["S103 M1b", "the gateway answers 401 or 403", { answer: turnedAway("GATEWAY_UNAUTHORIZED") }, TURNED_AWAY_ROW],
  ["S104 S137 M1b", "the gateway answers 429", { answer: turnedAway("GATEWAY_RATE_LIMITED") }, TURNED_AWAY_ROW],
  ["M1b", "a timeout precedes 429", { history: [TIMED_OUT], answer: turnedAway("GATEWAY_RATE_LIMITED") }, UNKNOWN_ROW],
  ["M1b", "429 precedes a refusal", { history: [turnedAway("GATEWAY_RATE_LIMITED")], answer: BROKE }, UNKNOWN_ROW],
  ["S110", "a node reports a duplicate", { answer: DUPLICATE }, "another-node yes after-proof"],
  [
    "S143",
    "a duplicate follows an accepted submission",
    { history: [TIMED_OUT, ACCEPTED], answer: DUPLICATE },
    "pending yes after-proof",
  ],
  ["S144", "a timeout precedes 5xx", { history: [TIMED_OUT], answer: unreachable("GATEWAY_HTTP_STATUS") }, UNKNOWN_ROW],
  [
    "S146",
    "one of three submissions has no answer",
    { history: [BAD_SIGNATURE, NO_ANSWER], answer: EXPIRED, chain: early },
    UNKNOWN_ROW,
  ],
  ["", "the node answers CONTRACT_EXE_ERROR", { answer: rejected("CONTRACT_EXE_ERROR") }, "fix-request after at-once"],
  [
    "",
    "the node answers TOO_BIG_TRANSACTION_ERROR",
    { answer: rejected("TOO_BIG_TRANSACTION_ERROR") },
    "rebuild no at-once",
  ],
  ["", "the node answers TAPOS_ERROR", { answer: rejected("TAPOS_ERROR") }, "another-node yes at-once"],
  ...["SERVER_BUSY", "NO_CONNECTION", "NOT_ENOUGH_EFFECTIVE_CONNECTION", "BLOCK_UNSOLIDIFIED"].map(
    (code) => ["", `the node answers ${code}`, { answer: rejected(code) }, "same-bytes-later after at-once"] as const,
  ),
  ["", "the node does not relay it", { answer: NOT_RELAYED }, UNKNOWN_ROW],
  ["", "the node answers without a known code", { answer: unreachable("NODE_REFUSED") }, UNKNOWN_ROW],
  ["", "the node answers an Error body", { answer: rejected("NullPointerException") }, "fix-request after at-once"],
];

describe("decideActions by the rules of the protocol", () => {
  for (const [statements, condition, retryCase, expected] of RULES) {
    it(`${statements} returns "${expected}" when ${condition}`.trimStart(), () => {
      const { row, sameBytes, renewal } = decisionFor(retryCase);

      assert.equal([row, sameBytes, renewal].join(" "), expected);
    });
  }
});

describe("decideActions by the time of the chain", () => {
  const expiration = HEAD + 60_000;
  const OUT_OF_FUNDS = rejected("BANDWITH_ERROR");
  const trackedAfter = (answer: RecordedOutcome, ...facts: readonly JournalEntry[]) => {
    const lines = [signedEntry(1, { expiration }), startedEntry(id), answeredEntry(id, answer), ...facts];
    return trackedFromEntries(lines, id) ?? assert.fail();
  };
  const notFound: JournalEntry = { kind: "not-found", txId: id, at: 9_000, time: expiration };

  it("G17: allows the same bytes until their expiration", () => {
    for (const answer of [BROKE, OUT_OF_FUNDS, rejected("SERVER_BUSY"), rejected("CONTRACT_VALIDATE_ERROR", "x")]) {
      const it = trackedAfter(answer);

      assert.equal(decideActions(it, { chainTime: expiration - 1 }).sendSameBytes.allowed, true);
      const { sendSameBytes, sameBytes, advice, renewal } = decideActions(it, { chainTime: expiration });
      assert.deepEqual([sendSameBytes.allowed, sameBytes], [false, "no"]);
      assert.match(advice ?? "", /expired/);
      // An estimated time only refuses actions.
      assert.equal(renewal, decideActions(it).renewal);
    }
  });

  it("G16: asks for new signatures before the expiration, and for a query and a new transaction after it", () => {
    const it = trackedAfter(BAD_SIGNATURE);
    assert.equal(decideActions(it, { chainTime: expiration - 1 }).signAgain.allowed, true);

    for (const [after, now] of [
      [it, expiration],
      [trackedAfter(BAD_SIGNATURE, notFound), undefined],
    ] as const) {
      const { signAgain, sendSameBytes, createReplacement, advice = "" } = decideActions(after, { chainTime: now });
      const texts = [advice, ...[signAgain, sendSameBytes].map((one) => ("why" in one ? one.why : ""))].join(" ");
      assert.deepEqual([signAgain.allowed, sendSameBytes.allowed, createReplacement.allowed], [false, false, true]);
      assert.match(texts, /expired/);
      assert.match(advice, now === undefined ? /queried once more\. Create a replacement once/ : /searches for/);
      assert.doesNotMatch(texts, /Sign the same transaction again|Check the signing key/);
    }
  });

  it("G11: names the account that does not exist, sender or recipient", () => {
    const adviceAfter = (message: string): string =>
      decideActions(trackedAfter(rejected("CONTRACT_VALIDATE_ERROR", message))).advice ?? "";
    const { owner, to } = TRANSFER as IntentOf<"transfer">;

    assert.match(adviceAfter(`account [${toBase58(owner)}] does not exist`), /^The sender's account does not exist/);
    assert.match(adviceAfter("Validate TransferContract error, no OwnerAccount."), /^The sender's account/);
    for (const account of [toBase58(to), to]) {
      assert.match(adviceAfter(`account [${account}] does not exist`), /^The recipient's account does not exist/);
    }
    assert.match(adviceAfter("Account[41deadbeef] does not exist"), /sender or recipient/);
    const stranger = toBase58(parseAddress(`41${"77".repeat(20)}`));
    assert.ok(adviceAfter(`account [${stranger}] does not exist`).includes(stranger));
    for (const text of ["account does not exist", "account not exists"]) {
      assert.match(adviceAfter(text), /the missing one, then send the same signed bytes again/);
    }
    assert.match(adviceAfter("balance is not sufficient"), /^Once the sender has the coins/);
  });

  it("G12: names Bandwidth, coins and the parts of the fee after BANDWITH_ERROR", () => {
    const { advice = "" } = decideActions(
      trackedAfter(rejected("BANDWITH_ERROR", "Account resource insufficient error.")),
    );

    for (const part of [/Bandwidth or coins/, /new account/, /more than one signature/, /memo/, /same signed bytes/]) {
      assert.match(advice, part);
    }
  });

  it("G2: names both causes of an expiry when no time of the chain is known", () => {
    for (const code of ["TRANSACTION_EXPIRATION_ERROR", "CONTRACT_VALIDATE_ERROR", "OTHER"]) {
      const it = trackedAfter(rejected(code, "Transaction expired"));
      const { advice = "", sendSameBytes } = decideActions(it);

      assert.match(advice, /If it has expired.*24 hours ahead/, code);
      assert.match("why" in sendSameBytes ? sendSameBytes.why : "", /24 hours ahead/, code);
      const early: JournalEntry = { kind: "head-time", txId: id, at: 9_000, time: expiration - 25 * HOUR };
      assert.equal(
        decideActions(trackedAfter(rejected(code, "Transaction expired"), early)).sendSameBytes.allowed,
        true,
      );
      const late: JournalEntry = { ...early, time: expiration + 1 };
      assert.doesNotMatch(
        decideActions(trackedAfter(rejected(code, "Transaction expired"), late)).advice ?? "",
        /24 hours/,
      );
    }
  });
});

describe("decideActions by execution result", () => {
  for (const result of contractResults) {
    const expected = result === "SUCCESS" ? "executed" : "failed";
    it(`${result}: returns ${expected} and refuses the same bytes`, () => {
      const info = { ...emptyInfo(txId("1")), failed: expected === "failed", receiptResult: result };
      const outcome = outcomeInInfo(info, "TriggerSmartContract") ?? assert.fail();
      const verdict = decideActions(tracked({ state: { kind: "solidified", block: blockReference(1), outcome } }));

      assert.deepEqual([verdict.row, verdict.sameBytes], [expected, "no"]);
    });
  }
});

describe("decideActions after random answers", () => {
  const outcomes = fc.constantFrom<Answer>(
    ...[NO_ANSWER, TIMED_OUT, ACCEPTED, DUPLICATE, BROKE, BAD_SIGNATURE, EXPIRED, turnedAway("GATEWAY_RATE_LIMITED")],
    ...Object.keys(BROADCAST_CODES).map((code) => rejected(code)),
  );

  it("S146 M1: allows a replacement without a proof only when the single answer is a refusal that funding does not resolve", () => {
    fc.assert(
      fc.property(fc.array(outcomes), outcomes, (history, answer) => {
        const { renewal, row } = decisionFor({ history, answer });
        const safe = history.length === 0 && answer.kind === "rejected" && row !== "same-bytes-after-funding";

        assert.equal(renewal === "at-once", safe);
      }),
    );
  });

  it("returns a condition for bytes that have to wait and a reason for bytes that are refused", () => {
    fc.assert(
      fc.property(fc.array(outcomes), outcomes, (history, answer) => {
        const { sameBytes, when, whyNot } = decisionFor({ history, answer });

        assert.equal(sameBytes === "after", when !== undefined);
        assert.equal(sameBytes === "no", whyNot !== undefined);
      }),
    );
  });
});
