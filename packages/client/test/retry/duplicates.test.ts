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

/** The networks by their names; any other name is none. */
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

const look = (tracker: TransactionTracker, intended: IntendedTransaction) =>
  recheckRejected(tracker, intended, asking());

async function fixture(entries = REFUSED) {
  const gateway = new FakeGateway();
  gateway.mineEmpty(3);
  const store = new MemoryJournal(entries);
  const tracker = new TransactionTracker({ store, gatewayFor: async () => gateway, clock: new FakeClock() });
  await tracker.load();
  return { gateway, tracker };
}

describe("the look before the same is done again", () => {
  it("M1: lets it through when nothing is found, after it asked the head and the solidified view", async () => {
    const { gateway, tracker } = await fixture();

    assert.deepEqual(await look(tracker, AGAIN), []);

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
    it(`M1: stops it when ${where} holds what the gateway refused`, async () => {
      const { gateway, tracker } = await fixture();
      put(gateway);

      const found = await look(tracker, AGAIN);

      assert.deepEqual(
        found.map((it) => [it.txId, it.state.kind]),
        [[txId, state]],
      );
    });
  }

  it("M1: asks the further URLs where the gateway that refused shows nothing, and passes over one that is silent", async () => {
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

    const found = await look(tracker, AGAIN);

    assert.deepEqual(
      found.map((it) => [it.txId, it.state.kind]),
      [[txId, "included"]],
    );
  });

  it("M1: stops it when it cannot be looked for now", async () => {
    const { gateway, tracker } = await fixture();
    gateway.fail("solidTransactionInfo", silent);

    const found = await look(tracker, AGAIN);

    assert.deepEqual(
      found.map((it) => [it.txId, it.state.kind]),
      [[txId, "rejected"]],
    );
  });

  it("M1: asks for nothing that is another payment, known to the sender, its own, or over for certain", async () => {
    const { gateway, tracker } = await fixture();

    await look(tracker, { ...AGAIN, intent: { ...TRANSFER, to: BOB, owner: BOB } as typeof TRANSFER });
    await look(tracker, { ...AGAIN, network: LOCAL_NETWORK_NAME });
    await look(tracker, { ...AGAIN, acknowledged: [txId] });
    await look(tracker, { ...AGAIN, txId });
    await tracker.record({ kind: "not-found", txId, at: 9_000, time: 1 });
    await look(tracker, AGAIN);

    assert.deepEqual(gateway.requests, []);
  });

  it("M1: looks for what was replaced too, because it may be executed beside its replacement", async () => {
    const { gateway, tracker } = await fixture([...REFUSED]);
    await tracker.record({ kind: "replaced", txId, at: 9_000, by: fakeBytes(2).txId });
    gateway.mine([txId]);

    assert.deepEqual(
      (await look(tracker, AGAIN)).map((it) => it.state.kind),
      ["included"],
    );
  });
});

describe("what would happen twice under another name of a network", () => {
  const other = { network: "Second", intent: TRANSFER, chain: chainId("b") };

  it("M1, H1: stops it when the network that is to be paid on shows what was refused on another one", async () => {
    const { tracker } = await fixture();
    const second = new FakeGateway();
    second.mine([txId]);

    const { conflicting } = await findDuplicates(tracker, { ...AGAIN, network: "Second" }, asking({ Second: second }));

    assert.deepEqual(
      conflicting.map((it) => it.tracked.txId),
      [txId],
    );
  });

  it("M1, H1: stops it when the network that is to be paid on does not say whether it has what was refused", async () => {
    const { tracker } = await fixture();
    const second = new FakeGateway();
    second.fail("solidTransactionInfo", silent);

    assert.equal(
      (await findDuplicates(tracker, { ...AGAIN, network: "Second" }, asking({ Second: second }))).conflicting.length,
      1,
    );
  });

  it("H1: tells what is alive on the same chain from what is on another one, and asks nothing where there is nothing", async () => {
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
