import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway, fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import { TransactionTracker } from "../../src/watch/transaction-tracker.ts";

const BLOCKS = 15;
const COUNT = 200;

describe("many transactions of somebody else, followed by their txIDs", () => {
  /** Follows what is in these blocks already until all of it is final. @returns what that cost */
  async function follow(count: number, blocks: number, contractType?: string) {
    const [clock, gateway] = [new FakeClock(), new FakeGateway()];
    const scripts = Array.from({ length: count }, (_, number) => ({
      txId: fakeTxId(number + 1),
      ...(contractType === undefined ? {} : { contractType, info: { receiptResult: "SUCCESS" } }),
    }));
    for (let block = 0; block < blocks; block++)
      gateway.mine(scripts.filter((_, at) => Math.floor((at * blocks) / count) === block));
    gateway.mineEmpty(30);
    gateway.solidify();
    const tracker = new TransactionTracker({ store: new MemoryJournal(), clock, gatewayFor: async () => gateway });
    for (const { txId } of scripts) await tracker.adopt(txId, { network: "test" });
    const stop = new AbortController();
    const watching = tracker.start(stop.signal);
    await clock.advance(60_000);
    stop.abort();
    await watching;
    assert.ok(tracker.list().every(({ state }) => state.kind === "solidified"));
    const of = (method: string): number => gateway.requests.filter((it) => it.startsWith(`${method} `)).length;
    return { reads: of("solidBlocks"), looks: of("solidTransactionInfo"), all: gateway.requests.length };
  }

  it("P6: 200 of 15 blocks cost requests by blocks, not by transactions", async () => {
    const { reads, looks, all } = await follow(COUNT, BLOCKS);

    process.stdout.write(`      ${reads} block reads, ${looks} look-ups, ${all} requests in all\n`);
    assert.ok(reads <= BLOCKS, `${reads} block reads`);
    assert.ok(looks <= 2 * BLOCKS, `${looks} look-ups`);
  });

  it("P6: of contract calls each receipt is read once, and each block once", async () => {
    const { reads, looks } = await follow(COUNT, BLOCKS, "TriggerSmartContract");

    assert.ok(reads <= BLOCKS, `${reads} block reads`);
    assert.ok(looks <= COUNT + 2 * BLOCKS, `${looks} look-ups`);
  });

  it("P6: a few of one block cost one read of it, too", async () => {
    const { reads } = await follow(3, 1);

    assert.ok(reads <= 1, `${reads} block reads`);
  });
});
