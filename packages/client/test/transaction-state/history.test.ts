import assert from "node:assert/strict";
import fc from "fast-check";
import {
  ACCEPTED,
  ALICE,
  answeredEntry,
  BOB,
  blockReference,
  DUPLICATE,
  ENDPOINT,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TIMED_OUT,
  trackedFromEntries,
} from "../../../../test/support/tracking/journal-entries.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import { ruleFor } from "../../src/retry/retry-policy.ts";
import { type EntryOf, foldEntries, type History, transition } from "../../src/transaction-state/history.ts";
import { type JournalEntry, type RecordedOutcome, readEntry } from "../../src/transaction-state/journal-entry.ts";
import { trackedFromHistory } from "../../src/transaction-state/tracked-from-history.ts";
import {
  hasEnoughSignatures,
  type TrackedTransaction,
  type TrackingState,
} from "../../src/transaction-state/tracked-transaction.ts";

const { txId } = fakeBytes(1);

/** Returns successive attempts with their answers; undefined is no answer. */
function answers(...outcomes: readonly (RecordedOutcome | undefined)[]): JournalEntry[] {
  return outcomes.flatMap((outcome, index) => {
    const attempt = index + 1;
    const start = startedEntry(txId, attempt, 2_000 + 10 * index);
    return outcome ? [start, answeredEntry(txId, outcome, { attempt, at: start.at + 5 })] : [start];
  });
}

function stateAfter(...facts: readonly JournalEntry[]): TrackingState {
  return trackedAfter(signedEntry(1), ...facts).state;
}

function trackedAfter(...facts: readonly JournalEntry[]): TrackedTransaction {
  const tracked = trackedFromEntries(facts, txId);
  assert.ok(tracked);
  return tracked;
}

