import assert from "node:assert/strict";
import { fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import {
  ACCEPTED,
  answeredEntry,
  fakeBytes,
  signedEntry,
  startedEntry,
} from "../../../../test/support/tracking/journal-entries.ts";
import { goOffline } from "../../../../test/support/tracking/offline.ts";
import { LAG, SLOT, TrackingFixture, trackingFixture } from "../../../../test/support/tracking/tracking-fixture.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";

const HOUR = 60 * 60 * 1_000;
const NEVER_EXPIRES = Date.UTC(2030, 0);
const numbers = Array.from({ length: 30 }, (_, index) => index + 1);

/** When requests were made while the clock went on without a block; ms since then. */
async function requestTimes(stage: TrackingFixture, ms: number): Promise<readonly number[]> {
  const start = stage.clock.now();
  const times: number[] = [];
  for (let passed = 0; passed < ms; passed += 100) {
    const { length } = stage.gateway.requests;
    await stage.clock.advance(100);
    if (stage.gateway.requests.length > length) times.push(stage.clock.now() - start);
  }
  return times;
}

function gaps(times: readonly number[]): readonly number[] {
  return times.slice(1).map((it, index) => it - (times[index] ?? 0));
}

/** The look for the transaction, or for blocks, and that for the solidified time of a proof. */
const TWICE_A_HALF_MINUTE = 8;

function lastTwoMinutes(times: readonly number[]): number {
  return times.filter((it) => it > 3 * 60_000).length;
}

describe("the poller when nothing moves", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("looks for one transaction ever more rarely, up to every 30 s", async () => {
    const { txId } = fakeBytes(1);
    stage = await new TrackingFixture([signedEntry(1, { expiration: NEVER_EXPIRES }), startedEntry(txId)]).start();

    const times = await requestTimes(stage, 5 * 60_000);

    assert.ok(times.filter((it) => it <= 10_000).length >= 3, String(times));
    assert.ok(lastTwoMinutes(times) <= TWICE_A_HALF_MINUTE, String(times));
  });

  it("asks a chain that stands still for new blocks ever more rarely, up to every 30 s, and is back at once with them", async () => {
    stage = await trackingFixture();
    const txIds = await stage.send(...numbers);
    await stage.blocks(3);

    const times = await requestTimes(stage, 5 * 60_000);
    assert.ok(lastTwoMinutes(times) <= TWICE_A_HALF_MINUTE, String(times));
    await stage.block(...txIds);
    await stage.blocks(LAG + 14);

    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
    const { length } = stage.gateway.requests;
    assert.ok(length < 45, String(length));
  });

  it("waits for finality ever more rarely while the chain stands still", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    await stage.block(txId);
    await stage.block();
    assert.equal(stage.state(txId), "included");

    const between = gaps(await requestTimes(stage, 10 * 60_000));

    assert.deepEqual(between.slice(-2), [30_000, 30_000]);
  });

  it("sleeps when nothing is pending: no request and no timer", async () => {
    stage = await trackingFixture();
    const txIds = await stage.send(1, 2);
    await stage.block(...txIds);
    await stage.blocks(LAG + 4);
    stage.gateway.requests.length = 0;

    assert.equal(stage.clock.sleeping, 0);
    await stage.clock.advance(24 * HOUR);

    assert.deepEqual(stage.gateway.requests, []);
  });
});

describe("the poller and a laptop that sleeps", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("makes one round after it wakes up, and no burst", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    await stage.blocks(2);
    stage.clock.jump(8 * HOUR);
    stage.gateway.requests.length = 0;

    await stage.clock.advance(2 * SLOT);

    assert.ok(stage.gateway.requests.length <= 3, stage.gateway.requests.join("\n"));
    await stage.block(txId);
    await stage.blocks(LAG + 12);
    assert.equal(stage.state(txId), "solidified");
  });

  it("looks for each after a night in which more blocks came than they are worth", async () => {
    stage = await trackingFixture();
    const txIds = await stage.send(...numbers);
    await stage.blocks(2);
    stage.gateway.mine(txIds);
    stage.gateway.mineEmpty(9_600);
    stage.gateway.solidify();
    stage.clock.jump(8 * HOUR);
    stage.gateway.requests.length = 0;

    await stage.blocks(4);

    assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
    // The block of those that are looked for first holds the others too.
    assert.ok(stage.requests("solidTransactionInfo") <= 5, String(stage.requests("solidTransactionInfo")));
    assert.ok(stage.gateway.requests.length <= numbers.length, String(stage.gateway.requests.length));
  });

  for (const count of [1, 30]) {
    it(`goes on when the clock is set back by an hour, with ${count} to follow`, async () => {
      stage = await trackingFixture();
      const txIds = await stage.send(...numbers.slice(0, count));
      await stage.block();
      await stage.block();

      stage.clock.jump(-HOUR);
      await stage.block(...txIds);
      await stage.blocks(LAG + 12);

      assert.deepEqual(new Set(txIds.map(stage.state)), new Set(["solidified"]));
    });
  }

  it("proves absence although the clock was set back by an hour", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    await stage.blocks(2);

    stage.clock.jump(-HOUR);
    await stage.blocks(60);

    assert.equal(stage.state(txId), "proven-absent");
  });

  it("keeps a pause after trouble short when the clock is set back", async () => {
    stage = await trackingFixture();
    await stage.send(1);
    const back = goOffline(stage);
    await stage.clock.advance(2_000);
    stage.clock.jump(-HOUR);

    await stage.clock.advance(35_000);
    back();
    await stage.clock.advance(35_000);

    assert.equal(stage.tracker.trouble("test"), undefined);
  });
});

