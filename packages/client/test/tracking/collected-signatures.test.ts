import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import {
  ACCEPTED,
  ALICE,
  answeredEntry,
  BOB,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TRANSFER,
  trackedFromEntries,
} from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal, OvertakenJournal } from "../../../../test/support/tracking/memory-journal.ts";
import type { Hex, TxId } from "../../../tron/src/primitives/bytes.ts";
import { decideActions } from "../../src/retry/permitted-actions.ts";
import { awaitsProof, isLive } from "../../src/retry/retry-policy.ts";
import {
  resubmitTransaction,
  type SubmissionContext,
  storeTransaction,
  submitTransaction,
} from "../../src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";
import type { JournalEntry } from "../../src/transaction-state/journal-entry.ts";
import { isUnsettled } from "../../src/transaction-state/transaction-conditions.ts";

const [OF_ALICE, OF_BOB, RESIGNED] = ["aa", "bb", "cc"] as Hex[] as [Hex, Hex, Hex];
const { txId } = fakeBytes(1);
const context: SubmissionContext = { network: "test", intent: TRANSFER, expiration: 1_767_225_660_000, solidHeight: 3 };

const OWN = signedEntry(1, { at: 10 });
const byAlice = signedEntry(1, { at: 10, signatures: [OF_ALICE], signers: [ALICE] });
const byBob = signedEntry(1, { at: 20, signatures: [OF_BOB], signers: [BOB] });
const refused = [startedEntry(txId, 1, 30), answeredEntry(txId, rejected("SIGERROR"), { at: 31 })];

function trackedAfter(...entries: readonly JournalEntry[]) {
  const tracked = trackedFromEntries(entries, txId);
  assert.ok(tracked);
  return tracked;
}

/** Opens a window with its own tracker on the shared journal. */
async function openWindow(journal: MemoryJournal, clock = new FakeClock()) {
  const gateway = new FakeGateway();
  const tracker = new TransactionTracker({ store: journal, gatewayFor: async () => gateway, clock });
  await tracker.load();
  return { tracker, gateway, services: { log: tracker, gateway, clock } };
}

function broadcasts({ requests }: FakeGateway): number {
  return requests.filter((it) => it.startsWith("broadcast ")).length;
}

describe("collected signatures", () => {
  it("are united from all windows in any order", () => {
    for (const entries of [
      [byAlice, byBob],
      [byBob, byAlice],
    ]) {
      assert.deepEqual(trackedAfter(...entries).signed?.signatures, [OF_ALICE, OF_BOB]);
    }
  });

  it("contain the newest signature of each key", () => {
    const again = signedEntry(1, { at: 20, signatures: [RESIGNED], signers: [ALICE] });

    assert.deepEqual(trackedAfter(byAlice, again).signed?.signatures, [RESIGNED]);
    assert.deepEqual(trackedAfter(again, byAlice).signed?.signatures, [RESIGNED]);
  });

  it("are replaced by a complete set, and joined by later signatures", () => {
    const renewedEntry = signedEntry(1, { at: 15, signatures: [RESIGNED] });

    assert.deepEqual(trackedAfter(byAlice, renewedEntry).signed?.signatures, [RESIGNED]);
    assert.deepEqual(trackedAfter(byAlice, renewedEntry, byBob).signed?.signatures, [RESIGNED, OF_BOB]);
    assert.equal(trackedAfter(byAlice, renewedEntry).signed?.shared, true, "its file is out all the same");
  });

  it("keep a transaction live until its proof, because others have its bytes", () => {
    const [kept, own] = [trackedAfter(byAlice), trackedAfter(OWN)];

    assert.deepEqual([isLive(kept), awaitsProof(kept)], [true, true]);
    assert.deepEqual([isLive(own), awaitsProof(own)], [false, false]);
  });

  it("allow no replacement before the proof", () => {
    for (const tracked of [trackedAfter(byAlice), trackedAfter(byAlice, ...refused)]) {
      const { createReplacement } = decideActions(tracked);
      assert.equal(createReplacement.allowed, false);
      assert.equal(isUnsettled(tracked), true);
    }
    assert.equal(decideActions(trackedAfter(OWN, ...refused)).createReplacement.allowed, true);
  });

  it("are not sent while there are none", () => {
    const { sendSameBytes } = decideActions(trackedAfter(signedEntry(1, { signatures: [], signers: [] })));

    assert.deepEqual(
      [sendSameBytes.allowed, "why" in sendSameBytes && sendSameBytes.why],
      [false, "It has no signature yet. Add one first."],
    );
  });

  it("are restored from the journal when the file was not written", async () => {
    const journal = new MemoryJournal();
    const { services } = await openWindow(journal);
    await storeTransaction(services, { ...fakeBytes(1), signatures: [OF_ALICE] }, { ...context, signers: [ALICE] });

    const { tracker } = await openWindow(new MemoryJournal(journal.entries));

    const tracked = tracker.get(txId);
    assert.deepEqual([tracked?.state.kind, tracked?.signed?.signatures], ["signed", [OF_ALICE]]);
    assert.equal(journal.kinds.includes("broadcast-started"), false);
  });

  it("conflict with an equal payment in every window", async () => {
    const journal = new MemoryJournal();
    const [first, second] = [await openWindow(journal), await openWindow(journal)];
    await storeTransaction(first.services, { ...fakeBytes(1), signatures: [] }, { ...context, signers: [] });
    journal.write();
    const other = { ...fakeBytes(2), signatures: [OF_ALICE] };

    for (const { services } of [first, second]) {
      await second.tracker.load();
      await assert.rejects(submitTransaction(services, other, context), { code: "EQUAL_TRANSACTION_ALIVE" });
    }
    assert.equal(broadcasts(first.gateway) + broadcasts(second.gateway), 0);
  });
});