describe("transition", () => {
  it("returns signed until bytes may have left", () => {
    assert.deepEqual(stateAfter(), { kind: "signed" });
  });

  it("returns unknown for an attempt without an answer, also after a restart", () => {
    const state = stateAfter(...answers(undefined));

    assert.equal(state.kind, "unknown");
    assert.match(state.kind === "unknown" ? state.reason : "", /sent to http:\/\/fake\.test, and no answer/);
  });

  it("G3: keeps a DEFAULT failure of an earlier version open until another entry reports the outcome", () => {
    const unreported: JournalEntry = {
      ...{ kind: "solidified", txId, at: 3_000, block: blockReference(7) },
      outcome: { kind: "failed", result: "DEFAULT", message: "" },
    };
    const reported: JournalEntry = { ...unreported, at: 4_000, outcome: { kind: "success" } };

    assert.deepEqual(stateAfter(unreported), { kind: "included", block: blockReference(7) });
    for (const facts of [
      [unreported, reported],
      [reported, unreported],
    ]) {
      const expected = { kind: "solidified", block: blockReference(7), outcome: { kind: "success" } };
      assert.deepEqual(stateAfter(...facts), expected);
    }
  });

  const cases: readonly (readonly [title: string, outcomes: readonly RecordedOutcome[], TrackingState])[] = [
    ["S29 returns pending, not success, after result true", [ACCEPTED], { kind: "pending" }],
    [
      "S84 returns unknown after ten timeouts",
      Array<RecordedOutcome>(10).fill(TIMED_OUT),
      { kind: "unknown", reason: "No answer." },
    ],
    [
      "S122 returns rejected after one attempt with an explicit refusal",
      [rejected("TOO_BIG_TRANSACTION_ERROR", "too big")],
      { kind: "rejected", code: "TOO_BIG_TRANSACTION_ERROR", message: "too big", retry: "rebuild" },
    ],
    [
      "returns pending for a refusal after a node accepted it",
      [ACCEPTED, rejected("TRANSACTION_EXPIRATION_ERROR")],
      { kind: "pending" },
    ],
    [
      "keeps the first answer after duplicates, and advises another node",
      [rejected("SIGERROR", "sig error"), DUPLICATE, DUPLICATE],
      { kind: "rejected", code: "SIGERROR", message: "sig error", retry: "another-node" },
    ],
    [
      "S46 returns pending when the same bytes are accepted after a rejection",
      [rejected("CONTRACT_VALIDATE_ERROR", "Validate TransferContract error, balance is not sufficient."), ACCEPTED],
      { kind: "pending" },
    ],
    [
      "keeps the first reason after a later refusal, with the newer advice",
      [rejected("BANDWITH_ERROR"), rejected("TAPOS_ERROR")],
      { kind: "rejected", code: "BANDWITH_ERROR", message: "BANDWITH_ERROR", retry: "another-node" },
    ],
  ];
  for (const [title, outcomes, expected] of cases)
    it(title, () => {
      assert.deepEqual(stateAfter(...answers(...outcomes)), expected);
    });

  it("S110 S123 returns unknown for a duplicate alone, and for a refusal after an attempt without an answer", () => {
    const expired = rejected("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");

    for (const outcomes of [[DUPLICATE], [TIMED_OUT, expired], [undefined, expired]])
      assert.equal(stateAfter(...answers(...outcomes)).kind, "unknown");
  });
  it("counts two attempts with the same number from two windows", () => {
    const both = [startedEntry(txId, 1, 2_000), startedEntry(txId, 1, 2_001)];
    const answer = answeredEntry(txId, rejected("SERVER_BUSY"), { at: 2_005 });

    const tracked = trackedAfter(signedEntry(1), ...both, answer);

    assert.equal(tracked.attempts.length, 2);
    assert.equal(tracked.state.kind, "unknown");
  });

  it("counts an answer whose start entry cannot be read", () => {
    const tracked = trackedAfter(signedEntry(1), answeredEntry(txId, rejected("SERVER_BUSY")));

    assert.equal(tracked.state.kind, "rejected");
    assert.equal(tracked.attempts.length, 1);
  });

  it("keeps number, endpoint, times and outcome of an attempt", () => {
    const { attempts } = trackedAfter(signedEntry(1), ...answers(TIMED_OUT, ACCEPTED));

    assert.deepEqual(attempts, [
      { number: 1, endpoint: ENDPOINT, startedAt: 2_000, answeredAt: 2_005, outcome: TIMED_OUT },
      { number: 2, endpoint: ENDPOINT, startedAt: 2_010, answeredAt: 2_015, outcome: ACCEPTED },
    ]);
  });

  it("returns included for a head block, and pending after a reorganization", () => {
    const seen: JournalEntry = { kind: "seen-in-head", txId, at: 3_000, block: { number: 7, timestamp: 9 } };
    const lost: JournalEntry = { kind: "lost-from-head", txId, at: 3_001 };
    const again: JournalEntry = { ...seen, at: 3_002, block: { number: 8, timestamp: 12 } };

    assert.deepEqual(stateAfter(...answers(TIMED_OUT), seen), { kind: "included", block: seen.block });
    assert.deepEqual(stateAfter(...answers(TIMED_OUT), seen, lost), { kind: "pending" });
    assert.deepEqual(stateAfter(...answers(TIMED_OUT), seen, lost, again), { kind: "included", block: again.block });
  });

  it("returns pending when the pool has a transaction of unknown outcome", () => {
    assert.deepEqual(stateAfter(...answers(TIMED_OUT), { kind: "seen-in-pool", txId, at: 3_000 }), { kind: "pending" });
  });

  it("S145 is final only in a solidified block, with its outcome", () => {
    const outcome = { kind: "failed", result: "REVERT", message: "" } as const;

    const state = stateAfter(...answers(ACCEPTED), {
      kind: "solidified",
      txId,
      at: 9,
      block: blockReference(3),
      outcome,
    });

    assert.deepEqual(state, { kind: "solidified", block: blockReference(3), outcome });
  });

  it("S47 keeps the txID, the first reason and the earliest height after new signatures", () => {
    const again = signedEntry(1, { at: 5_000, signatures: ["cd" as never], solidHeight: 9 });

    const tracked = trackedAfter(signedEntry(1, { solidHeight: 4 }), ...answers(rejected("SIGERROR")), again);

    assert.deepEqual(tracked.signed?.signatures, ["cd"]);
    assert.equal(tracked.signed?.solidHeight, 4);
    assert.equal(tracked.state.kind, "rejected");
  });

  it("keeps a transaction hidden until it is tracked again", () => {
    const adopted: JournalEntry = { kind: "adopted", txId, at: 1, network: "test", label: "theirs" };
    const hidden: JournalEntry = { kind: "hidden", txId, at: 2 };

    assert.equal(trackedAfter(adopted, hidden).hidden, true);
    assert.equal(trackedAfter(adopted, hidden, { ...adopted, at: 3 }).hidden, false);
  });

  it("returns unknown for an adopted transaction until it is seen", () => {
    const tracked = trackedAfter({ kind: "adopted", txId, at: 1, network: "test" });

    assert.equal(tracked.state.kind, "unknown");
    assert.equal(tracked.signed, undefined);
  });

  it("shows facts without a readable first entry, without a network", () => {
    assert.equal(trackedAfter(...answers(ACCEPTED)).network, "");
  });
});

