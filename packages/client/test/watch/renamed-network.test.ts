import assert from "node:assert/strict";
import {
  ACCEPTED,
  answeredEntry,
  fakeBytes,
  signedEntry,
  startedEntry,
} from "../../../../test/support/tracking/journal-entries.ts";
import { TrackingFixture } from "../../../../test/support/tracking/tracking-fixture.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { type ChainId, parseChainId } from "../../src/gateway/network.ts";
import { TransactionTracker } from "../../src/watch/transaction-tracker.ts";

const CHAIN = parseChainId(`${"0".repeat(16)}${"a".repeat(48)}`) as ChainId;
const { txId } = fakeBytes(1);
const JOURNAL = [
  signedEntry(1, { network: "Old name", chain: CHAIN }),
  startedEntry(txId),
  answeredEntry(txId, ACCEPTED),
];

/** A tracker whose only network was renamed since the transaction was signed. */
async function renamed() {
  const fixture = new TrackingFixture(JOURNAL);
  const asked: string[] = [];
  let known = false;
  const tracker = new TransactionTracker({
    store: fixture.journal,
    clock: fixture.clock,
    networkFor: ({ network, chain }) => (known && chain === CHAIN ? "New name" : network),
    gatewayFor: async (network) => {
      asked.push(network);
      if (network !== "New name") throw new ChainError("NETWORK_UNKNOWN", { network });
      return fixture.gateway;
    },
  });
  await tracker.load();
  const stop = new AbortController();
  const done = tracker.start(stop.signal);
  const learn = (): void => {
    known = true;
    tracker.reconsider();
  };
  const end = async (): Promise<void> => {
    stop.abort();
    await done;
  };
  return { fixture, asked, tracker, learn, end };
}

describe("a network that was renamed", () => {
  it("H1: what somebody else signed is asked for under the new name too, when its chain was known", async () => {
    const { tracker, asked, learn, end } = await renamed();
    learn();

    const { chain } = await tracker.adopt(fakeBytes(7).txId, { network: "Old name", chain: CHAIN });
    await tracker.lookNow(fakeBytes(7).txId);

    assert.equal(chain, CHAIN);
    assert.equal(asked.at(-1), "New name");
    await end();
  });

  it("H1: what was signed under its old name is watched to the end under the new one", async () => {
    const { fixture, tracker, asked, learn, end } = await renamed();
    await fixture.clock.advance(3_000);
    assert.equal(tracker.trouble("Old name")?.code, "NETWORK_UNKNOWN");

    learn();
    await fixture.block({ txId });
    await fixture.blocks(8);

    assert.equal(tracker.get(txId)?.state.kind, "solidified");
    assert.ok(asked.includes("New name"));
    await fixture.clock.advance(60_000);
    assert.equal(tracker.trouble("Old name"), undefined);
    await end();
  });

  it("H1: a look at once asks the network that is its chain now", async () => {
    const { fixture, tracker, asked, learn, end } = await renamed();
    await assert.rejects(tracker.lookNow(txId), { code: "NETWORK_UNKNOWN" });
    learn();
    fixture.gateway.mine([txId]);

    const looked = await tracker.lookNow(txId);

    assert.equal(looked?.state.kind, "included");
    assert.equal(asked.at(-1), "New name");
    await end();
  });
});
