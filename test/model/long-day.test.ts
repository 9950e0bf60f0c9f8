import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TransactionTracker } from "../../packages/client/src/tracking/transaction-tracker.ts";
import type { JournalEntry } from "../../packages/client/src/transaction-state/journal-entry.ts";
import { JournalFile } from "../../packages/node/src/journal/journal-file.ts";
import { hexToBytes, type TxId, transactionId } from "../../packages/tron/src/primitives/bytes.ts";
import { Notifier } from "../../src/features/tracking/notifier.ts";
import { leadAlone } from "../../src/host/windows/tracking-leader.ts";
import { FakeClock, settled } from "../support/fakes/fake-clock.ts";
import { FakeGateway } from "../support/fakes/fake-gateway.ts";
import { howOften } from "../support/random/how-often.ts";
import { rawDataFor } from "../support/random/random-chains.ts";
import { ACCEPTED, answeredEntry, signedEntry, startedEntry } from "../support/tracking/journal-entries.ts";
import { usedHeap } from "../support/tracking/tracking-load.ts";

const SLOT_MS = 3_000;
const HOUR_SLOTS = 1_200;
const LAG = 4;
/** Number of recent blocks that are still requested. */
const KEPT_BLOCKS = 400;
/** Number of each ten sent transactions that no block contains. */
const LOST_OF_TEN = 1;
/** Event loop turns in which the leader reads the disk between two proofs that it leads. */
const DISK_TURNS = 20;
/** Foreign transactions that are watched all day and never appear. */
const NEVER = ["a", "b", "c"].map((digit) => digit.repeat(64) as TxId);
/** A transaction that stays in the pool until LATE_HOUR. */
const LATE = "d".repeat(64) as TxId;
const LATE_HOUR = 3;

/** Results of a day. */
interface LongDay {
  /** Used memory after a garbage collection at the end of each hour; bytes. */
  readonly heapAt: readonly number[];
  /** Number of requests in each hour. */
  readonly requestsAt: readonly number[];
  readonly states: { readonly [kind: string]: number };
  /** Number of timers that are left at the end. */
  readonly timers: number;
  /** Notifications. */
  readonly messages: readonly string[];
  /** Connection issues at the end. */
  readonly connectionIssues: readonly string[];
}

/** The journal of the product, which can wait for its writes. */
class BusyJournal extends JournalFile {
  #writing = 0;