describe("bytes for an external wallet", () => {
  const handedOut = { ...context, signers: [] };

  it("are sent once with the signature of the wallet, and conflict with an equal payment", async () => {
    const journal = new MemoryJournal();
    const { services, gateway, tracker } = await openWindow(journal);
    await storeTransaction(services, { ...fakeBytes(1), signatures: [] }, handedOut);

    await submitTransaction(services, { ...fakeBytes(1), signatures: [OF_ALICE] }, context);

    const tracked = tracker.get(txId);
    assert.deepEqual([broadcasts(gateway), tracked?.signed?.signatures], [1, [OF_ALICE]]);
    assert.equal(tracked?.signed?.shared, true, "the wallet has them all the same");
    await assert.rejects(submitTransaction(services, { ...fakeBytes(2), signatures: [OF_ALICE] }, context), {
      code: "EQUAL_TRANSACTION_ALIVE",
    });
  });

  it("are not stored when the window learns of an equal payment", async () => {
    const journal = new MemoryJournal();
    const [first, second] = [await openWindow(journal), await openWindow(journal)];
    await submitTransaction(second.services, { ...fakeBytes(2), signatures: [OF_ALICE] }, context);
    journal.write();
    await first.tracker.load();

    const handing = storeTransaction(first.services, { ...fakeBytes(1), signatures: [] }, handedOut);

    await assert.rejects(handing, { code: "EQUAL_TRANSACTION_ALIVE" });
    assert.equal(broadcasts(first.gateway), 0);
  });

  it("remain unsettled until their proof when the wallet does not sign or a node refuses its signature", () => {
    const handed = signedEntry(1, { at: 10, signatures: [], signers: [] });
    const signed = signedEntry(1, { at: 20, signatures: [OF_ALICE] });

    for (const tracked of [trackedAfter(handed), trackedAfter(handed, signed, ...refused)]) {
      assert.deepEqual([isUnsettled(tracked), awaitsProof(tracked)], [true, true]);
      assert.equal(decideActions(tracked).createReplacement.allowed, false);
    }
  });
});

