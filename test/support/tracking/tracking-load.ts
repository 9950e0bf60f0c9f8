import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { Block } from "../../../packages/client/src/gateway/gateway.ts";
import { createHttpGateway, type HttpGateway } from "../../../packages/client/src/gateway/http/http-gateway.ts";
import { submitTransaction } from "../../../packages/client/src/tracking/submit-transaction.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import type {
  JournalEntry,
  JournalStore,
  LoadedJournal,
} from "../../../packages/client/src/transaction-state/journal-entry.ts";
import type { ReadyLine } from "../../../packages/local-chain/src/main.ts";
import { systemClock as clock } from "../../../packages/node/src/system-clock.ts";
import { type Address, parseAddress } from "../../../packages/tron/src/primitives/address.ts";
import { sun } from "../../../packages/tron/src/primitives/amount.ts";
import { BLOCK_INTERVAL_MS } from "../../../packages/tron/src/primitives/block.ts";
import { bytesToHex, hex, type TxId, transactionId } from "../../../packages/tron/src/primitives/bytes.ts";
import { rawDataFromIntent, type SignedTransaction } from "../../../packages/tron/src/transaction/built-transaction.ts";
import type { Intent } from "../../../packages/tron/src/transaction/intent.ts";
import { encodeRawData } from "../../../packages/tron/src/transaction/raw-data-codec.ts";
import {
  type PrivateKey,
  parsePrivateKey,
  signTransactionId,
} from "../../../packages/tron/src/transaction/signature.ts";
import { profileAt } from "../fakes/gateway-fixtures.ts";
import { MemoryJournal } from "./memory-journal.ts";

const NETWORK = "Test";
const SENDERS = 20;
/** The path for sending; all other requests are tracking. */
const SENDING = "/wallet/broadcasttransaction";
/** The blocks that may hold what has to be proven, and how far solidified data lags behind the head at most. */
const SHARED_BLOCKS = 40;
const LAG_BLOCKS = 10;
let made = 0;

interface SignedPayment extends SignedTransaction {
  readonly intent: Intent;
  readonly expiration: number;
}

/** Requests while transactions were tracked to their end. */
interface TrackingCost {
  readonly requests: number;
  /** Number of blocks that were solidified meanwhile. */
  readonly blocks: number;
  readonly paths: { readonly [path: string]: number };
  readonly durationMs: number;
}

/** A running embedded chain, reached by HTTP alone. */
export class TrackingLoad implements AsyncDisposable {
  readonly #ready: ReadyLine;
  readonly #gateway: HttpGateway;

  constructor(ready: ReadyLine) {
    this.#ready = ready;
    this.#gateway = createHttpGateway(profileAt(ready.baseUrl), { clock });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#gateway.close();
  }

