import assert from "node:assert/strict";
import { FakeClock } from "../../../../test/support/fakes/fake-clock.ts";
import { FakeGateway, fakeTxId } from "../../../../test/support/fakes/fake-gateway.ts";
import { coins, IncomingFixture, party } from "../../../../test/support/incoming/incoming-fixture.ts";
import {
  ACCEPTED,
  answeredEntry,
  fakeBytes,
  rejected,
  signedEntry,
  startedEntry,
  TIMED_OUT,
} from "../../../../test/support/tracking/journal-entries.ts";
import { MemoryJournal } from "../../../../test/support/tracking/memory-journal.ts";
import {
  goOffline,
  LAG,
  SLOT,
  TrackingFixture,
  trackingFixture,
} from "../../../../test/support/tracking/tracking-fixture.ts";
import { ChainError } from "../../../tron/src/errors/chain-error.ts";
import type { TxId } from "../../../tron/src/primitives/bytes.ts";
import { TransactionTracker } from "../../src/tracking/transaction-tracker.ts";

const HOUR = 60 * 60 * 1_000;
const NEVER_EXPIRES = Date.UTC(2030, 0);
const numbers = Array.from({ length: 30 }, (_, index) => index + 1);

/** Returns the times of requests while the clock advances without a block, in ms since the start. */
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

/** Queries in two minutes: for the transaction or for blocks, and for the solidified time of a proof. */
const TWICE_A_HALF_MINUTE = 8;

function lastTwoMinutes(times: readonly number[]): number {
  return times.filter((it) => it > 3 * 60_000).length;
}