  override async append(entries: readonly JournalEntry[]): Promise<void> {
    this.#writing++;
    await super.append(entries).finally(() => this.#writing--);
  }

  async written(): Promise<void> {
    while (this.#writing > 0) await settled();
  }
}

/**
 * Tracks transactions in a window with a journal on the disk, on a fake clock with a block every 3 s. Most of them
 * become final, some are lost and proven absent; a few foreign ones never appear.
 *
 * @param folder - folder of the journal
 * @param within - hours in which all transactions are sent
 */
async function simulateDay(folder: string, hours: number, count: number, within: number): Promise<LongDay> {
  const [clock, gateway, store] = [new FakeClock(), new FakeGateway(), new BusyJournal(folder)];
  gateway.mineEmpty(20);
  gateway.solidify(20 - LAG);
  const tracker = new TransactionTracker({
    store,
    clock,
    gatewayFor: async () => gateway,
    connections: () => "eth0",
  });
  const messages: string[] = [];
  const notifier = notifierOf(tracker, messages);
  tracker.onDidChange((txIds) => void notifier.announce(txIds.flatMap((txId) => tracker.get(txId) ?? [])));
  await tracker.load();
  const stop = new AbortController();
  const lead = (signal: AbortSignal) => tracker.start(signal);
  const report = (message: string, error: unknown): void => void messages.push(`${message} ${String(error)}`);
  let proofs = 0;
  const proof = async (): Promise<void> => void proofs++;
  const watching = leadAlone({ folder, lead, proof, clock, report }, stop.signal);
  gateway.addPending({ txId: LATE });
  for (const txId of [...NEVER, LATE]) await tracker.adopt(txId, { network: "Shop" });
  const [heapAt, requestsAt]: [number[], number[]] = [[], []];
  let [sent, requests] = [0, 0];
  const every = Math.floor((within * HOUR_SLOTS) / count);
  for (let slot = 1; slot <= hours * HOUR_SLOTS; slot++) {
    const pending = gateway.pending.filter((it) => it !== LATE || slot >= LATE_HOUR * HOUR_SLOTS);
    if (slot % every === 0 && sent < count) await send(tracker, gateway, clock, ++sent);
    await clock.advance(SLOT_MS);
    await store.written();
    for (let turn = 0; proofs < slot && turn < DISK_TURNS; turn++) await settled();
    gateway.mine(pending);
    gateway.solidify(gateway.head.number - LAG);
    gateway.forget(gateway.head.number - KEPT_BLOCKS);
    requests += gateway.requests.length;
    gateway.requests.length = 0;
    if (slot % HOUR_SLOTS > 0) continue;
    heapAt.push(usedHeap());
    requestsAt.push(requests);
    requests = 0;
  }
  const connectionIssues = tracker.issues().map(({ message: sentence }) => sentence);
  stop.abort();
  await watching;
  tracker.dispose();
  await store.close();
  const states = Object.fromEntries(
    [...Map.groupBy(tracker.list(), ({ state }) => state.kind)].map(([kind, all]) => [kind, all.length]),
  );
  return { heapAt, requestsAt, states, timers: clock.sleeping, messages, connectionIssues };
}

function notifierOf(tracker: TransactionTracker, messages: string[]): Notifier {
  const context = { nameOf: () => undefined, reasonOf: () => undefined, sessionStart: 0 };
  const services = {
    get: (txId: TxId) => tracker.get(txId),
    look: () => Promise.resolve(),
    reasonOn: () => Promise.resolve(),
    isShownHere: () => Promise.resolve(true),
    pause: () => Promise.resolve(true),
    show: async ({ message }: { readonly message: string }) => void messages.push(message),
  };
  return new Notifier(context, services, () => undefined);
}

async function send(
  tracker: TransactionTracker,
  gateway: FakeGateway,
  clock: FakeClock,
  number: number,
): Promise<TxId> {
  const expiration = gateway.head.timestamp + 60_000;
  const rawDataHex = rawDataFor(gateway.solid.id, expiration, number);
  const txId = transactionId(hexToBytes(rawDataHex));
  const at = clock.now();
  if (number % 10 >= LOST_OF_TEN) gateway.addPending({ txId });
  await tracker.record(
    signedEntry(number, { txId, rawDataHex, at, solidHeight: gateway.solid.number, expiration }),
    startedEntry(txId, 1, at),
    answeredEntry(txId, ACCEPTED, { at }),
  );
  return txId;
}

const HOURS = howOften(5, 24);
const COUNT = 500;
/** Hour by which all transactions are sent. */
const SENT_BY_HOUR = 2;
/** Hours and number of transactions of a day with constant sending. */
const BUSY_HOURS = howOften(5, 14);
const BUSY_COUNT = howOften(150, 300);
/** Hour from which on as many transactions are settled as are sent. */
const SETTLED_BY_HOUR = howOften(3, 7);
const MOST_GROWTH = 0.05;

describe(`transaction tracking over ${HOURS} simulated hours`, function () {
  this.timeout(600_000);
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "finality-long-day-"));
  });

  afterEach(() => rm(folder, { recursive: true }));

  /**
   * Returns the growth of memory from an hour to the end of the day, and checks that the window polled in each hour.
   */
  function growthOf(
    { heapAt, requestsAt, timers, messages, connectionIssues }: LongDay,
    from: number,
    hours: number,
  ): number {
    const [first = 0, last = 0] = [heapAt[from - 1], heapAt.at(-1)];
    const growth = last / first - 1;
    const [before, after] = [first, last].map((it) => (it / 1_000_000).toFixed(2));
    process.stdout.write(
      `      ${before} MB after hour ${from}, ${after} MB after hour ${hours} (${(growth * 100).toFixed(2)} %), ` +
        `${Math.min(...requestsAt)} to ${Math.max(...requestsAt)} requests an hour\n`,
    );
    assert.equal(requestsAt.length, hours);
    assert.ok(Math.min(...requestsAt) > 0, `hours without a request: ${requestsAt.join()}`);
    assert.deepEqual({ timers, messages, connectionIssues }, { timers: 0, messages: [], connectionIssues: [] });
    return growth;
  }

  it(`keeps memory within 5 % from hour ${SENT_BY_HOUR} to hour ${HOURS} with ${COUNT} transactions, polls in each hour and leaves no timer`, async () => {
    const day = await simulateDay(folder, HOURS, COUNT, SENT_BY_HOUR);

    const growth = growthOf(day, SENT_BY_HOUR, HOURS);
    assert.deepEqual(day.states, { solidified: 451, "proven-absent": 50, unknown: 3 });
    assert.ok(growth <= MOST_GROWTH, `grew by ${(growth * 100).toFixed(1)} %`);
  });

  it("uses at most 7 kB of memory for each listed transaction when transactions are sent all day", async () => {
    const day = await simulateDay(folder, BUSY_HOURS, BUSY_COUNT, BUSY_HOURS);

    growthOf(day, SETTLED_BY_HOUR, BUSY_HOURS);
    const [first = 0, last = 0] = [day.heapAt[SETTLED_BY_HOUR - 1], day.heapAt.at(-1)];
    const each = (last - first) / (BUSY_COUNT * ((BUSY_HOURS - SETTLED_BY_HOUR) / BUSY_HOURS));
    process.stdout.write(`      ${(each / 1_000).toFixed(1)} kB each\n`);
    assert.ok(each <= 7_000, `${Math.round(each)} bytes each`);
  });
});
