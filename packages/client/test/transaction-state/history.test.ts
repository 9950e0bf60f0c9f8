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

/** One attempt after the other, each with its answer; undefined stands for no answer at all. */
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
  it("a signed transaction is signed until bytes may have left", () => {
    assert.deepEqual(stateAfter(), { kind: "signed" });
  });

  it("an attempt without an answer is unknown, also after a restart", () => {
    const state = stateAfter(...answers(undefined));

    assert.equal(state.kind, "unknown");
    assert.match(state.kind === "unknown" ? state.reason : "", /sent to http:\/\/fake\.test, and no answer/);
  });

  it("G3: a failure DEFAULT of an earlier version is open, until another line reports the outcome", () => {
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

  it("S29 result true makes it pending, not a success", () => {
    assert.deepEqual(stateAfter(...answers(ACCEPTED)), { kind: "pending" });
  });

  it("S84 ten timeouts leave it unknown", () => {
    const state = stateAfter(...answers(...Array<RecordedOutcome>(10).fill(TIMED_OUT)));

    assert.deepEqual(state, { kind: "unknown", reason: "No answer." });
  });

  it("S122 one attempt with an explicit refusal is rejected", () => {
    const state = stateAfter(...answers(rejected("TOO_BIG_TRANSACTION_ERROR", "too big")));

    assert.deepEqual(state, {
      kind: "rejected",
      code: "TOO_BIG_TRANSACTION_ERROR",
      message: "too big",
      retry: "rebuild",
    });
  });

  it("S123 a refusal after an attempt without an answer proves nothing", () => {
    const expired = rejected("TRANSACTION_EXPIRATION_ERROR", "Transaction expired");

    assert.equal(stateAfter(...answers(TIMED_OUT, expired)).kind, "unknown");
    assert.equal(stateAfter(...answers(undefined, expired)).kind, "unknown");
  });

  it("a refusal after the node took it proves nothing either", () => {
    assert.equal(stateAfter(...answers(ACCEPTED, rejected("TRANSACTION_EXPIRATION_ERROR"))).kind, "pending");
  });

  it("DUP never hides the first answer, and leads to another node", () => {
    const state = stateAfter(...answers(rejected("SIGERROR", "sig error"), DUPLICATE, DUPLICATE));

    assert.deepEqual(state, { kind: "rejected", code: "SIGERROR", message: "sig error", retry: "another-node" });
  });

  it("S110 DUP as the only answer says neither success nor failure", () => {
    assert.equal(stateAfter(...answers(DUPLICATE)).kind, "unknown");
  });

  it("S46 the same bytes may be accepted after they were rejected", () => {
    const refused = rejected("CONTRACT_VALIDATE_ERROR", "Validate TransferContract error, balance is not sufficient.");

    assert.deepEqual(stateAfter(...answers(refused, ACCEPTED)), { kind: "pending" });
  });

  it("a later refusal keeps the first reason and brings its own advice", () => {
    const state = stateAfter(...answers(rejected("BANDWITH_ERROR"), rejected("TAPOS_ERROR")));

    assert.deepEqual(state, {
      kind: "rejected",
      code: "BANDWITH_ERROR",
      message: "BANDWITH_ERROR",
      retry: "another-node",
    });
  });

  it("two attempts of the same number by two windows are two attempts", () => {
    const both = [startedEntry(txId, 1, 2_000), startedEntry(txId, 1, 2_001)];
    const answer = answeredEntry(txId, rejected("SERVER_BUSY"), { at: 2_005 });

    const tracked = trackedAfter(signedEntry(1), ...both, answer);

    assert.equal(tracked.attempts.length, 2);
    assert.equal(tracked.state.kind, "unknown");
  });

  it("an answer whose start cannot be read any more still counts", () => {
    const tracked = trackedAfter(signedEntry(1), answeredEntry(txId, rejected("SERVER_BUSY")));

    assert.equal(tracked.state.kind, "rejected");
    assert.equal(tracked.attempts.length, 1);
  });

  it("an attempt keeps number, endpoint, times and outcome", () => {
    const { attempts } = trackedAfter(signedEntry(1), ...answers(TIMED_OUT, ACCEPTED));

    assert.deepEqual(attempts, [
      { number: 1, endpoint: ENDPOINT, startedAt: 2_000, answeredAt: 2_005, outcome: TIMED_OUT },
      { number: 2, endpoint: ENDPOINT, startedAt: 2_010, answeredAt: 2_015, outcome: ACCEPTED },
    ]);
  });

  it("seen in a head block is included, and a reorganisation makes it pending again", () => {
    const seen: JournalEntry = { kind: "seen-in-head", txId, at: 3_000, block: { number: 7, timestamp: 9 } };
    const lost: JournalEntry = { kind: "lost-from-head", txId, at: 3_001 };
    const again: JournalEntry = { ...seen, at: 3_002, block: { number: 8, timestamp: 12 } };

    assert.deepEqual(stateAfter(...answers(TIMED_OUT), seen), { kind: "included", block: seen.block });
    assert.deepEqual(stateAfter(...answers(TIMED_OUT), seen, lost), { kind: "pending" });
    assert.deepEqual(stateAfter(...answers(TIMED_OUT), seen, lost, again), { kind: "included", block: again.block });
  });

  it("seen in the pool makes an unknown outcome pending", () => {
    assert.deepEqual(stateAfter(...answers(TIMED_OUT), { kind: "seen-in-pool", txId, at: 3_000 }), { kind: "pending" });
  });

  it("S145 only a solidified block makes it final, with the outcome that the block holds", () => {
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

  it("S47 new signatures over the same raw_data keep the txID, the first reason and the earliest height", () => {
    const again = signedEntry(1, { at: 5_000, signatures: ["cd" as never], solidHeight: 9 });

    const tracked = trackedAfter(signedEntry(1, { solidHeight: 4 }), ...answers(rejected("SIGERROR")), again);

    assert.deepEqual(tracked.signed?.signatures, ["cd"]);
    assert.equal(tracked.signed?.solidHeight, 4);
    assert.equal(tracked.state.kind, "rejected");
  });

  it("hidden stays hidden until it is tracked again", () => {
    const adopted: JournalEntry = { kind: "adopted", txId, at: 1, network: "test", label: "theirs" };
    const hidden: JournalEntry = { kind: "hidden", txId, at: 2 };

    assert.equal(trackedAfter(adopted, hidden).hidden, true);
    assert.equal(trackedAfter(adopted, hidden, { ...adopted, at: 3 }).hidden, false);
  });

  it("an adopted transaction is unknown until it was seen", () => {
    const tracked = trackedAfter({ kind: "adopted", txId, at: 1, network: "test" });

    assert.equal(tracked.state.kind, "unknown");
    assert.equal(tracked.signed, undefined);
  });

  it("facts whose first line cannot be read are shown, without a network", () => {
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

describe("transition, for any facts", () => {
  it("the order of reading does not matter", () => {
    const shuffled = facts.chain((all) =>
      fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length })),
    );
    fc.assert(
      fc.property(shuffled, ([all, other]) => {
        assert.deepEqual(trackedFromEntries(other, txId), trackedFromEntries(all, txId));
      }),
    );
  });

  it("nothing leaves solidified", () => {
    fc.assert(
      fc.property(facts, fact, (before, next) => {
        const history = fold(before);
        fc.pre(trackedFromHistory(history).state.kind === "solidified");
        assert.equal(trackedFromHistory(transition(history, next)).state.kind, "solidified");
      }),
    );
  });

  it("no answer is ever lost, and the first one stays the reason", () => {
    fc.assert(
      fc.property(facts, (all) => {
        const { attempts, state } = trackedFromHistory(fold(all));
        const input = all.filter((it) => it.kind === "broadcast-answered");
        const kept = attempts.filter((it) => it.outcome !== undefined).map((it) => it.answeredAt);
        const first = Math.min(...input.map((it) => it.at));
        const firstCodes = input.flatMap(({ at: time, outcome }) =>
          time === first && outcome.kind === "rejected" ? [outcome.code] : [],
        );

        assert.deepEqual(kept.toSorted(), input.map((it) => it.at).toSorted());
        if (state.kind === "rejected") assert.ok(firstCodes.includes(state.code));
      }),
    );
  });

  it("rejected is said only when every attempt was refused", () => {
    fc.assert(
      fc.property(facts, (all) => {
        const { attempts, state } = trackedFromHistory(fold(all));
        if (state.kind !== "rejected") return;
        for (const { outcome } of attempts) assert.match(outcome?.kind ?? "none", /^(rejected|already-known)$/);
      }),
    );
  });

  it("a journal read in two parts gives what it gives in one", () => {
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

/** The signed part of a transaction by its lines, each a moment after the one before. */
function signedBy(...lines: readonly Partial<EntryOf<"signed">>[]) {
  const entries = lines.map((line, at) => signedEntry(1, { at, ...line }));
  return trackedFromEntries(entries, signedEntry(1).txId)?.signed ?? assert.fail("there is no signed part");
}

describe("the weight of collected signatures", () => {
  it("U11: is the weight of all signers, whichever window kept them", () => {
    const alone = signedBy({ ...byAlice, ...of2(1n) });
    const both = signedBy({ ...byAlice, ...of2(1n) }, { ...byBob, ...of2(1n) });

    assert.deepEqual([alone.quorum, hasEnoughSignatures(alone)], [{ weight: 1n, threshold: 2n }, false]);
    assert.deepEqual([both.quorum, hasEnoughSignatures(both)], [{ weight: 2n, threshold: 2n }, true]);
  });

  it("U11: counts a signer once, and only what was kept since the signatures were replaced", () => {
    const twice = signedBy({ ...byAlice, ...of2(1n) }, { ...byAlice, ...of2(1n) });
    const renewed = signedBy({ ...byAlice, ...of2(1n) }, { signatures: ["bb" as Hex], ...of2(2n) });

    assert.deepEqual([twice.quorum?.weight, renewed.quorum?.weight], [1n, 2n]);
  });

  it("U11: is not known where a line of an earlier version has it not, or a key has no part in the permission", () => {
    const old = signedBy({ ...byAlice }, { ...byBob, ...of2(1n) });
    const foreign = signedBy({ ...byAlice, ...of2(2n) }, { ...byBob, ...of2(0n) });

    assert.deepEqual([old.quorum, foreign.quorum], [undefined, undefined]);
    assert.deepEqual([old, foreign].map(hasEnoughSignatures), [false, false]);
  });

  it("U11: decides whether the advice is to add a signature or to send", () => {
    const adviceAfter = (...weights: readonly bigint[]): string | undefined => {
      const entries = [signedEntry(1, { ...byAlice, ...of2(...weights) })];
      return ruleFor(trackedFromEntries(entries, signedEntry(1).txId) ?? assert.fail("it is not tracked")).advice;
    };

    assert.match(adviceAfter(1n) ?? "", /Add a signature/);
    assert.match(adviceAfter(2n) ?? "", /^It has enough signatures and was not sent from here\. Send it\./);
  });

  it("U11: comes through the journal", () => {
    const entry = signedEntry(1, { ...byAlice, ...of2(1n) });
    const line = JSON.parse(JSON.stringify(entry, (_, it: unknown) => (typeof it === "bigint" ? String(it) : it)));

    assert.deepEqual(readEntry(line), entry);
  });
});
