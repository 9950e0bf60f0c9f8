import assert from "node:assert/strict";
import { fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { coins, IncomingFixture, party } from "../../../../test/support/incoming/incoming-fixture.ts";
import { goOffline } from "../../../../test/support/tracking/offline.ts";
import {
  LAG,
  SLOT,
  type TrackingFixture,
  trackingFixture,
} from "../../../../test/support/tracking/tracking-fixture.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import { TransactionTracker } from "../../src/watch/transaction-tracker.ts";

/** Long enough that the pause is the longest one. */
const LONG_OFFLINE_MS = 5 * 60_000;
/** Within it a connection that is back is noticed. */
const NOTICED_MS = 3_500;

describe("watching while this computer is offline", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  /** One transaction is open, and nobody answered for a while. */
  async function offline(): Promise<() => void> {
    stage = await trackingFixture();
    await stage.send(1);
    const back = goOffline(stage);
    await stage.clock.advance(LONG_OFFLINE_MS);
    stage.gateway.requests.length = 0;
    return back;
  }

  it("slows down to a round every 30 s while nobody answers, and says that it waits", async () => {
    await offline();

    await stage.clock.advance(10 * 60_000);

    const rounds = stage.gateway.requests.length;
    assert.ok(rounds >= 19 && rounds <= 21, `${rounds} rounds in ten minutes`);
    assert.equal(stage.tracker.trouble("test")?.waits, "for-an-answer");
  });

  it("pauses while the computer has no connection at all, says so, and goes on within seconds when it has one", async () => {
    const back = await offline();
    stage.connections = "";
    await stage.clock.advance(NOTICED_MS + 1_000);
    stage.gateway.requests.length = 0;

    await stage.clock.advance(20 * 60_000);
    const rounds = stage.gateway.requests.length;
    assert.ok(rounds <= 4, `${rounds} rounds in twenty minutes`);
    assert.equal(stage.tracker.trouble("test")?.waits, "for-a-connection");

    back();
    stage.connections = "wlan0 198.51.100.7";
    await stage.clock.advance(NOTICED_MS);
    assert.equal(stage.tracker.trouble("test"), undefined);
  });

  it("asks a gateway on this computer as before where there is no connection", async () => {
    stage = await trackingFixture();
    Object.assign(stage.gateway, { endpoint: "http://127.0.0.1:9090" });
    await stage.send(1);
    stage.connections = "";
    goOffline(stage);
    await stage.clock.advance(LONG_OFFLINE_MS);
    stage.gateway.requests.length = 0;

    await stage.clock.advance(10 * 60_000);

    assert.ok(stage.gateway.requests.length >= 19, String(stage.gateway.requests.length));
    assert.equal(stage.tracker.trouble("test")?.waits, "for-an-answer");
  });

  it("looks for one when a person asks, fails then, and neither hurries nor rests longer for it", async () => {
    await offline();
    const [txId = fakeTxId(0)] = stage.tracker.list().map((it) => it.txId);

    await assert.rejects(stage.tracker.lookNow(txId), { code: "GATEWAY_UNREACHABLE" });
    stage.gateway.requests.length = 0;
    await stage.clock.advance(10 * 60_000);

    const rounds = stage.gateway.requests.length;
    assert.ok(rounds >= 19 && rounds <= 21, `${rounds} rounds in ten minutes`);
  });

  it("shows no trouble any more when another window leads", async () => {
    await offline();
    assert.notEqual(stage.tracker.trouble("test"), undefined);

    await stage.stop();

    assert.deepEqual(stage.tracker.troubles(), []);
  });

  it("looks again within seconds when the computer is connected otherwise than before", async () => {
    const back = await offline();
    await stage.clock.advance(31_000);
    back();
    stage.connections = "wlan0 198.51.100.7";

    await stage.clock.advance(NOTICED_MS);

    assert.equal(stage.tracker.trouble("test"), undefined);
  });

  it("tries from 3 s on again when a new connection does not answer at first", async () => {
    await offline();
    stage.connections = "wlan0 198.51.100.7";

    await stage.clock.advance(NOTICED_MS + 3_000 + 6_000);

    assert.ok(stage.gateway.requests.length >= 3, String(stage.gateway.requests.length));
  });

  it("asks nobody more often because it looks at the connections", async () => {
    await offline();

    await stage.clock.advance(29_000);

    assert.ok(stage.gateway.requests.length <= 1, String(stage.gateway.requests.length));
  });

  it("goes on at once when a person looks for one and somebody answers", async () => {
    const back = await offline();
    const [txId = fakeTxId(0)] = stage.tracker.list().map((it) => it.txId);
    await stage.clock.advance(31_000);
    back();

    await stage.tracker.lookNow(txId);
    await stage.clock.advance(10);

    assert.equal(stage.tracker.trouble("test"), undefined);
  });

  it("goes on at once when another window got an answer", async () => {
    const back = await offline();
    const [txId = fakeTxId(0)] = stage.tracker.list().map((it) => it.txId);
    await stage.clock.advance(31_000);
    back();

    await stage.tracker.note({ kind: "seen-in-pool", txId, at: stage.clock.now() });
    await stage.clock.advance(10);

    assert.equal(stage.tracker.trouble("test"), undefined);
  });

  it("does not try at once because of a new transaction that nobody answered to", async () => {
    await offline();
    await stage.clock.advance(31_000);
    stage.gateway.requests.length = 0;

    await stage.tracker.adopt(fakeTxId(77), { network: "test" });
    await stage.clock.advance(2_000);

    assert.ok(stage.gateway.requests.length <= 1, stage.gateway.requests.join());
  });

  it("spares a gateway that asked for a pause, whatever happens meanwhile", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    const limited = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "x", retryAfterMs: 90_000 });
    stage.gateway.fail("headTransactionInfo", limited);
    await stage.clock.advance(2_000);
    assert.equal(stage.tracker.trouble("test")?.waits, "as-asked");
    const { length } = stage.gateway.requests;

    stage.connections = "wlan0 198.51.100.7";
    await stage.tracker.note({ kind: "seen-in-pool", txId, at: stage.clock.now() });
    await stage.clock.advance(80_000);

    assert.equal(stage.gateway.requests.length, length);
  });

  it("T4: ends a pause when the network has another URL, and not while its profile is the same", async () => {
    stage = await trackingFixture();
    const day = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "x", retryAfterMs: 86_400_000 });
    stage.gateway.fail("headTransactionInfo", day);
    await stage.send(1);
    await stage.clock.advance(2_000);
    const { length } = stage.gateway.requests;

    stage.tracker.reconsider();
    await stage.clock.advance(60_000);
    assert.equal(stage.gateway.requests.length, length);

    stage.profile = "http://other.test";
    stage.tracker.reconsider();
    await stage.clock.advance(100);
    assert.ok(stage.gateway.requests.length > length);
    assert.equal(stage.tracker.trouble("test"), undefined);
  });

  it("T4: ends a pause when the gateway that asked for it answers a query of the user", async () => {
    stage = await trackingFixture();
    const day = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "x", retryAfterMs: 86_400_000 });
    stage.gateway.fail("headTransactionInfo", day, day);
    const [txId = fakeTxId(0)] = await stage.send(1);
    await stage.clock.advance(2_000);

    await assert.rejects(stage.tracker.lookNow(txId), { code: "GATEWAY_RATE_LIMITED" });
    await stage.clock.advance(60_000);
    assert.equal(stage.tracker.trouble("test")?.waits, "as-asked");
    await stage.tracker.lookNow(txId);
    const { length } = stage.gateway.requests;
    await stage.clock.advance(100);

    assert.ok(stage.gateway.requests.length > length);
    assert.equal(stage.tracker.trouble("test"), undefined);
  });

  it("asks nobody and sets no timer when nothing is open, offline or not", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    await stage.block(txId);
    await stage.blocks(LAG + 4);
    assert.equal(stage.state(txId), "solidified");
    goOffline(stage);
    stage.gateway.requests.length = 0;

    await stage.clock.advance(60 * 60_000);

    assert.deepEqual([stage.gateway.requests, stage.clock.sleeping], [[], 0]);
  });
});