describe("the poller and a network that is away", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("tries from every 3 s to every 30 s while it is offline, and is back with the first answer", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    const back = goOffline(stage);

    const between = gaps(await requestTimes(stage, 5 * 60_000));
    assert.deepEqual(between.slice(0, 4), [3_000, 6_000, 12_000, 24_000]);
    assert.ok(Math.max(...between) <= 30_000);
    back();
    await stage.clock.advance(30_000);

    assert.equal(stage.tracker.trouble("test"), undefined);
    await stage.block(txId);
    await stage.blocks(LAG + 12);
    assert.equal(stage.state(txId), "solidified");
  });

  it("keeps every transaction in its state meanwhile, so that nobody is told anything", async () => {
    stage = await trackingFixture();
    await stage.send(...numbers);
    stage.states.length = 0;
    goOffline(stage);

    await stage.clock.advance(HOUR);

    assert.deepEqual(stage.states, []);
    assert.deepEqual(stage.log, []);
    assert.equal(stage.tracker.troubles().length, 1);
  });

  it("S104 takes a 429 calmly: nobody else is asked in its stead, and the pause is what it asks for", async () => {
    stage = await trackingFixture();
    await stage.send(...numbers);
    const limited = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "x", retryAfterMs: 60_000 });
    stage.gateway.fail("solidBlock", limited);
    await stage.blocks(3);
    const { length } = stage.gateway.requests;

    await stage.send(31);
    await stage.clock.advance(50_000);
    assert.equal(stage.gateway.requests.length, length);
    await stage.clock.advance(15_000);

    assert.ok(stage.gateway.requests.length > length);
    assert.equal(stage.tracker.trouble("test"), undefined);
  });

  it("S104 doubles the pause after a 429 without Retry-After, up to 30 s", async () => {
    stage = await trackingFixture();
    const limited = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "x", retryAfterMs: undefined });
    stage.gateway.fail("headTransactionInfo", ...Array<unknown>(6).fill(limited));
    await stage.send(1);

    assert.deepEqual(
      gaps(await requestTimes(stage, 3 * 60_000)).slice(0, 6),
      [3_000, 6_000, 12_000, 24_000, 30_000, 30_000],
    );
  });
});

describe("the poller's choice", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("looks for few, reads blocks for many, and notes the figures when that changes", async () => {
    stage = await trackingFixture();
    await stage.send(1, 2);
    await stage.blocks(2);
    await stage.send(...numbers.slice(2));
    await stage.blocks(2);

    assert.deepEqual(stage.notes, [
      "Looking for each transaction of test (2 fresh and 0 waiting). Expected: each 10 requests and 10 kB, blocks 20 requests and 1000 kB.",
      "Reading every solidified block of test (10 fresh and 0 waiting). Expected: each 50 requests and 50 kB, blocks 20 requests and 1000 kB.",
    ]);
  });

  it("goes back to looks for a few that wait long after the others came", async () => {
    const waits = [1, 2].flatMap((it) => {
      const { txId } = fakeBytes(it);
      return [
        signedEntry(it, { expiration: NEVER_EXPIRES, solidHeight: 16 }),
        startedEntry(txId),
        answeredEntry(txId, ACCEPTED),
      ];
    });
    stage = await new TrackingFixture(waits).start();
    const txIds = await stage.send(...numbers.slice(2));
    await stage.block(...txIds);
    await stage.blocks(60);
    stage.gateway.requests.length = 0;

    await stage.blocks(100);

    assert.match(stage.notes.at(-1) ?? "", /^Looking for each transaction of test \(0 fresh and 2 waiting\)/);
    assert.ok(stage.gateway.requests.length < 50, String(stage.gateway.requests.length));
  });

  it("notes nothing as long as the choice stays", async () => {
    stage = await trackingFixture();
    await stage.send(...numbers);
    await stage.blocks(2);
    const { length } = stage.notes;
    await stage.blocks(15);

    assert.equal(stage.notes.length, length);
  });
});
