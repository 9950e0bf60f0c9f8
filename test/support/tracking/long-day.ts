import { decodeLine, encodeEntry } from "../../../src/core/journal/journal-codec.ts";
import type { JournalStore, LoadedJournal } from "../../../src/core/journal/journal-store.ts";
import type { JournalEntry } from "../../../src/core/life/journal-entry.ts";
import { hexToBytes, type TxId, transactionId } from "../../../src/core/primitives/bytes.ts";
import { TransactionTracker } from "../../../src/core/watch/transaction-tracker.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { FakeGateway } from "../fakes/fake-gateway.ts";
import { rawDataFor } from "../random/random-chains.ts";
import { ACCEPTED, answeredEntry, signedEntry, startedEntry } from "./journal-entries.ts";
import { usedHeap } from "./tracking-idle.ts";

const SLOT_MS = 3_000;
const HOUR_SLOTS = 1_200;
const LAG = 4;
/** So many blocks back nobody asks for anything any more. */
const KEPT_BLOCKS = 400;
/** Of those that are sent, so many of each ten are in no block, and have to be proven absent. */
const LOST_OF_TEN = 1;

/** What a day left behind. */
export interface LongDay {
  /** In use after a collection of garbage, at the end of each hour; bytes. */
  readonly heapAt: readonly number[];
  readonly states: { readonly [kind: string]: number };
  /** Sleeps that had not ended when the watching had. */
  readonly sleepers: number;
  readonly requests: number;
}

/** The real lines, on a disk that is not in memory. */
class LinesOnDisk implements JournalStore {
  async load(): Promise<LoadedJournal> {
    return { entries: [], warnings: [] };
  }

  async append(entries: readonly JournalEntry[]): Promise<void> {
    for (const [sequence, entry] of entries.entries()) decodeLine(encodeEntry(entry, { writer: "day", sequence }));
  }
}

/**
 * Lets so many hours pass by a fake clock, with a block every 3 s, and sends so many transactions within the first ones:
 * most of them become final, some are lost and proven absent. A few of somebody else are watched all the time.
 *
 * @param within - hours in which all of them are sent
 */
export async function liveThrough(hours: number, count: number, within: number): Promise<LongDay> {
  const [clock, gateway] = [new FakeClock(), new FakeGateway()];
  gateway.mineEmpty(20);
  gateway.solidify(20 - LAG);
  const tracker = new TransactionTracker({
    store: new LinesOnDisk(),
    clock,
    gatewayFor: async () => gateway,
    connections: () => "eth0",
  });
  const stop = new AbortController();
  const watching = tracker.start(stop.signal);
  const heapAt: number[] = [];
  let [sent, requests] = [0, 0];
  const every = Math.floor((within * HOUR_SLOTS) / count);
  for (let slot = 1; slot <= hours * HOUR_SLOTS; slot++) {
    const isDue = slot % every === 0 && sent < count;
    const pending = gateway.pending;
    if (isDue) await send(tracker, gateway, clock, ++sent);
    await clock.advance(SLOT_MS);
    gateway.mine(pending);
    gateway.solidify(gateway.head.number - LAG);
    gateway.forget(gateway.head.number - KEPT_BLOCKS);
    requests += gateway.requests.length;
    gateway.requests.length = 0;
    if (slot % HOUR_SLOTS === 0) heapAt.push(usedHeap());
  }
  stop.abort();
  await watching;
  tracker.dispose();
  const states = Object.fromEntries(
    [...Map.groupBy(tracker.list(), ({ state }) => state.kind)].map(([kind, all]) => [kind, all.length]),
  );
  return { heapAt, states, sleepers: clock.sleeping, requests };
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
