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
import { ALICE, adopted, BOB, blockReference, tracked, txId } from "../../../../test/support/tracking/tracked.ts";
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
import type { Renewal, RetryRowName, SameBytes } from "../../src/retry/retry-policy.ts";
import { outcomeInInfo } from "../../src/transaction-state/execution-outcome.ts";
import type { JournalEntry, RecordedOutcome } from "../../src/transaction-state/journal-entry.ts";
import type { Attempt, TrackedTransaction, TrackingState } from "../../src/transaction-state/tracked-transaction.ts";

const absence = { ...evidence(), provenAt: 5_000 };
const REJECTED: RecordedOutcome = { kind: "rejected", code: "TRANSACTION_EXPIRATION_ERROR", message: "expired" };
const UNREACHABLE: RecordedOutcome = { kind: "unknown", code: "GATEWAY_UNREACHABLE", message: "no answer" };
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
  all: readonly TrackedTransaction[],
  acknowledged: readonly string[],
): string | undefined {
  return resendRefusal(decideActions(it, { all, acknowledged }).sendSameBytes);
}

describe("judge about a replacement", () => {
  it("S82 allows it with a proof, and hands the proof on", () => {
    const it = tracked({ state: { kind: "proven-absent", from: 101, to: 121 }, absence });

    const because = { kind: "proof", absence };
    assert.deepEqual(decideActions(it).createReplacement, { allowed: true, signed: it.signed, because });
  });

  it("S86 S122 allows it at once after an explicit rejection of the first and only submission", () => {
    assert.equal(verdictOf({ state: rejectedState, attempts: attempts(REJECTED) }), "yes");
  });

  it("S121 offers nothing but a rebuild after an early expiry", () => {
    const it = tracked({ state: rejectedState, attempts: attempts(REJECTED) });

    assert.equal(verdictOn(it), "yes");
    assert.match(whyNotResend(it, [it], []) ?? "", /no longer be accepted/);
  });

  it("S123 refuses it when an earlier submission may have happened", () => {
    assert.equal(verdictOf({ state: unknownState, attempts: attempts(UNREACHABLE, REJECTED) }), "not-yet");
    assert.equal(verdictOf({ state: rejectedState, attempts: attempts(REJECTED, DUPLICATE_ANSWER) }), "not-yet");
    assert.equal(verdictOf({ state: rejectedState, attempts: attempts(REJECTED, REJECTED) }), "not-yet");
  });

  it("S84 refuses it after any number of timeouts, and says until when", () => {
    const it = tracked({ state: unknownState, attempts: attempts(...Array.from({ length: 10 }, () => UNREACHABLE)) });
    const { createReplacement } = decideActions(it);

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
    const doubtful = { ...it, state: unknownState, attempts: attempts(UNREACHABLE, REJECTED) };
    assert.equal(verdictOn(doubtful), "not-yet");
  });

  it("S127 asks about the first bytes before a new draft: a released signature needs a proof", () => {
    assert.equal(verdictOf({ state: unknownState, attempts: attempts(undefined) }), "not-yet");
    assert.equal(verdictOf({ state: { kind: "pending" }, attempts: attempts({ kind: "accepted" }) }), "not-yet");
    assert.equal(verdictOf({ state: { kind: "included", block: blockReference(7) } }), "not-yet");
  });

  it("S146 has no way from unknown to a replacement but the proof", () => {
    const states: readonly TrackingState[] = [unknownState, { kind: "pending" }, { kind: "signed" }, executed];

    for (const state of states) assert.notEqual(verdictOf({ state, attempts: attempts(UNREACHABLE) }), "yes");
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
    const unknown = tracked({ state: unknownState, attempts: attempts(UNREACHABLE) });

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
  const { sendSameBytes } = decideActions(it);
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
    assert.equal(decideActions(it).createReplacement.allowed, false);
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
    assert.match(whyNot(tracked({ state: { kind: "replaced", by: txId("1") } })), /1111 replaced it/);
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

type Expected = readonly [row: RetryRowName, sameBytes: SameBytes, renewal: Renewal];

/** Answer to one submission; `none` if it was sent and no answer came. */
type Answer = RecordedOutcome | { readonly kind: "none" };

interface RetryCase {
  /** The answers to the submissions before the newest one, in the order they came. */
  readonly history?: readonly Answer[];
  /** The answer to the newest submission; absent when it was not sent. */
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

/** The judgement of a transaction with this history, by way of the journal. */
function judged({ history = [], answer, chain = {} }: RetryCase): ActionDecision {
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

function of(retryCase: RetryCase): Expected {
  const { row, sameBytes, renewal } = judged(retryCase);
  return [row, sameBytes, renewal];
}

/** The test of one row: the case that it speaks of, and what the function says about it. */
function gives(retryCase: RetryCase, expected: Expected): () => void {
  return () => assert.deepEqual(of(retryCase), expected);
}

const early = { expiration: HEAD + SLOT - 1, headTime: HEAD };
const farAhead = { expiration: HEAD + 24 * HOUR + 10_000, headTime: HEAD };
const valid = { expiration: HEAD + 60_000, headTime: HEAD };

describe("judge by the table of states and transitions", () => {
  it(
    "signed, not yet submitted: it may be sent, and nothing equal may be built beside it",
    gives({}, ["not-sent", "yes", "no"]),
  );
  it(
    "S39 signed · node validation fails → rejected: the code decides, and a new one needs no proof",
    gives({ answer: rejected("CONTRACT_VALIDATE_ERROR", "No contract!") }, ["fix-request", "after", "at-once"]),
  );
  it(
    "S40 signed · node validation passes → in the pending pool: result true is not success",
    gives({ answer: ACCEPTED }, ["pending", "yes", "after-proof"]),
  );
  it(
    "S41 in the pending pool · packed into a block → included: not again, and not final",
    gives({ answer: ACCEPTED, chain: { shows: "included" } }, ["included", "no", "after-proof"]),
  );
  it(
    "S42 included · receipt SUCCESS → executed successfully: there is nothing to repeat",
    gives({ answer: ACCEPTED, chain: { shows: "executed" } }, ["executed", "no", "no"]),
  );
  it(
    "S43 included · any failure value → execution failed: the same txID cannot execute again",
    gives({ answer: ACCEPTED, chain: { shows: "failed" } }, ["failed", "no", "at-once"]),
  );
  it(
    "S44 rejected: Transaction expired · earlier than the next eligible block time → stays rejected",
    gives({ answer: EXPIRED, chain: early }, ["rebuild", "no", "at-once"]),
  );
  it(
    "S45 rejected: Transaction expired · more than about 24 hours ahead, head advances → may be accepted",
    gives({ answer: EXPIRED, chain: farAhead }, ["same-bytes-when-head-advances", "after", "at-once"]),
  );
  it(
    "S46 rejected: balance not sufficient · funds added, still valid → may be accepted, do not rebuild",
    gives({ answer: BROKE, chain: valid }, ["same-bytes-after-funding", "after", "after-proof"]),
  );
  it(
    "S47 rejected: signature error · same raw_data with corrected signatures → may be accepted",
    gives({ answer: BAD_SIGNATURE, chain: valid }, ["sign-again", "no", "at-once"]),
  );
});

describe("judge by the table of HTTP-level errors, for a write", () => {
  it(
    "S99 connection refused: no answer proves nothing",
    gives({ answer: unreachable("GATEWAY_UNREACHABLE") }, ["unknown", "yes", "after-proof"]),
  );
  it(
    "S100 5xx: whether it was processed is not known",
    gives({ answer: unreachable("GATEWAY_HTTP_STATUS") }, ["unknown", "yes", "after-proof"]),
  );
  it(
    "M1b: S101 4xx: fix the client, then the same bytes; it is not the node's word",
    gives({ answer: turnedAway("GATEWAY_HTTP_STATUS") }, ["turned-away", "after", "after-proof"]),
  );
  it(
    "S102 timeout: a write has unknown outcome and must be checked",
    gives({ answer: TIMED_OUT }, ["unknown", "yes", "after-proof"]),
  );
  it(
    "M1b: S103 401, 403: the same bytes after the API key was set",
    gives({ answer: turnedAway("GATEWAY_UNAUTHORIZED") }, ["turned-away", "after", "after-proof"]),
  );
  it(
    "M1b: S104 429: back off, then the same bytes",
    gives({ answer: turnedAway("GATEWAY_RATE_LIMITED") }, ["turned-away", "after", "after-proof"]),
  );
  it(
    "M1b: turned away once and without an answer another time: unknown",
    gives({ history: [TIMED_OUT], answer: turnedAway("GATEWAY_RATE_LIMITED") }, ["unknown", "yes", "after-proof"]),
  );
  it(
    "M1b: a refusal of the node after the gateway turned it away proves nothing about the first time",
    gives({ history: [turnedAway("GATEWAY_RATE_LIMITED")], answer: BROKE }, ["unknown", "yes", "after-proof"]),
  );
  it(
    "S105 not receiving a response does not prove that the node did not process the request",
    gives({ answer: NO_ANSWER }, ["unknown", "yes", "after-proof"]),
  );
});

describe("judge by the table of validation codes", () => {
  it(
    "S107 CONTRACT_VALIDATE_ERROR: correct parameters or account state",
    gives({ answer: rejected("CONTRACT_VALIDATE_ERROR", "frozenBalance must be positive") }, [
      "fix-request",
      "after",
      "at-once",
    ]),
  );
  it(
    "S113 account does not exist: the same bytes after it got a small amount",
    gives({ answer: rejected("CONTRACT_VALIDATE_ERROR", "account [TWAF] does not exist") }, [
      "same-bytes-after-funding",
      "after",
      "after-proof",
    ]),
  );
  it("S108 SIGERROR: raw_data must not change", gives({ answer: BAD_SIGNATURE }, ["sign-again", "no", "at-once"]));
  it(
    "S109 BANDWITH_ERROR: add Bandwidth or coin",
    gives({ answer: rejected("BANDWITH_ERROR") }, ["same-bytes-after-funding", "after", "after-proof"]),
  );
  it(
    "S110 DUP_TRANSACTION_ERROR: another node, and keep tracking the original txID",
    gives({ answer: DUPLICATE }, ["another-node", "yes", "after-proof"]),
  );
});

const only = (answer: RecordedOutcome): RetryCase => ({ answer });
describe("judge by the answers of the protocol reference, §7.4", () => {
  it("SUCCESS: wait for solid", gives(only(ACCEPTED), ["pending", "yes", "after-proof"]));
  it(
    "CONTRACT_EXE_ERROR: fix the cause",
    gives(only(rejected("CONTRACT_EXE_ERROR")), ["fix-request", "after", "at-once"]),
  );
  it(
    "TOO_BIG_TRANSACTION_ERROR: rebuild",
    gives(only(rejected("TOO_BIG_TRANSACTION_ERROR")), ["rebuild", "no", "at-once"]),
  );
  it(
    "TAPOS_ERROR: another synchronized node",
    gives(only(rejected("TAPOS_ERROR")), ["another-node", "yes", "at-once"]),
  );
  for (const code of ["SERVER_BUSY", "NO_CONNECTION", "NOT_ENOUGH_EFFECTIVE_CONNECTION", "BLOCK_UNSOLIDIFIED"]) {
    it(`${code}: back off, the same bytes`, gives(only(rejected(code)), ["same-bytes-later", "after", "at-once"]));
  }
  it(
    "P2P broadcast failed.: pooled there and not relayed, so unknown",
    gives(only({ kind: "unknown", code: "NODE_REFUSED", message: "P2P broadcast failed." }), [
      "unknown",
      "yes",
      "after-proof",
    ]),
  );
  it(
    "OTHER_ERROR, an unknown code, {} or no code: unknown, the same bytes",
    gives(only(unreachable("NODE_REFUSED")), ["unknown", "yes", "after-proof"]),
  );
  it(
    "an Error body: fix the request",
    gives(only(rejected("NullPointerException")), ["fix-request", "after", "at-once"]),
  );
});

describe("judge by the rules of validation errors", () => {
  it(
    "S120 rule 1: a failed validation is retried only after its cause is corrected",
    gives({ answer: rejected("CONTRACT_VALIDATE_ERROR", "No contract!") }, ["fix-request", "after", "at-once"]),
  );
  for (const message of [
    "Contract validate error : Cannot transfer TRX to yourself.",
    "Contract validate error : Start time should be greater than HeadBlockTime",
  ])
    it(
      `never retries the same bytes when the fault is in the transaction itself: ${message}`,
      gives({ answer: rejected("CONTRACT_VALIDATE_ERROR", message) }, ["rebuild", "no", "at-once"]),
    );
  it(
    "S121 rule 2: expired early can never become valid and must be rebuilt",
    gives({ answer: EXPIRED, chain: early }, ["rebuild", "no", "at-once"]),
  );
  it(
    "rule 2: expired without the head's time: rebuild, which is right either way after the only submission",
    gives({ answer: EXPIRED, chain: { expiration: farAhead.expiration } }, ["rebuild", "no", "at-once"]),
  );
  it(
    "S122 rule 2: first and only submission with an explicit error: rebuild immediately",
    gives({ history: [], answer: EXPIRED }, ["rebuild", "no", "at-once"]),
  );
  for (const earlier of [NO_ANSWER, TIMED_OUT]) {
    it(
      `S123 rule 2: an earlier submission of ${earlier.kind} outcome: the safe replacement procedure`,
      gives({ history: [earlier], answer: EXPIRED, chain: early }, ["unknown", "yes", "after-proof"]),
    );
  }
  it(
    "S123 rule 2: an earlier submission that a node took: the safe replacement procedure",
    gives({ history: [ACCEPTED], answer: EXPIRED, chain: early }, ["pending", "yes", "after-proof"]),
  );
  it(
    "S123 rule 2: an earlier submission that was refused as well still asks for a proof",
    gives({ history: [BROKE], answer: EXPIRED, chain: early }, ["rebuild", "no", "after-proof"]),
  );
  it(
    "S124 rule 2: more than about 24 h ahead: wait for the head, or rebuild in range",
    gives({ answer: EXPIRED, chain: { ...farAhead, headTime: HEAD + 30_000 } }, [
      "same-bytes-when-head-advances",
      "after",
      "at-once",
    ]),
  );
  it(
    "S125 rule 3: an invalid signature is not broadcast again",
    gives({ answer: BAD_SIGNATURE, chain: valid }, ["sign-again", "no", "at-once"]),
  );
  it(
    "S126 rule 3: corrected signatures over the same raw_data may be accepted",
    gives({ history: [BAD_SIGNATURE], answer: ACCEPTED }, ["pending", "yes", "after-proof"]),
  );
  it(
    "S127 rule 3: raw_data that expired is rebuilt, not signed again",
    gives({ answer: BAD_SIGNATURE, chain: early }, ["rebuild", "no", "at-once"]),
  );
  it(
    "S127 rule 3: where another signed version may have been submitted, the original txID is checked first",
    gives({ history: [TIMED_OUT], answer: BAD_SIGNATURE, chain: early }, ["unknown", "yes", "after-proof"]),
  );
  it(
    "S128 rule 4: balance: exactly the same bytes after funding",
    gives({ answer: BROKE, chain: valid }, ["same-bytes-after-funding", "after", "after-proof"]),
  );
  it(
    "S140 rule 4: balance, but expired meanwhile: no more",
    gives({ answer: BROKE, chain: early }, ["rebuild", "no", "at-once"]),
  );
});

describe("judge by the clock of the chain", () => {
  const expiration = HEAD + 60_000;
  const OUT_OF_FUNDS = rejected("BANDWITH_ERROR");
  const trackedAfter = (answer: RecordedOutcome, ...facts: readonly JournalEntry[]) => {
    const lines = [signedEntry(1, { expiration }), startedEntry(id), answeredEntry(id, answer), ...facts];
    return trackedFromEntries(lines, id) ?? assert.fail();
  };
  const notFound: JournalEntry = { kind: "not-found", txId: id, at: 9_000, time: expiration };

  it("G17: allows the same bytes while their expiration is ahead of it, and not afterwards", () => {
    for (const answer of [BROKE, OUT_OF_FUNDS, rejected("SERVER_BUSY"), rejected("CONTRACT_VALIDATE_ERROR", "x")]) {
      const it = trackedAfter(answer);

      assert.equal(decideActions(it, { chainTime: expiration - 1 }).sendSameBytes.allowed, true);
      const { sendSameBytes, sameBytes, advice, renewal } = decideActions(it, { chainTime: expiration });
      assert.deepEqual([sendSameBytes.allowed, sameBytes], [false, "no"]);
      assert.match(advice ?? "", /expired/);
      // An estimate of the time only forbids.
      assert.equal(renewal, decideActions(it).renewal);
    }
  });

  it("G16: asks for new signatures before the expiration, and after it for a look and then for a new transaction", () => {
    const it = trackedAfter(BAD_SIGNATURE);
    assert.equal(decideActions(it, { chainTime: expiration - 1 }).signAgain.allowed, true);

    for (const [after, now] of [
      [it, expiration],
      [trackedAfter(BAD_SIGNATURE, notFound), undefined],
    ] as const) {
      const { signAgain, sendSameBytes, createReplacement, advice = "" } = decideActions(after, { chainTime: now });
      const words = [advice, ...[signAgain, sendSameBytes].map((one) => ("why" in one ? one.why : ""))].join(" ");
      assert.deepEqual([signAgain.allowed, sendSameBytes.allowed, createReplacement.allowed], [false, false, true]);
      assert.match(words, /expired/);
      assert.match(advice, now === undefined ? /queried once more\. Create a replacement once/ : /searches for/);
      assert.doesNotMatch(words, /Sign the same transaction again|Check the signing key/);
    }
  });

  it("G11: asks to fund the account that does not exist, which may be the recipient's", () => {
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

  it("G12: names Bandwidth, coins and what the fee may include after BANDWITH_ERROR", () => {
    const { advice = "" } = decideActions(
      trackedAfter(rejected("BANDWITH_ERROR", "Account resource insufficient error.")),
    );

    for (const part of [/Bandwidth or coins/, /new account/, /more than one signature/, /memo/, /same signed bytes/]) {
      assert.match(advice, part);
    }
  });

  it("G2: names both causes of a refusal as expired where no time of the chain is known", () => {
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

describe("judge by the retry summary", () => {
  it(
    "S135 network error, timeout: only the same signed transaction",
    gives({ answer: TIMED_OUT }, ["unknown", "yes", "after-proof"]),
  );
  it(
    "S136 5xx: the same write rules",
    gives({ answer: unreachable("GATEWAY_HTTP_STATUS") }, ["unknown", "yes", "after-proof"]),
  );
  it(
    "S137 429: yes, respecting Retry-After",
    gives({ answer: turnedAway("GATEWAY_RATE_LIMITED") }, ["turned-away", "after", "after-proof"]),
  );
  it(
    "S138 SIGERROR: no, not with the invalid signature",
    gives({ answer: BAD_SIGNATURE }, ["sign-again", "no", "at-once"]),
  );
  it(
    "S139 transaction expired: only if merely too far ahead of the head",
    gives({ answer: EXPIRED, chain: farAhead }, ["same-bytes-when-head-advances", "after", "at-once"]),
  );
  it(
    "S140 balance not sufficient: yes, with valid expiration",
    gives({ answer: BROKE, chain: valid }, ["same-bytes-after-funding", "after", "after-proof"]),
  );
  it(
    "S141 REVERT, OUT_OF_ENERGY, OUT_OF_TIME: no, build a new transaction",
    gives({ answer: ACCEPTED, chain: { shows: "failed" } }, ["failed", "no", "at-once"]),
  );
});

describe("judge by the rules of idempotency", () => {
  it(
    "S143 1: broadcasting the same signed transaction again is harmless",
    gives({ history: [TIMED_OUT, ACCEPTED], answer: DUPLICATE }, ["pending", "yes", "after-proof"]),
  );
  it(
    "S144 1: after a timeout or 5xx the same payload, no replacement",
    gives({ history: [TIMED_OUT], answer: unreachable("GATEWAY_HTTP_STATUS") }, ["unknown", "yes", "after-proof"]),
  );
  it(
    "S145 2: result true means only that the call returned no error",
    gives({ answer: ACCEPTED }, ["pending", "yes", "after-proof"]),
  );
  it(
    "S146 3: no replacement while the outcome is unknown",
    gives({ history: [BAD_SIGNATURE, NO_ANSWER], answer: EXPIRED, chain: early }, ["unknown", "yes", "after-proof"]),
  );
  it(
    "S86 Endpoints rule 3: proven absent: never the same bytes, a new one at once",
    gives({ answer: TIMED_OUT, chain: { shows: "proven-absent" } }, ["proven-absent", "no", "at-once"]),
  );
  it(
    "after a replacement was released, never the old bytes again",
    gives({ answer: TIMED_OUT, chain: { shows: "replaced" } }, ["replaced", "no", "no"]),
  );
});

describe("judge by the table of execution results", () => {
  for (const result of contractResults) {
    const expected = result === "SUCCESS" ? "executed" : "failed";
    it(`${result}: ${expected}, and never the same bytes again`, () => {
      const info = { ...emptyInfo(txId("1")), failed: expected === "failed", receiptResult: result };
      const outcome = outcomeInInfo(info, "TriggerSmartContract") ?? assert.fail();
      const verdict = decideActions(tracked({ state: { kind: "solidified", block: blockReference(1), outcome } }));

      assert.deepEqual([verdict.row, verdict.sameBytes], [expected, "no"]);
    });
  }
});

describe("judge after any answers", () => {
  const outcomes = fc.constantFrom<Answer>(
    ...[NO_ANSWER, TIMED_OUT, ACCEPTED, DUPLICATE, BROKE, BAD_SIGNATURE, EXPIRED, turnedAway("GATEWAY_RATE_LIMITED")],
    ...Object.keys(BROADCAST_CODES).map((code) => rejected(code)),
  );

  it("S146 M1: never lets a new transaction through without a proof unless the first and only answer was a refusal that funding does not mend", () => {
    fc.assert(
      fc.property(fc.array(outcomes), outcomes, (history, answer) => {
        const { renewal, row } = judged({ history, answer });
        const safe = history.length === 0 && answer.kind === "rejected" && row !== "same-bytes-after-funding";

        assert.equal(renewal === "at-once", safe);
      }),
    );
  });

  it("says when, wherever the same bytes have to wait, and why not, wherever they must not be sent", () => {
    fc.assert(
      fc.property(fc.array(outcomes), outcomes, (history, answer) => {
        const { sameBytes, when, whyNot } = judged({ history, answer });

        assert.equal(sameBytes === "after", when !== undefined);
        assert.equal(sameBytes === "no", whyNot !== undefined);
      }),
    );
  });
});