describe("network poller without new blocks", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("slows down to one query for a transaction every 30 s", async () => {
    const { txId } = fakeBytes(1);
    stage = await new TrackingFixture([signedEntry(1, { expiration: NEVER_EXPIRES }), startedEntry(txId)]).start();

    const times = await requestTimes(stage, 5 * 60_000);

    assert.ok(times.filter((it) => it <= 10_000).length >= 3, String(times));
    assert.ok(lastTwoMinutes(times) <= TWICE_A_HALF_MINUTE, String(times));
  });

  it("slows down to one query for blocks every 30 s, and speeds up when blocks arrive", async () => {
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

  it("slows down to one query for finality every 30 s", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    await stage.block(txId);
    await stage.block();
    assert.equal(stage.state(txId), "included");

    const between = gaps(await requestTimes(stage, 10 * 60_000));

    assert.deepEqual(between.slice(-2), [30_000, 30_000]);
  });

  it("sends no request and sets no timer when nothing is pending", async () => {
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

describe("network poller after sleep or a clock change", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("makes one round after hours of sleep", async () => {
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

  it("queries each transaction when more blocks passed than their reads are worth", async () => {
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
    // The block of the first transactions contains the others too.
    assert.ok(stage.requests("solidTransactionInfo") <= 5, String(stage.requests("solidTransactionInfo")));
    assert.ok(stage.gateway.requests.length <= numbers.length, String(stage.gateway.requests.length));
  });

  for (const count of [1, 30]) {
    it(`continues with ${count} transactions when the clock is set back by an hour`, async () => {
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

  it("proves absence when the clock is set back by an hour", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    await stage.blocks(2);

    stage.clock.jump(-HOUR);
    await stage.blocks(60);

    assert.equal(stage.state(txId), "proven-absent");
  });

  it("limits the pause after a failure when the clock is set back", async () => {
    stage = await trackingFixture();
    await stage.send(1);
    const back = goOffline(stage);
    await stage.clock.advance(2_000);
    stage.clock.jump(-HOUR);

    await stage.clock.advance(35_000);
    back();
    await stage.clock.advance(35_000);

    assert.equal(stage.tracker.issueOf("test"), undefined);
  });
});

describe("network poller without an answer", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("retries after 3 s to 30 s, and continues after the first answer", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    const back = goOffline(stage);

    const between = gaps(await requestTimes(stage, 5 * 60_000));
    assert.deepEqual(between.slice(0, 4), [3_000, 6_000, 12_000, 24_000]);
    assert.ok(Math.max(...between) <= 30_000);
    back();
    await stage.clock.advance(30_000);

    assert.equal(stage.tracker.issueOf("test"), undefined);
    await stage.block(txId);
    await stage.blocks(LAG + 12);
    assert.equal(stage.state(txId), "solidified");
  });

  it("reports a refused key as an issue of the network, not of its transaction", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    goOffline(stage, new ChainError("GATEWAY_UNAUTHORIZED", { endpoint: "x", status: 401, header: "key" }));

    const between = gaps(await requestTimes(stage, 60_000));

    const issue = stage.tracker.issueOf("test");
    assert.deepEqual([issue?.code, issue?.txIds], ["GATEWAY_UNAUTHORIZED", undefined]);
    assert.deepEqual(between.slice(0, 3), [3_000, 6_000, 12_000]);
    assert.equal(stage.state(txId), "pending");
  });

  it("keeps the states and reports one issue during an outage", async () => {
    stage = await trackingFixture();
    await stage.send(...numbers);
    stage.states.length = 0;
    goOffline(stage);

    await stage.clock.advance(HOUR);

    assert.deepEqual(stage.states, []);
    assert.deepEqual(stage.log, []);
    assert.equal(stage.tracker.issues().length, 1);
  });

  it("S104 pauses for the requested time after 429", async () => {
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
    assert.equal(stage.tracker.issueOf("test"), undefined);
  });

  it("S104 doubles the pause up to 30 s after 429 without Retry-After", async () => {
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

describe("network poller strategy", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("queries few transactions one by one and reads blocks for many, and logs the change", async () => {
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

  it("returns to single queries when a few old transactions are left", async () => {
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

  it("logs nothing while the strategy is the same", async () => {
    stage = await trackingFixture();
    await stage.send(...numbers);
    await stage.blocks(2);
    const { length } = stage.notes;
    await stage.blocks(15);

    assert.equal(stage.notes.length, length);
  });
});

const BLOCKS = 15;
const COUNT = 200;

describe("network poller with many foreign transactions", () => {
  /** Tracks transactions of existing blocks until all are final. Returns the numbers of requests. */
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

  it("P6: sends requests by block for 200 transactions in 15 blocks", async () => {
    const { reads, looks, all } = await follow(COUNT, BLOCKS);

    process.stdout.write(`      ${reads} block reads, ${looks} look-ups, ${all} requests in all\n`);
    assert.ok(reads <= BLOCKS, `${reads} block reads`);
    assert.ok(looks <= 2 * BLOCKS, `${looks} look-ups`);
  });

  it("P6: reads each receipt and each block of contract calls once", async () => {
    const { reads, looks } = await follow(COUNT, BLOCKS, "TriggerSmartContract");

    assert.ok(reads <= BLOCKS, `${reads} block reads`);
    assert.ok(looks <= COUNT + 2 * BLOCKS, `${looks} look-ups`);
  });

  it("P6: reads one block for a few transactions", async () => {
    const { reads } = await follow(3, 1);

    assert.ok(reads <= 1, `${reads} block reads`);
  });
});

const endpoint = "http://fake.test";

/** Failures of one answer only. */
const OF_ONE_ANSWER: readonly ChainError[] = [
  new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 500, body: "" }),
  new ChainError("GATEWAY_ANSWER_MALFORMED", { endpoint, reason: "it is larger than 16 MiB", body: "" }),
  new ChainError("GATEWAY_UNAUTHORIZED", { endpoint, status: 403, header: "key" }),
  new ChainError("NODE_REFUSED", { endpoint, code: "Error", message: "", body: "" }),
  new ChainError("GATEWAY_UNREACHABLE", { endpoint, attempts: 1, reason: "no answer within 10 s", how: "timeout" }),
];

type Reads = "headTransactionInfo" | "headTransaction" | "solidTransactionInfo" | "solidTransaction";

/** Lets every query for one transaction fail with this error. */
function poison({ gateway }: TrackingFixture, txId: TxId, error: unknown): void {
  for (const read of ["headTransactionInfo", "headTransaction", "solidTransactionInfo", "solidTransaction"] as const) {
    const own = gateway[read].bind(gateway) as (id: TxId, signal?: AbortSignal) => Promise<never>;
    const failing = async (id: TxId, signal?: AbortSignal): Promise<never> => {
      if (id !== txId) return await own(id, signal);
      gateway.requests.push(`${read} ${id}`);
      throw error;
    };
    Object.assign(gateway, { [read]: failing } satisfies Partial<Record<Reads, unknown>>);
  }
}

const requestsFor = ({ gateway }: TrackingFixture, txId: TxId): number =>
  gateway.requests.filter((it) => it.includes(txId)).length;

describe("network poller after a failure that concerns one transaction", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  it("T5: tracks the other transactions one by one, reports the failure and limits the retries", async () => {
    for (const error of OF_ONE_ANSWER) {
      stage = await trackingFixture();
      const [first = fakeTxId(0), second = fakeTxId(0)] = await stage.send(1, 2);
      poison(stage, first, error);
      const startedAt = stage.clock.now();

      await stage.block(second);
      await stage.blocks(LAG + 8);

      assert.deepEqual([stage.state(first), stage.state(second)], ["pending", "solidified"], error.code);
      const issue = stage.tracker.issueOf("test") ?? assert.fail(error.code);
      assert.deepEqual([issue.code, issue.txIds], [error.code, [first]]);
      assert.ok(issue.since > startedAt && issue.since <= startedAt + SLOT, `since ${issue.since - startedAt} ms`);
      stage.gateway.requests.length = 0;
      await stage.clock.advance(HOUR);
      assert.ok(requestsFor(stage, first) >= 30, `${error.code}: ${requestsFor(stage, first)}`);
      assert.ok(requestsFor(stage, first) <= 130, `${error.code}: ${requestsFor(stage, first)}`);
      await stage.stop();
    }
  });

  it("T5: ends the issue with the first answer about the transaction", async () => {
    stage = await trackingFixture();
    const [first = fakeTxId(0), second = fakeTxId(0)] = await stage.send(1, 2);
    const error = new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 500, body: "" });
    stage.gateway.fail("headTransactionInfo", error, error);
    await stage.clock.advance(1_500);
    assert.deepEqual(stage.tracker.issueOf("test")?.txIds?.length, 2);

    await stage.block(first, second);
    await stage.blocks(LAG + 8);
    assert.deepEqual([stage.state(first), stage.state(second)], ["solidified", "solidified"]);
    assert.equal(stage.tracker.issueOf("test"), undefined);
  });

  it("T5: finds the other transactions in blocks", async () => {
    for (const error of OF_ONE_ANSWER) {
      stage = await trackingFixture();
      const ids = await stage.send(...Array.from({ length: 40 }, (_, index) => index + 1));
      const [first = fakeTxId(0)] = ids;
      const receipt = { contractType: "TriggerSmartContract", info: { receiptResult: "SUCCESS" } };
      poison(stage, first, error);

      await stage.block(...ids.slice(0, 20).map((txId) => ({ txId, ...receipt })));
      await stage.block(...ids.slice(20).map((txId) => ({ txId, ...receipt })));
      await stage.blocks(LAG + 8);

      const open = ids.filter((it) => stage.state(it) !== "solidified");
      assert.deepEqual(open, [first], error.code);
      assert.deepEqual(stage.tracker.issueOf("test")?.txIds, [first], error.code);
      await stage.stop();
    }
  });

  it("T5: tracks other transactions while the scan for a proof fails", async () => {
    const error = new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 500, body: "" });
    stage = await trackingFixture();
    const [lost = fakeTxId(0)] = await stage.record(TIMED_OUT, 1);
    const own = stage.gateway.solidBlocks.bind(stage.gateway);
    stage.gateway.solidBlocks = async (start, end, signal) => {
      if (end - start === 1) return await own(start, end, signal);
      stage.gateway.requests.push(`solidBlocks ${start} ${end}`);
      throw error;
    };
    await stage.blocks(40);
    stage.gateway.requests.length = 0;
    const [txId = fakeTxId(0)] = await stage.send(2);

    await stage.block(txId);
    await stage.blocks(LAG + 4);

    assert.deepEqual([stage.state(lost), stage.state(txId)], ["unknown", "solidified"]);
    assert.equal(stage.tracker.issueOf("test")?.code, "GATEWAY_HTTP_STATUS");
    stage.gateway.requests.length = 0;
    await stage.blocks(200);
    const scans = stage.gateway.requests.filter((it) => it.startsWith("solidBlocks")).length;
    assert.ok(scans >= 5 && scans <= 30, `${scans} scans in ten minutes`);
  });

  it("T5: continues to search for rejected transactions and to prove absence", async () => {
    const error = new ChainError("GATEWAY_HTTP_STATUS", { endpoint, status: 500, body: "" });
    stage = await trackingFixture();
    const [poisoned = fakeTxId(0)] = await stage.record(TIMED_OUT, 1);
    const [refused = fakeTxId(0), poisonedToo = fakeTxId(0)] = await stage.record(rejected("SIGERROR"), 2, 3);
    const [lost = fakeTxId(0)] = await stage.record(TIMED_OUT, 4);
    poison(stage, poisoned, error);
    poison(stage, poisonedToo, error);

    await stage.blocks(60);

    assert.equal(stage.state(poisoned), "proven-absent");
    assert.equal(stage.state(lost), "proven-absent");
    assert.notEqual(stage.tracker.get(refused)?.notFoundAt, undefined);
    assert.equal(stage.tracker.get(poisonedToo)?.notFoundAt, undefined);
    assert.deepEqual(stage.tracker.issueOf("test")?.txIds, [poisonedToo]);
  });
});

/** Time after which the pause is the longest one. */
const LONG_OFFLINE_MS = 5 * 60_000;
/** Time within which a new connection is noticed. */
const NOTICED_MS = 3_500;

describe("network poller offline", () => {
  let stage: TrackingFixture;
  afterEach(() => stage.stop());

  /** Starts with one pending transaction and a gateway that does not answer. */
  async function offline(): Promise<() => void> {
    stage = await trackingFixture();
    await stage.send(1);
    const back = goOffline(stage);
    await stage.clock.advance(LONG_OFFLINE_MS);
    stage.gateway.requests.length = 0;
    return back;
  }

  it("makes a round every 30 s and reports that it waits for an answer", async () => {
    await offline();

    await stage.clock.advance(10 * 60_000);

    const rounds = stage.gateway.requests.length;
    assert.ok(rounds >= 19 && rounds <= 21, `${rounds} rounds in ten minutes`);
    assert.equal(stage.tracker.issueOf("test")?.waitsFor, "for-an-answer");
  });

  it("pauses without a network connection, reports it, and continues within seconds of a connection", async () => {
    const back = await offline();
    stage.connections = "";
    await stage.clock.advance(NOTICED_MS + 1_000);
    stage.gateway.requests.length = 0;

    await stage.clock.advance(20 * 60_000);
    const rounds = stage.gateway.requests.length;
    assert.ok(rounds <= 4, `${rounds} rounds in twenty minutes`);
    assert.equal(stage.tracker.issueOf("test")?.waitsFor, "for-a-connection");

    back();
    stage.connections = "wlan0 198.51.100.7";
    await stage.clock.advance(NOTICED_MS);
    assert.equal(stage.tracker.issueOf("test"), undefined);
  });

  it("queries a gateway on this computer without a network connection", async () => {
    stage = await trackingFixture();
    Object.assign(stage.gateway, { endpoint: "http://127.0.0.1:9090" });
    await stage.send(1);
    stage.connections = "";
    goOffline(stage);
    await stage.clock.advance(LONG_OFFLINE_MS);
    stage.gateway.requests.length = 0;

    await stage.clock.advance(10 * 60_000);

    assert.ok(stage.gateway.requests.length >= 19, String(stage.gateway.requests.length));
    assert.equal(stage.tracker.issueOf("test")?.waitsFor, "for-an-answer");
  });

  it("rejects a query of the user and keeps the poll interval", async () => {
    await offline();
    const [txId = fakeTxId(0)] = stage.tracker.list().map((it) => it.txId);

    await assert.rejects(stage.tracker.refresh(txId), { code: "GATEWAY_UNREACHABLE" });
    stage.gateway.requests.length = 0;
    await stage.clock.advance(10 * 60_000);

    const rounds = stage.gateway.requests.length;
    assert.ok(rounds >= 19 && rounds <= 21, `${rounds} rounds in ten minutes`);
  });

  it("reports no issue after another window takes the lead", async () => {
    await offline();
    assert.notEqual(stage.tracker.issueOf("test"), undefined);

    await stage.stop();

    assert.deepEqual(stage.tracker.issues(), []);
  });

  it("queries within seconds when the network connection changes", async () => {
    const back = await offline();
    await stage.clock.advance(31_000);
    back();
    stage.connections = "wlan0 198.51.100.7";

    await stage.clock.advance(NOTICED_MS);

    assert.equal(stage.tracker.issueOf("test"), undefined);
  });

  it("retries after 3 s when a new connection does not answer at first", async () => {
    await offline();
    stage.connections = "wlan0 198.51.100.7";

    await stage.clock.advance(NOTICED_MS + 3_000 + 6_000);

    assert.ok(stage.gateway.requests.length >= 3, String(stage.gateway.requests.length));
  });

  it("sends no request to check the network connection", async () => {
    await offline();

    await stage.clock.advance(29_000);

    assert.ok(stage.gateway.requests.length <= 1, String(stage.gateway.requests.length));
  });

  it("continues at once when a query of the user or another window gets an answer", async () => {
    for (const answer of [
      (txId: TxId) => stage.tracker.refresh(txId),
      (txId: TxId) => stage.tracker.note({ kind: "seen-in-pool", txId, at: stage.clock.now() }),
    ]) {
      const back = await offline();
      const [txId = fakeTxId(0)] = stage.tracker.list().map((it) => it.txId);
      await stage.clock.advance(31_000);
      back();

      await answer(txId);
      await stage.clock.advance(10);

      assert.equal(stage.tracker.issueOf("test"), undefined);
      await stage.stop();
    }
  });

  it("does not query at once when a new transaction is added", async () => {
    await offline();
    await stage.clock.advance(31_000);
    stage.gateway.requests.length = 0;

    await stage.tracker.adopt(fakeTxId(77), { network: "test" });
    await stage.clock.advance(2_000);

    assert.ok(stage.gateway.requests.length <= 1, stage.gateway.requests.join());
  });

  it("keeps a pause that the gateway requested when the connection or a state changes", async () => {
    stage = await trackingFixture();
    const [txId = fakeTxId(0)] = await stage.send(1);
    const limited = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "x", retryAfterMs: 90_000 });
    stage.gateway.fail("headTransactionInfo", limited);
    await stage.clock.advance(2_000);
    assert.equal(stage.tracker.issueOf("test")?.waitsFor, "as-asked");
    const { length } = stage.gateway.requests;

    stage.connections = "wlan0 198.51.100.7";
    await stage.tracker.note({ kind: "seen-in-pool", txId, at: stage.clock.now() });
    await stage.clock.advance(80_000);

    assert.equal(stage.gateway.requests.length, length);
  });

  it("T4: ends a requested pause when the URL of the network changes, and keeps it otherwise", async () => {
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
    assert.equal(stage.tracker.issueOf("test"), undefined);
  });

  it("T4: ends a requested pause when the gateway answers a query of the user", async () => {
    stage = await trackingFixture();
    const day = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "x", retryAfterMs: 86_400_000 });
    stage.gateway.fail("headTransactionInfo", day, day);
    const [txId = fakeTxId(0)] = await stage.send(1);
    await stage.clock.advance(2_000);

    await assert.rejects(stage.tracker.refresh(txId), { code: "GATEWAY_RATE_LIMITED" });
    await stage.clock.advance(60_000);
    assert.equal(stage.tracker.issueOf("test")?.waitsFor, "as-asked");
    await stage.tracker.refresh(txId);
    const { length } = stage.gateway.requests;
    await stage.clock.advance(100);

    assert.ok(stage.gateway.requests.length > length);
    assert.equal(stage.tracker.issueOf("test"), undefined);
  });
});

