import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Block } from "../../../packages/client/src/gateway/gateway.ts";
import { createHttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import type {
  JournalEntry,
  JournalStore,
  LoadedJournal,
} from "../../../packages/client/src/transaction-state/journal-entry.ts";
import type { ReadyLine } from "../../../packages/local-chain/src/main.ts";
import { parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { BLOCK_INTERVAL_MS } from "../../../packages/tron/src/primitives/block.ts";
import { bytesToHex, hex, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { rawDataFromIntent } from "../../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import { systemClock as clock } from "../../../src/host/system-clock.ts";
import { profileAt } from "../fakes/gateway-fixtures.ts";

const HOUR_MS = 60 * 60_000;
/** Until the engine has made machine code of what runs each block. */
const WARM_UP_BLOCKS = 6;
const ASKED_AT_ONCE = 20;
const ENDPOINT = "http://127.0.0.1";
const OWNER = parseAddress(`41${"a1".repeat(20)}`);
const RECIPIENT = parseAddress(`41${"b0".repeat(20)}`);

/** Cost of waiting for transactions that do not come. */
export interface WaitingCost {
  readonly blocks: number;
  readonly requests: number;
  /** Memory after garbage collection, less that before; bytes. */
  readonly heap: number;
  /** Processor time, of one core: 1 is all of it. */
  readonly cpu: number;
}

/** A journal that holds nothing itself, so that only the tracker's memory is measured. */
class EmptyHanded implements JournalStore {
  #entries: readonly JournalEntry[];

  constructor(entries: readonly JournalEntry[]) {
    this.#entries = entries;
  }

  async load(): Promise<LoadedJournal> {
    const entries = this.#entries;
    this.#entries = [];
    return { entries, warnings: [] };
  }

  async append(): Promise<void> {}
}

/** Follows so many pooled transactions while so many blocks of 3 s come, none of which holds any of them. */
export async function waitForNone(ready: ReadyLine, count: number, blocks: number): Promise<WaitingCost> {
  const gateway = createHttpGateway(profileAt(ready.baseUrl), { clock });
  await gateway.solidBlock();
  const before = usedHeap();
  const solid = await gateway.solidBlock();
  const head = { ...solid, ...(await gateway.headBlock()) };
  const store = new EmptyHanded(pooled(count, head, solid.number));
  const tracker = new TransactionTracker({ store, gatewayFor: async () => gateway, clock });
  await tracker.load();
  const stop = new AbortController();
  const following = tracker.start(stop.signal);
  await clock.sleep(WARM_UP_BLOCKS * BLOCK_INTERVAL_MS);
  const heap = usedHeap() - before;
  const cost = await measured(ready, () => clock.sleep(blocks * BLOCK_INTERVAL_MS));
  stop.abort();
  await following;
  await gateway.close();
  return { ...cost, heap };
}

/** The same by asking for each txID every 3 s, as programs that use TronWeb do; so many rounds of it. */
export async function pollForNone(
  ready: ReadyLine,
  { count, rounds }: { count: number; rounds: number },
  ask: (txId: string) => Promise<unknown>,
): Promise<WaitingCost> {
  const before = usedHeap();
  const txIds = Array.from({ length: count }, (_, index) => index.toString(16).padStart(64, "0"));
  const heap = usedHeap() - before;
  const cost = await measured(ready, async () => {
    for (let round = 0; round < rounds; round++) {
      const next = performance.now() + BLOCK_INTERVAL_MS;
      const queue = txIds.values();
      const worker = async (): Promise<void> => {
        for (const txId of queue) await ask(txId);
      };
      await Promise.all(Array.from({ length: ASKED_AT_ONCE }, worker));
      await clock.sleep(Math.max(0, next - performance.now()));
    }
  });
  return { ...cost, heap };
}

async function measured(ready: ReadyLine, work: () => Promise<void>): Promise<Omit<WaitingCost, "heap">> {
  const first = await height(ready);
  await control(ready, "DELETE", "requests");
  const [cpuBefore, started] = [process.cpuUsage(), performance.now()];
  await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  const cpu = (user + system) / 1_000 / (performance.now() - started);
  const { total } = await control(ready, "GET", "requests");
  return { requests: total ?? 0, blocks: (await height(ready)) - first, cpu };
}

async function height(ready: ReadyLine): Promise<number> {
  const { head } = (await control(ready, "GET", "status")) as { readonly head?: { readonly number: number } };
  return head?.number ?? 0;
}

async function control(ready: ReadyLine, method: string, path: string): Promise<{ readonly total?: number }> {
  return (await (await fetch(`${ready.baseUrl}/local/${path}`, { method })).json()) as { readonly total?: number };
}

/** Signed, sent and accepted a moment ago, to expire in hours; each with bytes of its own. */
function pooled(count: number, head: Block, solidHeight: number): readonly JournalEntry[] {
  const times = { expiration: head.timestamp + 12 * HOUR_MS, timestamp: head.timestamp };
  return Array.from({ length: count }, (_, index): readonly JournalEntry[] => {
    const intent: Intent = { kind: "transfer", owner: OWNER, to: RECIPIENT, amount: sun(BigInt(index + 1)) };
    const bytes = encodeRawData(rawDataFromIntent(intent, { ...times, referenceBlock: head.id }));
    const txId = transactionId(bytes);
    const signatures = [hex(index.toString(16).padStart(130, "0"))];
    const at = clock.now();
    const attempt = { attempt: 1, endpoint: ENDPOINT };
    return [
      {
        kind: "signed",
        txId,
        at,
        network: "Test",
        solidHeight,
        ...times,
        intent,
        rawDataHex: bytesToHex(bytes),
        signatures,
      },
      { kind: "broadcast-started", txId, at, ...attempt },
      { kind: "broadcast-answered", txId, at, ...attempt, outcome: { kind: "accepted" } },
    ];
  }).flat();
}

/** Returns the used memory after garbage collection; bytes. */
export function usedHeap(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  return process.memoryUsage().heapUsed;
}
