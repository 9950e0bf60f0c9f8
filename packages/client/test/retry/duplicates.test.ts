import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway } from "../../../../test/support/fakes/fake-gateway.ts";
import { bytesReferringTo, chainId } from "../../../../test/support/tracking/chain-places.ts";
import {
  ALICE,
  answeredEntry,
  BOB,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TRANSFER,
} from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { LOCAL_NETWORK_NAME } from "../../src/gateway/network.ts";
import { findDuplicates, type IntendedTransaction, recheckRejected } from "../../src/retry/conflicting-transactions.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";

const { txId } = fakeBytes(1);
const REFUSED = [signedEntry(1), startedEntry(txId), answeredEntry(txId, rejected("SIGERROR"))];
const AGAIN = { network: "test", intent: TRANSFER };

const silent = new ChainError("GATEWAY_UNREACHABLE", { endpoint: "x", attempts: 1, reason: "timeout" });

/** Returns sources with these networks; other names are unknown. */
function asking(networks: { readonly [name: string]: FakeGateway } = {}) {
  const urlsOf = async (network: string) => {
    const found = networks[network];
    if (found === undefined) throw new ChainError("NETWORK_UNKNOWN", { network });
    return [found];
  };
  const clock = new FakeClock();
  return {
    urlsOf,
    networkOf: ({ network }: { network: string }) => network,
    clock,
    signal: new AbortController().signal,
  };
}

const recheck = (tracker: TransactionTracker, intended: IntendedTransaction) =>
  recheckRejected(tracker, intended, asking());

async function fixture(entries = REFUSED) {
  const gateway = new FakeGateway();
  gateway.mineEmpty(3);
  const store = new MemoryJournal(entries);
  const tracker = new TransactionTracker({ store, gatewayFor: async () => gateway, clock: new FakeClock() });
  await tracker.load();
  return { gateway, tracker };
}

describe("recheckRejected", () => {
  it("M1: returns nothing when neither the head nor the solidified view has the rejected transaction", async () => {
    const { gateway, tracker } = await fixture();

    assert.deepEqual(await recheck(tracker, AGAIN), []);

    const looks = ["solidTransactionInfo", "headTransactionInfo", "headTransaction"];
    assert.deepEqual(
      gateway.requests,
      looks.map((it) => `${it} ${txId}`),
    );
  });

  for (const [where, put, state] of [
    ["the pool", (it: FakeGateway) => it.addPending({ txId }), "pending"],
    ["a block", (it: FakeGateway) => it.mine([txId]), "included"],
    [
      "a solidified block",
      (it: FakeGateway) => {
        it.mine([txId]);
        it.solidify();
      },
      "solidified",
    ],
  ] as const) {
    it(`M1: returns the rejected transaction when it is in ${where}`, async () => {
      const { gateway, tracker } = await fixture();
      put(gateway);

      const found = await recheck(tracker, AGAIN);

      assert.deepEqual(
        found.map((it) => [it.txId, it.state.kind]),
        [[txId, state]],
      );
    });
  }

  it("M1: queries the other URLs when the first has nothing, and skips one that does not answer", async () => {
    const [gateway, down, other] = [new FakeGateway(), new FakeGateway(), new FakeGateway()];
    other.mine([txId]);
    down.fail("solidTransactionInfo", silent);
    const tracker = new TransactionTracker({
      store: new MemoryJournal(REFUSED),
      gatewayFor: async () => gateway,
      clock: new FakeClock(),
      sourcesFor: async () => ({ others: [down, other], inRealTime: false }),
    });
    await tracker.load();

    const found = await recheck(tracker, AGAIN);

    assert.deepEqual(
      found.map((it) => [it.txId, it.state.kind]),
      [[txId, "included"]],
    );
  });

  it("M1: returns the rejected transaction when the query fails", async () => {
    const { gateway, tracker } = await fixture();
    gateway.fail("solidTransactionInfo", silent);

    const found = await recheck(tracker, AGAIN);

    assert.deepEqual(
      found.map((it) => [it.txId, it.state.kind]),
      [[txId, "rejected"]],
    );
  });

  it("M1: ends when it is cancelled during the query, and returns nothing", async () => {
    const { gateway, tracker } = await fixture();
    const cancelled = new AbortController();
    gateway.solidTransactionInfo = async () => {
      cancelled.abort();
      throw silent;
    };

    await assert.rejects(recheckRejected(tracker, AGAIN, { ...asking(), signal: cancelled.signal }), {
      name: "AbortError",
    });
  });

  it("M1: sends no request for another payment, an acknowledged one, its own or one that was not found after expiry", async () => {
    const { gateway, tracker } = await fixture();

    await recheck(tracker, { ...AGAIN, intent: { ...TRANSFER, to: BOB, owner: BOB } as typeof TRANSFER });
    await recheck(tracker, { ...AGAIN, network: LOCAL_NETWORK_NAME });
    await recheck(tracker, { ...AGAIN, acknowledged: [txId] });
    await recheck(tracker, { ...AGAIN, txId });
    await tracker.record({ kind: "not-found", txId, at: 9_000, time: 1 });
    await recheck(tracker, AGAIN);

    assert.deepEqual(gateway.requests, []);
  });

  it("M1: queries a replaced transaction, which may still execute beside its replacement", async () => {
    const { gateway, tracker } = await fixture([...REFUSED]);
    await tracker.record({ kind: "replaced", txId, at: 9_000, by: fakeBytes(2).txId });
    gateway.mine([txId]);

    assert.deepEqual(
      (await recheck(tracker, AGAIN)).map((it) => it.state.kind),
      ["included"],
    );
  });
});

