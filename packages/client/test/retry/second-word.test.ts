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

/** A gateway whose last block is final and holds the transaction with this outcome; nothing without one. */
function saying(contractResult?: string): FakeGateway {
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
  const look = async (intended = again) =>
    (await findDuplicates(tracker, intended, sources)).conflicting.map((it) => it.tracked.txId);
  return { tracker, store, look };
}

describe("a failure that one gateway alone tells", () => {
  it("H1: is a living payment when a further URL says that it was executed, now and after a restart", async () => {
    const { tracker, store, look } = await fixture({ test: [saying("OUT_OF_ENERGY"), saying("SUCCESS")] });

    assert.deepEqual(await look(), [txId]);

    assert.equal(unsettledEquals(tracker.list(), again, TRANSFER).length, 1);
    const later = await fixture({}, store.entries);
    assert.deepEqual(await later.look(), [txId]);
  });

  it("H1: stands in the way while the further URLs do not show it, and says so again", async () => {
    const silent = saying("SUCCESS");
    silent.fail(
      "solidTransactionInfo",
      new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "" }),
    );
    const { tracker, look } = await fixture({ test: [saying("OUT_OF_ENERGY"), silent, saying()] });

    assert.deepEqual(await look(), [txId]);
    assert.equal(tracker.get(txId)?.outcomeElsewhere, undefined);
    assert.deepEqual(await look(), [txId], "now the first one says that it was executed");
    assert.equal(tracker.get(txId)?.outcomeElsewhere?.outcome.kind, "success");
  });

  it("H1: is over when a further URL says so too, and is asked for once", async () => {
    const second = saying("OUT_OF_ENERGY");
    const { tracker, look } = await fixture({ test: [saying("OUT_OF_ENERGY"), second] });

    assert.deepEqual(await look(), []);
    second.requests.length = 0;
    assert.deepEqual(await look(), []);

    assert.deepEqual(second.requests, []);
    assert.equal(tracker.get(txId)?.outcomeElsewhere?.endpoint, second.endpoint);
  });

  it("H1: is believed where no second source can be asked", async () => {
    const only = saying("OUT_OF_ENERGY");
    const { look } = await fixture({ test: [only] });

    assert.deepEqual(await look(), []);
    assert.deepEqual(only.requests, []);
  });

  it("H1: is denied by the network that is to be paid on, when that one shows that it was executed", async () => {
    const { look } = await fixture({ test: [saying("OUT_OF_ENERGY")], Second: [saying("SUCCESS")], Third: [saying()] });

    assert.deepEqual(await look({ ...again, network: "Third" }), []);
    assert.deepEqual(await look({ ...again, network: "Second" }), [txId]);
  });
});

describe("a receipt that says FAILED", () => {
  it("H1: is denied by the result in the block, which is a part of its id", async () => {
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
