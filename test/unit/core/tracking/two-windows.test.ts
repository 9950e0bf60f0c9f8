import assert from "node:assert/strict";
import type { JournalEntry } from "../../../../src/core/journal/journal.ts";
import type { Hex } from "../../../../src/core/primitives/bytes.ts";
import { resubmitTransaction, submitTransaction } from "../../../../src/core/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../../../src/core/tracking/transaction-tracker.ts";
import { FakeClock } from "../../../support/fake-clock.ts";
import { FakeGateway } from "../../../support/fake-gateway.ts";
import {
  answeredEntry,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TRANSFER,
} from "../../../support/journal-entries.ts";
import { MemoryJournal } from "../../../support/memory-journal.ts";

const BUSY = rejected("SERVER_BUSY");
const [old, other] = [fakeBytes(1), fakeBytes(2)];
const signed = { ...fakeBytes(3), signatures: ["ab" as Hex] };
const context = { network: "test", intent: TRANSFER, expiration: 1, solidHeight: 0, acknowledged: [] };

/** A window, and another one that writes `facts` right after this one wrote an entry of that kind. */
async function twoWindows(kind: JournalEntry["kind"], ...facts: readonly JournalEntry[]) {
  const clock = new FakeClock();
  const gateway = new FakeGateway();
  const journal = new MemoryJournal();
  const log = new TransactionTracker({ store: journal, clock, gatewayFor: async () => gateway });
  await log.load();
  const between = (): void => {
    const append = journal.append.bind(journal);
    journal.append = async (entries) => {
      await append(entries);
      if (entries.some((it) => it.kind === kind)) journal.write(...facts);
    };
  };
  return { services: { log, gateway, clock }, journal, log, gateway, between };
}

describe("two windows at the same moment", () => {
  it("sends nothing when the other one signed an equal payment, and notes that the signed bytes never leave", async () => {
    const { services, log, gateway, between } = await twoWindows("signed", signedEntry(2));
    between();

    await assert.rejects(submitTransaction(services, signed, context), { code: "EQUAL_TRANSACTION_ALIVE" });

    assert.deepEqual(gateway.requests, []);
    assert.deepEqual(log.get(signed.txId)?.state, { kind: "replaced", by: other.txId });
  });

  it("sends an equal payment that the sender knows of", async () => {
    const { services, between } = await twoWindows("signed", signedEntry(2));
    between();

    const tracked = await submitTransaction(services, signed, { ...context, acknowledged: [other.txId] });

    assert.equal(tracked.state.kind, "pending");
  });

  it("does not send refused bytes again when the other one replaced them, and says so in the journal", async () => {
    const replaced = { kind: "replaced", txId: old.txId, at: 9, by: other.txId } as const;
    const { services, log, gateway, between } = await twoWindows("broadcast-started", replaced);
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, BUSY));
    between();

    const result = await resubmitTransaction(services, old.txId);

    assert.equal(result.kind, "refused");
    assert.deepEqual(gateway.requests, []);
    const outcome = log.get(old.txId)?.attempts.at(-1)?.outcome;
    assert.equal(outcome?.kind === "rejected" ? outcome.code : "", "NOT_SENT");
  });

  it("does not send refused bytes again when the other one sent an equal payment", async () => {
    const sent = [signedEntry(2), startedEntry(other.txId)];
    const { services, log, gateway, between } = await twoWindows("broadcast-started", ...sent);
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, BUSY));
    between();

    const result = await resubmitTransaction(services, old.txId);

    assert.match(result.kind === "refused" ? result.reason : "", /do the same thing twice/);
    assert.deepEqual(gateway.requests, []);
  });

  it("replaces nothing that the other one sends again, and waits for the proof about it", async () => {
    const again = startedEntry(old.txId, 2, 9);
    const { services, log, gateway, between } = await twoWindows("signed", again);
    await log.record(signedEntry(1), startedEntry(old.txId), answeredEntry(old.txId, BUSY));
    between();

    await assert.rejects(
      submitTransaction(services, signed, { ...context, replaces: old.txId }),
      /handed to a gateway|may still be executed/,
    );

    assert.deepEqual(gateway.requests, []);
    assert.equal(log.get(old.txId)?.state.kind, "unknown");
  });
});

describe("a local clock that is put back", () => {
  it("does not make a newer fact look older than what was known", async () => {
    const { services, log } = await twoWindows("hidden");
    const { txId } = old;
    const block = { number: 7, timestamp: 1 };
    await log.record(signedEntry(1), startedEntry(txId), { kind: "seen-in-head", txId, at: 5_000, block });

    await log.note({ kind: "lost-from-head", txId, at: 1_000 });

    assert.equal(log.get(txId)?.state.kind, "pending");
    assert.equal(services.log.get(txId)?.changedAt, 5_001);
  });
});