describe("waiting for payments while this computer is offline", () => {
  let shop: IncomingFixture;
  afterEach(() => shop.stop());

  it("goes on within seconds when the computer is connected otherwise than before, and misses nothing", async () => {
    shop = await new IncomingFixture().start();
    const watch = shop.watch(party(7));
    await shop.clock.advance(SLOT);
    const back = goOffline(shop);
    await shop.clock.advance(LONG_OFFLINE_MS);
    assert.notEqual(shop.trouble, undefined);
    shop.gateway.mine([coins(party(7), 5n)]);
    shop.gateway.mineEmpty(LAG);
    shop.gateway.solidify();
    await shop.clock.advance(31_000);
    back();
    shop.connections = "wlan0 198.51.100.7";

    await shop.clock.advance(NOTICED_MS);

    assert.equal(shop.trouble, undefined);
    const standing = shop.ledger.get(watch.id);
    assert.ok(standing);
    assert.equal(shop.ledger.paymentsOf(standing).length, 1);
  });

  it("tries from 3 s on again when a new connection does not answer at first", async () => {
    shop = await new IncomingFixture().start();
    shop.watch(party(7));
    await shop.clock.advance(SLOT);
    goOffline(shop);
    await shop.clock.advance(LONG_OFFLINE_MS);
    shop.gateway.requests.length = 0;
    shop.connections = "wlan0 198.51.100.7";

    await shop.clock.advance(NOTICED_MS + 3_000 + 6_000);

    assert.ok(shop.gateway.requests.length >= 3, String(shop.gateway.requests.length));
  });

  it("T2 T4: a pause that the gateway asked for outlives a corrected clock, and ends with another URL", async () => {
    shop = await new IncomingFixture().start();
    shop.watch(party(7));
    const day = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "x", retryAfterMs: 86_400_000 });
    shop.gateway.fail("solidBlock", day);
    await shop.clock.advance(SLOT);
    const { length } = shop.gateway.requests;

    shop.clock.putBack(10 * 60_000);
    await shop.clock.advance(60 * 60_000);
    assert.equal(shop.gateway.requests.length, length);

    shop.profile = "http://other.test";
    shop.tracker.reconsider();
    await shop.clock.advance(100);
    assert.ok(shop.gateway.requests.length > length);
  });

  it("pauses while the computer has no connection at all", async () => {
    shop = await new IncomingFixture().start();
    shop.watch(party(7));
    await shop.clock.advance(SLOT);
    goOffline(shop);
    shop.connections = "";
    await shop.clock.advance(LONG_OFFLINE_MS);
    shop.gateway.requests.length = 0;

    await shop.clock.advance(20 * 60_000);

    assert.ok(shop.gateway.requests.length <= 4, String(shop.gateway.requests.length));
  });
});

describe("a round that waits for the editor", () => {
  it("gives up the lead when the further URLs of a network do not come, as when its gateway does not", async () => {
    const stage = await trackingFixture();
    const { clock, gateway, journal } = stage;
    await stage.send(1);
    await stage.stop();
    const sourcesFor = (): Promise<never> => new Promise(() => undefined);
    const tracker = new TransactionTracker({ store: journal, clock, gatewayFor: async () => gateway, sourcesFor });
    await tracker.load();
    gateway.dropPending();
    gateway.mineEmpty(60);
    gateway.solidify();

    const watching = tracker.start(new AbortController().signal);

    const ended = assert.rejects(watching, { code: "EDITOR_SILENT" });
    await clock.advance(5 * 60_000);
    await ended;
  });
});