describe("polling for payments offline", () => {
  let shop: IncomingFixture;
  afterEach(() => shop.stop());

  it("continues within seconds when the network connection changes, and misses no payment", async () => {
    shop = await new IncomingFixture().start();
    const watch = shop.watch(party(7));
    await shop.clock.advance(SLOT);
    const back = goOffline(shop);
    await shop.clock.advance(LONG_OFFLINE_MS);
    assert.notEqual(shop.connectionIssue, undefined);
    shop.gateway.mine([coins(party(7), 5n)]);
    shop.gateway.mineEmpty(LAG);
    shop.gateway.solidify();
    await shop.clock.advance(31_000);
    back();
    shop.connections = "wlan0 198.51.100.7";

    await shop.clock.advance(NOTICED_MS);

    assert.equal(shop.connectionIssue, undefined);
    const status = shop.ledger.get(watch.id);
    assert.ok(status);
    assert.equal(shop.ledger.paymentsOf(status).length, 1);
  });

  it("retries after 3 s when a new connection does not answer at first", async () => {
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

  it("T2 T4: keeps a requested pause when the clock is set back, and ends it when the URL changes", async () => {
    shop = await new IncomingFixture().start();
    shop.watch(party(7));
    const day = new ChainError("GATEWAY_RATE_LIMITED", { endpoint: "x", retryAfterMs: 86_400_000 });
    shop.gateway.fail("solidBlock", day);
    await shop.clock.advance(SLOT);
    const { length } = shop.gateway.requests;

    shop.clock.jump(-10 * 60_000);
    await shop.clock.advance(60 * 60_000);
    assert.equal(shop.gateway.requests.length, length);

    shop.profile = "http://other.test";
    shop.tracker.reconsider();
    await shop.clock.advance(100);
    assert.ok(shop.gateway.requests.length > length);
  });

  it("pauses without a network connection", async () => {
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

describe("network poller of many transactions", () => {
  it("plans its next request once for the changes of 200 transactions within 100 ms, and reads the same blocks", async () => {
    const stage = await trackingFixture();
    const { clock } = stage;
    await stage.send(...Array.from({ length: 150 }, (_, index) => index + 1));
    await clock.advance(SLOT);
    const { sleep } = clock;
    let plans = 0;
    clock.sleep = (...args) => {
      plans++;
      return sleep(...args);
    };

    const sent = await stage.send(...Array.from({ length: 200 }, (_, index) => index + 200));
    assert.ok(plans <= 10, `${plans} plans`);
    stage.gateway.mine([...stage.gateway.pending]);
    stage.gateway.mineEmpty(LAG);
    stage.gateway.solidify();
    await clock.advance(10 * SLOT);

    assert.deepEqual(new Set(sent.map(stage.state)), new Set(["solidified"]));
    await stage.stop();
  });
});

describe("network poller without an answer of the editor", () => {
  it("ends with EDITOR_SILENT when the other URLs of a network are not provided", async () => {
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
