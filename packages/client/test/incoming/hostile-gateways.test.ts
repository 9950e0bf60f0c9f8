import assert from "node:assert/strict";
import {
  call,
  coins,
  IncomingFixture,
  LAG,
  NETWORK,
  paidInside,
  party,
  transferEvent,
} from "../../../../test/support/incoming/incoming-fixture.ts";
import type { Hex } from "../../../tron/src/primitives/bytes.ts";
import type { IncomingEntry } from "../../src/incoming/incoming-entry.ts";

type ReadRange = Extract<IncomingEntry, { kind: "read" }>;

const SHOP = party(20);
const TOKEN = party(7);
const CONTRACT = party(8);
const TRC20 = { token: { kind: "trc20", contract: TOKEN } } as const;

describe("tracker of payments with an adversarial gateway", () => {
  let shop: IncomingFixture;
  beforeEach(async () => {
    shop = await new IncomingFixture().start();
  });
  afterEach(() => shop.stop());

  it("counts by the bytes when the gateway reports another contract type", async () => {
    const watch = shop.watch(SHOP);
    await shop.block(coins(SHOP, 5n, { contractType: "VoteWitnessContract" }));
    await shop.settle();

    assert.deepEqual(shop.amounts(watch), [5n]);
  });

  it("ignores failed, undone and foreign payments, NFTs and other tokens", async () => {
    const [ofCoins, ofToken] = [shop.watch(SHOP), shop.watch(SHOP, TRC20)];
    const [event] = transferEvent(TOKEN, SHOP, 3n);
    assert.ok(event);
    const item = { ...event, topics: [...event.topics, "00".repeat(32) as Hex], data: "" as Hex };
    await shop.block(
      coins(SHOP, 1n, { contractResult: "OUT_OF_ENERGY" }),
      coins(party(21), 2n),
      call(TOKEN, { logs: [item] }),
      call(TOKEN, { logs: [{ ...event, data: "00" as Hex }] }),
      call(CONTRACT, { logs: transferEvent(CONTRACT, SHOP, 4n) }),
      call(TOKEN, { logs: [event] }, { contractResult: "REVERT" }),
      call(SHOP, {}, { callValue: 6n, contractResult: "REVERT" }),
    );
    await shop.settle();

    assert.deepEqual([shop.amounts(ofCoins), shop.amounts(ofToken)], [[], []]);
  });

  it("stops at a block whose transactions do not match its ID, and reports it", async () => {
    const watch = shop.watch(SHOP);
    const paid = shop.gateway.mine([coins(SHOP, 5n)]);
    shop.gateway.replaceBlock(paid.number, { complete: false });
    await shop.settle();
    assert.ok(shop.standing(watch).readTo.number < paid.number);
    assert.match(shop.connectionIssue ?? "", /does not match its ID/);

    shop.gateway.replaceBlock(paid.number, { complete: true });
    await shop.clock.advance(60_000);
    await shop.settle();
    assert.deepEqual([shop.amounts(watch), shop.connectionIssue], [[5n], undefined]);
  });

  it("stops at unreadable bytes, and loses no payment", async () => {
    const watch = shop.watch(SHOP);
    const paid = shop.gateway.mine([coins(SHOP, 5n, { rawDataHex: "ff".repeat(9) as Hex })]);
    await shop.settle();

    assert.ok(shop.standing(watch).readTo.number < paid.number);
    assert.match(shop.connectionIssue ?? "", /does not match its ID/);
  });

  it("waits for missing receipts", async () => {
    const watch = shop.watch(SHOP, TRC20);
    const paid = call(TOKEN, { logs: transferEvent(TOKEN, SHOP, 3n), blockNumber: 1 });
    await shop.block(paid);
    await shop.settle();

    assert.match(shop.connectionIssue ?? "", /did not return the results of the contract calls in block \d+/);
    assert.deepEqual(shop.amounts(watch), []);
  });

  it("reads calls that name the address when receipts are available by txID only, and marks the watch as incomplete", async () => {
    shop.gateway.withoutInfos = true;
    const watch = shop.watch(SHOP, TRC20);
    const data = SHOP.slice(2).padStart(64, "0") as Hex;
    await shop.block(
      call(TOKEN, { logs: transferEvent(TOKEN, SHOP, 3n) }, { data }),
      call(CONTRACT, { logs: transferEvent(TOKEN, SHOP, 4n) }),
    );
    await shop.settle();

    assert.deepEqual([shop.amounts(watch), shop.standing(watch).partly], [[3n], true]);
  });

  it("accepts another block only after a second query, withdraws its payments, and counts them when they return", async () => {
    const watch = shop.watch(SHOP);
    await shop.settle();
    const before = shop.gateway.solid.number;
    const paid = coins(SHOP, 5n);
    await shop.block(paid);
    await shop.settle();
    shop.gateway.restore(before);
    for (let mined = 0; mined < 2 * LAG + 4; mined++) shop.mine();
    await shop.clock.advance(60_000);

    const [taken] = shop.ledger.paymentsOf(shop.standing(watch));
    assert.deepEqual([taken?.withdrawn, taken?.payment.txId], [true, paid.txId]);

    await shop.block(paid);
    await shop.settle();
    assert.deepEqual(shop.amounts(watch), [5n]);
  });

  it("counts nothing on another chain and reports it", async () => {
    const watch = shop.watch(SHOP);
    await shop.settle();
    const own = shop.tracker;
    shop.gateway.restore(3);
    for (let mined = 0; mined < 40; mined++) shop.mine(coins(SHOP, 9n));
    await shop.clock.advance(60_000);

    assert.equal(shop.tracker, own);
    assert.notEqual(shop.standing(watch).partedAt, undefined);
    assert.deepEqual(shop.amounts(watch), []);
    await shop.clock.advance(10 * 60_000);
    assert.equal(shop.disk.filter((line) => line.includes('"parted"')).length, 1);
  });

  it("checks its position at once, and keeps it, when the user starts over on the same chain", async () => {
    const watch = shop.watch(SHOP);
    const before = shop.standing(watch);
    await shop.clock.advance(1);
    shop.gateway.requests.length = 0;

    shop.tracker.startOver(NETWORK);
    await shop.clock.advance(1);

    assert.deepEqual(shop.gateway.requests, ["solidBlock"]);
    assert.deepEqual(shop.standing(watch), before);
    assert.ok(!shop.disk.some((line) => line.includes('"parted"')));
  });

  it("reads each block once for watches that began at different blocks", async () => {
    const [after = assert.fail()] = await shop.gateway.solidBlocks(5, 6);
    const late = shop.watch(SHOP);
    const early = shop.watch(party(21), { after });
    for (let mined = 0; mined < 5; mined++) shop.mine();
    await shop.settle();

    const ranges = shop.disk
      .map((line) => (JSON.parse(line) as { it: ReadRange }).it)
      .filter((it) => it.kind === "read");
    const read = ranges.map(({ after, to }) => [after.number, to.number]);
    assert.deepEqual(read[0], [early.after.number, late.after.number]);
    assert.ok(
      read.slice(1).every(([after], index) => after === read[index]?.[1]),
      JSON.stringify(read),
    );
  });

  it("ends when the expected amount is paid, and sends no request after it", async () => {
    const watch = shop.watch(SHOP, { expected: 7n });
    await shop.block(coins(SHOP, 5n), call(CONTRACT, { internal: paidInside(CONTRACT, SHOP, 2n) }));
    await shop.settle();
    assert.deepEqual([shop.amounts(watch), shop.ledger.isActive(shop.standing(watch))], [[5n, 2n], false]);

    const { length } = shop.gateway.requests;
    await shop.clock.advance(120_000);
    assert.equal(shop.gateway.requests.length, length);
  });

  it("sends at most 1.05 requests per block when each has contract calls", async () => {
    const watch = shop.watch(SHOP, TRC20);
    const { length } = shop.gateway.requests;
    const first = shop.gateway.solid.number;
    for (let block = 0; block < 200; block++) await shop.block(call(TOKEN, { logs: transferEvent(TOKEN, SHOP, 1n) }));

    const read = shop.standing(watch).readTo.number - first;
    const ratio = (shop.gateway.requests.length - length) / read;
    process.stdout.write(`      ${ratio.toFixed(3)} requests a block, with the receipts of ${read} blocks\n`);
    assert.equal(shop.amounts(watch).length, read - LAG);
    assert.ok(read > 100);
    assert.ok(ratio <= 1.05, String(ratio));
  });

  it("shares the requests of the transaction tracker", async () => {
    const watch = shop.watch(SHOP);
    await shop.block();
    const adopted = Array.from({ length: 60 }, (_, at) => at.toString(16).padStart(64, "a"));
    for (const txId of adopted) await shop.tracker.adopt(txId as never, { network: NETWORK });
    await shop.settle();
    const { length } = shop.gateway.requests;
    for (let block = 0; block < 50; block++) await shop.block(coins(SHOP, 1n));

    const blockRequests = shop.gateway.requests.slice(length).filter((it) => it.startsWith("solidBlock"));
    assert.ok(blockRequests.length <= 50 * 1.05, `${blockRequests.length} requests for blocks`);
    assert.ok(shop.amounts(watch).length >= 40);
  });
});