const outcomes = fc.constantFrom(ACCEPTED, DUPLICATE, TIMED_OUT, rejected("SIGERROR"), rejected("TAPOS_ERROR"));
const at = fc.integer({ min: 2_000, max: 2_020 });
const attempt = fc.integer({ min: 1, max: 3 });
const fact: fc.Arbitrary<JournalEntry> = fc.oneof(
  fc.record({ attempt, at }).map((it) => startedEntry(txId, it.attempt, it.at)),
  fc.record({ attempt, at, outcome: outcomes }).map(({ outcome, ...it }) => answeredEntry(txId, outcome, it)),
  at.map((it): JournalEntry => ({ kind: "seen-in-pool", txId, at: it })),
  fc.record({ at, height: attempt }).map((it): JournalEntry => {
    return { kind: "seen-in-head", txId, at: it.at, block: blockReference(it.height) };
  }),
  at.map((it): JournalEntry => ({ kind: "lost-from-head", txId, at: it })),
  fc.record({ at, height: attempt }).map((it): JournalEntry => {
    return { kind: "solidified", txId, at: it.at, block: blockReference(it.height), outcome: { kind: "success" } };
  }),
  at.map((it): JournalEntry => ({ kind: "replaced", txId, at: it, by: fakeBytes(2).txId })),
  at.map((it): JournalEntry => ({ kind: "hidden", txId, at: it })),
  at.map((it): JournalEntry => ({ kind: "adopted", txId, at: it, network: "other" })),
);
const facts = fc.array(fact, { maxLength: 14 }).map((list) => [signedEntry(1), ...list]);

describe("transition for random facts", () => {
  it("does not depend on the order of reading", () => {
    const shuffled = facts.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        assert.deepEqual(trackedFromEntries(other, txId), trackedFromEntries(all, txId));
      }),
    );
  });

  it("does not leave solidified", () => {
    fc.assert(
      fc.property(facts, fact, (before, next) => {
        const history = fold(before);
        fc.pre(trackedFromHistory(history).state.kind === "solidified");
        assert.equal(trackedFromHistory(transition(history, next)).state.kind, "solidified");
      }),
    );
  });

  it("keeps every answer, and the first one as the reason", () => {
    fc.assert(
      fc.property(facts, (all) => {
        const { attempts, state } = trackedFromHistory(fold(all));
        const input = all.filter((it) => it.kind === "broadcast-answered");
        const stored = attempts.filter((it) => it.outcome !== undefined).map((it) => it.answeredAt);
        const first = Math.min(...input.map((it) => it.at));
        const firstCodes = input.flatMap(({ at: time, outcome }) =>
          time === first && outcome.kind === "rejected" ? [outcome.code] : [],
        );

        assert.deepEqual(stored.toSorted(), input.map((it) => it.at).toSorted());
        if (state.kind === "rejected") assert.ok(firstCodes.includes(state.code));
      }),
    );
  });

  it("returns rejected only when every attempt was refused", () => {
    fc.assert(
      fc.property(facts, (all) => {
        const { attempts, state } = trackedFromHistory(fold(all));
        if (state.kind !== "rejected") return;
        for (const { outcome } of attempts) assert.match(outcome?.kind ?? "none", /^(rejected|already-known)$/);
      }),
    );
  });

  it("reads a journal in two parts as in one", () => {
    fc.assert(
      fc.property(facts, fc.nat(14), (all, cut) => {
        const first = foldEntries(all.slice(0, cut)).get(txId);
        const rest = all.slice(cut).reduce<History | undefined>(transition, first);
        assert.deepEqual(rest, fold(all));
      }),
    );
  });
});