describe("findDuplicates", () => {
  const other = { network: "Second", intent: TRANSFER, chain: chainId("b") };

  it("M1 H1: returns a rejected transaction when the target network has it", async () => {
    const { tracker } = await fixture();
    const second = new FakeGateway();
    second.mine([txId]);

    const { conflicting } = await findDuplicates(tracker, { ...AGAIN, network: "Second" }, asking({ Second: second }));

    assert.deepEqual(
      conflicting.map((it) => it.tracked.txId),
      [txId],
    );
  });

  it("M1 H1: returns a rejected transaction when the target network does not answer", async () => {
    const { tracker } = await fixture();
    const second = new FakeGateway();
    second.fail("solidTransactionInfo", silent);

    assert.equal(
      (await findDuplicates(tracker, { ...AGAIN, network: "Second" }, asking({ Second: second }))).conflicting.length,
      1,
    );
  });

  it("H1: separates pending transactions on the same chain from those on other chains", async () => {
    const [first, second] = [new FakeGateway(), new FakeGateway()];
    first.mineEmpty(3);
    second.mineEmpty(2);
    second.reorganise(2);
    second.mineEmpty(3);
    const [old, fresh] = [bytesReferringTo(first.head.id), bytesReferringTo(second.head.id)];
    const store = new MemoryJournal([signedEntry(1, { network: "First", chain: chainId("a"), rawDataHex: old })]);
    const tracker = new TransactionTracker({ store, gatewayFor: async () => first, clock: new FakeClock() });
    await tracker.load();
    const sources = asking({ First: first, Second: second });

    assert.deepEqual(await findDuplicates(tracker, { ...other, rawDataHex: fresh }, sources), {
      conflicting: [],
      onOtherChains: [txId],
    });
    const onFirst = await findDuplicates(tracker, { ...other, rawDataHex: old }, sources);
    assert.deepEqual(
      onFirst.conflicting.map(({ tracked, relation }) => [tracked.txId, relation]),
      [[txId, "same"]],
    );
    for (const it of [first, second]) it.requests.length = 0;
    await findDuplicates(tracker, { ...other, intent: { ...TRANSFER, to: ALICE } as typeof TRANSFER }, sources);
    await findDuplicates(tracker, { ...other, acknowledged: [txId] }, sources);
    await findDuplicates(tracker, { ...other, network: LOCAL_NETWORK_NAME }, sources);
    assert.deepEqual([...first.requests, ...second.requests], []);
  });
});