describe("equal payments that two windows export at the same time", () => {
  const other = { ...fakeBytes(2), signatures: [OF_ALICE] };

  /** Stores a payment after another window has written an equal one. */
  async function overtaken(isNew: boolean) {
    const { tracker, services } = await openWindow(new OvertakenJournal(byAlice));
    await assert.rejects(storeTransaction(services, other, { ...context, signers: [ALICE], isNew }), {
      code: "EQUAL_TRANSACTION_ALIVE",
    });
    return tracker;
  }

  it("keep one of them: the other is not signed, sent or replaced", async () => {
    const tracker = await overtaken(true);
    const loser = tracker.get(other.txId);
    assert.ok(loser);

    assert.equal(loser.replacedBy, txId);
    const { sendSameBytes, signAgain, createReplacement } = decideActions(loser);
    assert.deepEqual([sendSameBytes.allowed, signAgain.allowed, createReplacement.allowed], [false, false, false]);
    assert.equal(awaitsProof(loser), true, "it is watched until the proof, as all that may be out");
  });

  it("keep both when the second came as a file", async () => {
    const tracker = await overtaken(false);

    assert.equal(tracker.get(other.txId)?.replacedBy, undefined);
    assert.equal(tracker.list().filter((it) => isUnsettled(it)).length, 2);
  });
});

describe("signAgain", () => {
  it("is allowed after a rejected signature and refused when a node may have the transaction", () => {
    const may = (...entries: readonly JournalEntry[]): boolean =>
      decideActions(trackedAfter(...entries)).signAgain.allowed;
    const own = OWN;
    const started = startedEntry(txId, 1, 30);

    assert.equal(may(own, ...refused), true);
    assert.equal(may(own), false, "it was not sent");
    assert.equal(may(own, started), false, "no answer");
    assert.equal(may(own, started, answeredEntry(txId, ACCEPTED, { at: 31 })), false);
    assert.equal(may(own, started, answeredEntry(txId, rejected("BANDWITH_ERROR"), { at: 31 })), false);
    assert.equal(may(own, ...refused, { kind: "seen-in-pool", txId, at: 40 }), false, "a node has it");
    assert.equal(may(own, ...refused, { kind: "not-found", txId, at: 40, time: 50 }), false, "it expired");
    assert.equal(may(own, ...refused, { kind: "replaced", txId, at: 40, by: fakeBytes(2).txId }), false);
  });

  it("allows the same bytes with new signatures, and no replacement", () => {
    const tracked = trackedAfter(OWN, ...refused, signedEntry(1, { at: 40, signatures: [RESIGNED] }));

    const { sendSameBytes, createReplacement } = decideActions(tracked);

    assert.deepEqual([sendSameBytes.allowed, createReplacement.allowed, isUnsettled(tracked)], [true, false, true]);
    assert.deepEqual(tracked.signed?.signatures, [RESIGNED]);
    assert.equal(tracked.state.kind, "rejected", "the first answer stays the reason");
  });

  it("sends nothing after another window began a replacement, and stops a later one", async () => {
    const clock = new FakeClock();
    const journal = new MemoryJournal([OWN, ...refused]);
    const replacement = { ...fakeBytes(2), signatures: [OF_ALICE] };
    const one = await openWindow(journal, clock);
    await storeTransaction(one.services, { ...fakeBytes(1), signatures: [RESIGNED] }, context);
    const other = await openWindow(journal, clock);

    await assert.rejects(submitTransaction(other.services, replacement, { ...context, replaces: txId }), {
      code: "REPLACEMENT_REFUSED",
    });
    assert.equal((await resubmitTransaction(one.services, txId)).kind, "sent");
    assert.deepEqual([broadcasts(one.gateway), broadcasts(other.gateway)], [1, 0]);
  });

  it("is refused when the journal already contains a replacement of another window", async () => {
    const journal = new MemoryJournal([OWN, ...refused]);
    const one = await openWindow(journal);
    journal.write(signedEntry(2, { at: 50, replaces: txId }));

    const stored = storeTransaction(one.services, { ...fakeBytes(1), signatures: [RESIGNED] }, context);
    await assert.rejects(stored, { code: "EQUAL_TRANSACTION_ALIVE" });
    const sent = await resubmitTransaction(one.services, txId as TxId);

    assert.equal(sent.kind, "refused");
    assert.equal(broadcasts(one.gateway), 0);
  });
});
