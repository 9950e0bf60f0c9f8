import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import {
  blockReference,
  fakeBytes,
  signedEntry,
  startedEntry,
  TRANSFER,
} from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { findDuplicates, unsettledEquals } from "../../src/retry/conflicting-transactions.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";
import type { JournalEntry } from "../../src/transaction-state/journal-entry.ts";

const { txId } = fakeBytes(1);
const outcome = { kind: "failed", result: "OUT_OF_ENERGY", message: "" } as const;
const FAILED: readonly JournalEntry[] = [
  signedEntry(1),
  startedEntry(txId),
  { kind: "solidified", txId, at: 2_000, block: blockReference(3), outcome },
];
const again = { network: "test", intent: TRANSFER };

/** Returns a gateway whose solidified block contains the transaction with this result; none without a result. */
function gatewayWith(contractResult?: string): FakeGateway {
  const gateway = new FakeGateway(`http://${contractResult ?? "nothing"}.test`);
  gateway.mine(contractResult === undefined ? [] : [{ txId, contractResult }]);
  gateway.solidify();
  return gateway;
}

async function fixture(networks: { readonly [name: string]: readonly FakeGateway[] }, facts = FAILED) {
  const clock = new FakeClock();
  const store = new MemoryJournal(facts);
  const tracker = new TransactionTracker({ store, clock, gatewayFor: async () => new FakeGateway() });
  await tracker.load();
  const sources = {
    urlsOf: async (name: string) => networks[name] ?? [],
    networkOf: ({ network }: { network: string }) => network,
    clock,
    signal: new AbortController().signal,
  };
  const conflictsFor = async (intended = again) =>
    (await findDuplicates(tracker, intended, sources)).conflicting.map((it) => it.tracked.txId);
  return { tracker, store, conflictsFor };
}

describe("findDuplicates after a failure that one gateway reported", () => {
  it("H1: finds a conflict when another URL reports success, also after a restart", async () => {
    const { tracker, store, conflictsFor } = await fixture({
      test: [gatewayWith("OUT_OF_ENERGY"), gatewayWith("SUCCESS")],
    });

    assert.deepEqual(await conflictsFor(), [txId]);

    assert.equal(unsettledEquals(tracker.list(), again, TRANSFER).length, 1);
    const later = await fixture({}, store.entries);
    assert.deepEqual(await later.conflictsFor(), [txId]);
  });

  it("H1: finds a conflict while no other URL shows the transaction, and queries again", async () => {
    const silent = gatewayWith("SUCCESS");
    silent.fail(
      "solidTransactionInfo",
      new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "" }),
    );
    const { tracker, conflictsFor } = await fixture({ test: [gatewayWith("OUT_OF_ENERGY"), silent, gatewayWith()] });

    assert.deepEqual(await conflictsFor(), [txId]);
    assert.equal(tracker.get(txId)?.outcomeElsewhere, undefined);
    assert.deepEqual(await conflictsFor(), [txId], "the first other URL now reports success");
    assert.equal(tracker.get(txId)?.outcomeElsewhere?.outcome.kind, "success");
  });

  it("H1: finds no conflict when another URL confirms the failure, and does not query again", async () => {
    const second = gatewayWith("OUT_OF_ENERGY");
    const { tracker, conflictsFor } = await fixture({ test: [gatewayWith("OUT_OF_ENERGY"), second] });

    assert.deepEqual(await conflictsFor(), []);
    second.requests.length = 0;
    assert.deepEqual(await conflictsFor(), []);

    assert.deepEqual(second.requests, []);
    assert.equal(tracker.get(txId)?.outcomeElsewhere?.endpoint, second.endpoint);
  });

  it("H1: finds a conflict when the block of another URL contradicts its receipt", async () => {
    const second = new FakeGateway("http://second.test");
    const info = { failed: true, receiptResult: "OUT_OF_ENERGY" };
    second.mine([{ txId, contractType: "TriggerSmartContract", contractResult: "SUCCESS", info }]);
    second.solidify();
    const { conflictsFor } = await fixture({ test: [gatewayWith("OUT_OF_ENERGY"), second] });

    assert.deepEqual(await conflictsFor(), [txId]);
  });

  it("H1: accepts the failure when there is no other URL", async () => {
    const only = gatewayWith("OUT_OF_ENERGY");
    const { conflictsFor } = await fixture({ test: [only] });

    assert.deepEqual(await conflictsFor(), []);
    assert.deepEqual(only.requests, []);
  });

  it("H1: finds a conflict when the target network reports success", async () => {
    const { conflictsFor } = await fixture({
      test: [gatewayWith("OUT_OF_ENERGY")],
      Second: [gatewayWith("SUCCESS")],
      Third: [gatewayWith()],
    });

    assert.deepEqual(await conflictsFor({ ...again, network: "Third" }), []);
    assert.deepEqual(await conflictsFor({ ...again, network: "Second" }), [txId]);
  });
});

describe("TransactionTracker with a receipt that reports FAILED", () => {
  it("H1: prefers the result in the block, which is part of the block ID", async () => {
    const gateway = new FakeGateway();
    const info = { failed: true, receiptResult: "OUT_OF_ENERGY" };
    gateway.mine([{ txId, contractType: "TriggerSmartContract", contractResult: "SUCCESS", info }]);
    gateway.solidify();
    const store = new MemoryJournal([signedEntry(1), startedEntry(txId)]);
    const tracker = new TransactionTracker({ store, clock: new FakeClock(), gatewayFor: async () => gateway });
    await tracker.load();

    await tracker.refresh(txId);

    assert.equal(unsettledEquals(tracker.list(), again, TRANSFER).length, 1);
  });
});
