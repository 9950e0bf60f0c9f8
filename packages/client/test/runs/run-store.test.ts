import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { MemoryRunStore } from "../../../../test/support/runs/memory-run-store.ts";
import { newRun, paymentRows } from "../../../../test/support/runs/run-fixture.ts";
import {
  ACCEPTED,
  answeredEntry,
  rejected,
  signedEntry,
  startedEntry,
  TIMED_OUT,
} from "../../../../test/support/tracking/journal-entries.ts";
import { isSameRows, mayBeUnsent, needsWork, type SignedEntry } from "../../src/runs/run-store.ts";

const worker = { id: "w1", version: 1 };

/** Signed bytes of a number, for a commit. */
function bytes(number: number): SignedEntry {
  return signedEntry(number);
}

describe("run store port", () => {
  it("treats an attempt without answer or sighting as unsent", () => {
    const signed = signedEntry(1);
    const started = startedEntry(signed.txId);
    const answers = [TIMED_OUT, ACCEPTED, rejected("SIGERROR")].map((it) => answeredEntry(signed.txId, it));

    assert.equal(mayBeUnsent([signed]), true);
    assert.deepEqual(
      answers.map((answer) => mayBeUnsent([signed, started, answer])),
      [true, false, false],
    );
    assert.equal(mayBeUnsent([signed, { kind: "seen-in-pool", txId: signed.txId, at: 2 }]), false);
  });

  it("has work for a row whose last attempt was accepted only after a permitted retry", () => {
    const { txId } = signedEntry(1);
    const entries = () => [answeredEntry(txId, ACCEPTED)];

    assert.equal(needsWork({ attempts: [txId] }, entries), false);
    assert.equal(needsWork({ attempts: [txId], retryAfter: txId }, entries), true);
  });

  it("compares rows by number, key and intent", () => {
    const [first, second] = [paymentRows(2), paymentRows(2)];

    assert.equal(isSameRows(first, second), true);
    assert.equal(isSameRows(first, paymentRows(3)), false);
    assert.equal(
      isSameRows(
        first,
        paymentRows(2, (row) => `other${row}`),
      ),
      false,
    );
  });
});

describe("memory run store", () => {
  it("fences a worker whose row was claimed by another one after its lease", async () => {
    const clock = new FakeClock();
    const store = new MemoryRunStore(clock);
    await store.create(newRun(), paymentRows(1));
    const [old] = await store.claim(worker, { limit: 5, leaseMs: 1_000 });
    await clock.advance(1_001);
    const [young] = await store.claim({ ...worker, id: "w2" }, { limit: 5, leaseMs: 1_000 });
    assert.ok(old !== undefined && young !== undefined);

    assert.equal(await store.commitAttempt(old, bytes(1)), "fenced");
    assert.equal(await store.commitAttempt(young, bytes(2)), "committed");
    assert.equal(await store.commitAttempt(young, bytes(3)), "attempt-exists");
    assert.deepEqual(store.journal.kinds, ["signed"]);
  });

  it("refuses the key of another run, and creates the same run once", async () => {
    const store = new MemoryRunStore(new FakeClock());
    await store.create(newRun(), paymentRows(2));
    await store.create(newRun(), paymentRows(2));

    await assert.rejects(store.create(newRun({ id: "other" }), paymentRows(1)), { code: "RUN_KEY_USED" });
    await assert.rejects(store.create(newRun(), paymentRows(3)), { code: "RUN_DIFFERS" });
    assert.equal((await store.runs()).length, 1);
  });
});