  /** Sends payments and follows all of them with our tracker. */
  async track(count: number): Promise<TrackingCost> {
    const gateway = this.#gateway;
    const tracker = new TransactionTracker({ store: new MemoryJournal(), gatewayFor: async () => gateway, clock });
    const stop = new AbortController();
    const following = tracker.start(stop.signal);
    const allDone = whenAll(tracker, count, "solidified");
    const cost = await this.#measure(count, async (payments, { number: solidHeight }) => {
      await inParallel(payments, async ({ intent, expiration, ...signed }) => {
        const context = { network: NETWORK, intent, expiration, solidHeight };
        await submitTransaction({ log: tracker, gateway, clock }, signed, context);
      });
      await allDone;
    });
    stop.abort();
    await following;
    return cost;
  }

  get gateway(): HttpGateway {
    return this.#gateway;
  }

  /** Follows foreign payments that are already in this many solidified blocks. */
  async follow(count: number, blocks: number, observe: (tracker: TransactionTracker) => void): Promise<TrackingCost> {
    const gateway = this.#gateway;
    const tracker = new TransactionTracker({ store: new MemoryJournal(), gatewayFor: async () => gateway, clock });
    const stop = new AbortController();
    const cost = await this.#measure(count, async (payments) => {
      for (let block = 0; block < blocks; block++) {
        const some = payments.filter((_, at) => Math.floor((at * blocks) / count) === block);
        await inParallel(some, (it) => gateway.broadcast(it));
        await this.#control("POST", "mine", { blocks: 1 });
      }
      await this.#control("POST", "mine", { blocks: 2 * LAG_BLOCKS });
      await this.#control("DELETE", "requests");
      const allDone = whenAll(tracker, count, "solidified");
      for (const { txId } of payments) await tracker.adopt(txId, { network: NETWORK });
      observe(tracker);
      const following = tracker.start(stop.signal);
      await allDone;
      stop.abort();
      await following;
    });
    return cost;
  }

  /**
   * Proves of payments that were signed, and never sent, that no block holds them; each may be in the same 40 blocks.
   *
   * @param watched - whether our tracker runs all the while, or only when all is over
   */
  async prove(count: number, watched: boolean): Promise<TrackingCost & { readonly proven: number }> {
    const gateway = this.#gateway;
    const journal = new MemoryJournal();
    const tracker = new TransactionTracker({ store: journal, gatewayFor: async () => gateway, clock });
    const allDone = whenAll(tracker, count, "proven-absent");
    const stop = new AbortController();
    let following = Promise.resolve();
    const cost = await this.#measure(
      count,
      async (payments, { number: solidHeight }) => {
        await tracker.note(...payments.flatMap((it) => unansweredEntries(it, solidHeight)));
        if (!watched) await this.#control("POST", "mine", { blocks: SHARED_BLOCKS + LAG_BLOCKS });
        following = tracker.start(stop.signal);
        await allDone;
      },
      ({ timestamp }) => timestamp + SHARED_BLOCKS * BLOCK_INTERVAL_MS,
    );
    stop.abort();
    await following;
    return { ...cost, proven: tracker.list().filter(({ absence }) => absence?.count === SHARED_BLOCKS).length };
  }

  /** Sends payments and follows each by asking for its txID every 3 s, as programs that use TronWeb do. */
  async poll(count: number, isFinal: (txId: TxId) => Promise<boolean>, everyMs = 3_000): Promise<TrackingCost> {
    return await this.#measure(count, async (payments) => {
      await inParallel(payments, (it) => this.#gateway.broadcast(it));
      let open = payments.map(({ txId }) => txId);
      while (open.length > 0) {
        await clock.sleep(everyMs);
        const left: TxId[] = [];
        await inParallel(open, async (txId) => {
          if (!(await isFinal(txId))) left.push(txId);
        });
        open = left;
      }
    });
  }

  async #measure(
    count: number,
    work: (payments: readonly SignedPayment[], solid: Block) => Promise<void>,
    expirationAfter?: (solid: Block) => number,
  ): Promise<TrackingCost> {
    const solid = await this.#gateway.solidBlock();
    const payments = this.#payments(count, solid, await this.#gateway.headBlock(), expirationAfter?.(solid));
    await this.#control("DELETE", "requests");
    const started = performance.now();
    await work(payments, solid);
    const durationMs = performance.now() - started;
    const { paths } = (await this.#control("GET", "requests")) as { paths: Record<string, number> };
    const requests = Object.entries(paths).reduce((sum, [path, it]) => (path === SENDING ? sum : sum + it), 0);
    const blocks = (await this.#gateway.solidBlock()).number - solid.number;
    return { requests, blocks, paths, durationMs };
  }

  /** Payments of the faucet, each another one by its timestamp. */
  #payments(
    count: number,
    { id: referenceBlock }: Block,
    { timestamp: now }: Pick<Block, "timestamp">,
    expiration = now + 10 * 60_000,
  ): readonly SignedPayment[] {
    const { faucet, accounts } = this.#ready;
    const key = parsePrivateKey(faucet.privateKey);
    const owner = parseAddress(faucet.address);
    const to = parseAddress(accounts[0]?.address ?? "");
    return Array.from({ length: count }, () => {
      made += 1;
      // Each has an amount of its own: equal ones would stop each other.
      return payment({ owner, to, key, amount: BigInt(made) }, { referenceBlock, expiration, timestamp: now + made });
    });
  }

  async #control(method: string, path: string, body?: object): Promise<unknown> {
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
    return await (await fetch(`${this.#ready.baseUrl}/local/${path}`, init)).json();
  }
}

function payment(
  { owner, to, key, amount }: { owner: Address; to: Address; key: PrivateKey; amount: bigint },
  validity: Parameters<typeof rawDataFromIntent>[1],
): SignedPayment {
  const intent: Intent = { kind: "transfer", owner, to, amount: sun(amount) };
  const bytes = encodeRawData(rawDataFromIntent(intent, validity));
  const txId = transactionId(bytes);
  const signatures = [signTransactionId(txId, key)];
  return { txId, rawDataHex: bytesToHex(bytes), signatures, intent, expiration: validity.expiration };
}

/** Resolves when so many came to this end; rejects as soon as one ends in another way. */
function whenAll(tracker: TransactionTracker, count: number, end: "solidified" | "proven-absent"): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const open = new Set<TxId>();
  let final = 0;
  tracker.onDidChange((txIds) => {
    for (const txId of txIds) {
      const { state } = tracker.get(txId) ?? {};
      if (state?.kind === "rejected") reject(new Error(`${state.code}: ${state.message}`));
      if (state?.kind !== end) open.add(txId);
      else if (open.delete(txId)) final++;
    }
    if (final === count) resolve();
  });
  return promise;
}

/** Entries of a signed transaction without an answer. */
function unansweredEntries(payment: SignedPayment, solidHeight: number): readonly JournalEntry[] {
  const at = clock.now();
  const { txId } = payment;
  return [
    { kind: "signed", at, network: NETWORK, solidHeight, ...payment },
    { kind: "broadcast-started", txId, at, attempt: 1, endpoint: "http://lost.test" },
  ];
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: SENDERS }, worker));
}

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
