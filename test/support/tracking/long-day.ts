import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import type { JournalEntry } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { hexToBytes, type TxId, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { Notifier } from "../../../src/features/tracking/notifier.ts";
import { JournalFile } from "../../../src/host/journal/journal-file.ts";
import { leadAlone } from "../../../src/host/windows/tracking-leader.ts";
import { FakeClock, settled } from "../fakes/fake-clock.ts";
import { FakeGateway } from "../fakes/fake-gateway.ts";
import { rawDataFor } from "../random/random-chains.ts";
import { ACCEPTED, answeredEntry, signedEntry, startedEntry } from "./journal-entries.ts";
import { usedHeap } from "./tracking-idle.ts";

const SLOT_MS = 3_000;
const HOUR_SLOTS = 1_200;
const LAG = 4;
/** Number of recent blocks that are still requested. */
const KEPT_BLOCKS = 400;
/** Of those that are sent, so many of each ten are in no block, and have to be proven absent. */
const LOST_OF_TEN = 1;
/** The leader looks at the disk between two proofs that it leads. */
const TURNS_OF_THE_DISK = 20;
/** Foreign transactions that are watched all day and never appear. */
const NEVER = ["a", "b", "c"].map((digit) => digit.repeat(64) as TxId);
/** One that waits in the pool until this hour. */
const LATE = "d".repeat(64) as TxId;
const LATE_HOUR = 6;

/** Results of a day. */
export interface LongDay {
  /** In use after a collection of garbage, at the end of each hour; bytes. */
  readonly heapAt: readonly number[];
  /** Number of requests in each hour. */
  readonly requestsAt: readonly number[];
  readonly states: { readonly [kind: string]: number };
  /** Sleeps that had not ended when the watching had. */
  readonly sleepers: number;
  /** Notifications. */
  readonly said: readonly string[];
  /** Connection issues at the end. */
  readonly troubles: readonly string[];
}

/** The journal of the product, and whether all that it was given is on disk. */
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
 * Lets so many hours pass by a fake clock, with a block every 3 s, and sends so many transactions within the first ones:
 * most of them become final, some are lost and proven absent. A few of somebody else are watched all the time.
 *
 * A window does it as the product does: it leads, writes to a journal on the disk, and tells the person what must not
 * stay unseen.
 *
 * @param folder - where the journal lies
 * @param within - hours in which all of them are sent
 */
export async function liveThrough(folder: string, hours: number, count: number, within: number): Promise<LongDay> {
  const [clock, gateway, store] = [new FakeClock(), new FakeGateway(), new BusyJournal(folder)];
  gateway.mineEmpty(20);
  gateway.solidify(20 - LAG);
  const tracker = new TransactionTracker({
    store,
    clock,
    gatewayFor: async () => gateway,
    connections: () => "eth0",
  });
  const said: string[] = [];
  const notifier = notifierOf(tracker, said);
  tracker.onDidChange((txIds) => void notifier.announce(txIds.flatMap((txId) => tracker.get(txId) ?? [])));
  await tracker.load();
  const stop = new AbortController();
  const lead = (signal: AbortSignal) => tracker.start(signal);
  const report = (message: string, error: unknown): void => void said.push(`${message} ${String(error)}`);
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
    for (let turn = 0; proofs < slot && turn < TURNS_OF_THE_DISK; turn++) await settled();
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
  const troubles = tracker.issues().map(({ message: sentence }) => sentence);
  stop.abort();
  await watching;
  tracker.dispose();
  await store.close();
  const states = Object.fromEntries(
    [...Map.groupBy(tracker.list(), ({ state }) => state.kind)].map(([kind, all]) => [kind, all.length]),
  );
  return { heapAt, requestsAt, states, sleepers: clock.sleeping, said, troubles };
}

function notifierOf(tracker: TransactionTracker, said: string[]): Notifier {
  const context = { nameOf: () => undefined, reasonOf: () => undefined, sessionStart: 0 };
  const services = {
    get: (txId: TxId) => tracker.get(txId),
    look: () => Promise.resolve(),
    reasonOn: () => Promise.resolve(),
    isSaidHere: () => Promise.resolve(true),
    pause: () => Promise.resolve(true),
    show: async ({ message }: { readonly message: string }) => void said.push(message),
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