function fold(entries: readonly JournalEntry[]): History {
  const history = foldEntries(entries).get(txId);
  assert.ok(history);
  return history;
}

const byAlice = { signatures: ["aa" as Hex], signers: [ALICE] };
const byBob = { signatures: ["bb" as Hex], signers: [BOB] };
const of2 = (...weights: readonly bigint[]) => ({ quorum: { threshold: 2n, weights } });

/** Returns the signed part of a transaction with these successive entries. */
function signedBy(...lines: readonly Partial<EntryOf<"signed">>[]) {
  const entries = lines.map((line, at) => signedEntry(1, { at, ...line }));
  return trackedFromEntries(entries, signedEntry(1).txId)?.signed ?? assert.fail("there is no signed part");
}

describe("weight of collected signatures", () => {
  it("U11: is the sum of all signers of all windows", () => {
    const alone = signedBy({ ...byAlice, ...of2(1n) });
    const both = signedBy({ ...byAlice, ...of2(1n) }, { ...byBob, ...of2(1n) });

    assert.deepEqual([alone.quorum, hasEnoughSignatures(alone)], [{ weight: 1n, threshold: 2n }, false]);
    assert.deepEqual([both.quorum, hasEnoughSignatures(both)], [{ weight: 2n, threshold: 2n }, true]);
  });

  it("U11: counts a signer once, and only since the signatures were replaced", () => {
    const twice = signedBy({ ...byAlice, ...of2(1n) }, { ...byAlice, ...of2(1n) });
    const renewed = signedBy({ ...byAlice, ...of2(1n) }, { signatures: ["bb" as Hex], ...of2(2n) });

    assert.deepEqual([twice.quorum?.weight, renewed.quorum?.weight], [1n, 2n]);
  });

  it("U11: is unknown when an earlier version wrote an entry or a key is not in the permission", () => {
    const old = signedBy({ ...byAlice }, { ...byBob, ...of2(1n) });
    const foreign = signedBy({ ...byAlice, ...of2(2n) }, { ...byBob, ...of2(0n) });

    assert.deepEqual([old.quorum, foreign.quorum], [undefined, undefined]);
    assert.deepEqual([old, foreign].map(hasEnoughSignatures), [false, false]);
  });

  it("U11: decides between adding a signature and sending", () => {
    const adviceAfter = (...weights: readonly bigint[]): string | undefined => {
      const entries = [signedEntry(1, { ...byAlice, ...of2(...weights) })];
      return ruleFor(trackedFromEntries(entries, signedEntry(1).txId) ?? assert.fail("it is not tracked")).advice;
    };

    assert.match(adviceAfter(1n) ?? "", /Add a signature/);
    assert.match(adviceAfter(2n) ?? "", /^It has enough signatures and was not sent from here\. Send it\./);
  });

  it("U11: is written to the journal", () => {
    const entry = signedEntry(1, { ...byAlice, ...of2(1n) });
    const line = JSON.parse(JSON.stringify(entry, (_, it: unknown) => (typeof it === "bigint" ? String(it) : it)));

    assert.deepEqual(readEntry(line), entry);
  });
});
