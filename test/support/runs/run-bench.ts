import type { Claim, RunStore, SignedEntry } from "../../../packages/client/src/runs/run-store.ts";
import { type RunEnd, RunWorker, type RunWorkerOptions } from "../../../packages/client/src/runs/run-worker.ts";
import { TransactionTracker } from "../../../packages/client/src/tracking/transaction-tracker.ts";
import type { TxId } from "../../../packages/tron/src/primitives/bytes.ts";
import { addSignature } from "../../../packages/tron/src/transaction/sign-transaction.ts";
import { parsePrivateKey } from "../../../packages/tron/src/transaction/signature.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import { FakeGateway } from "../fakes/fake-gateway.ts";
import { MemoryRunStore } from "./memory-run-store.ts";
import { newRun, paymentRows, RUN_NETWORK } from "./run-fixture.ts";

const KEY = parsePrivateKey("11".repeat(32));

/** A worker of the run of `newRun`, and what it warned about. */
interface BenchWorker {
  readonly ended: Promise<RunEnd>;
  readonly stop: AbortController;
  readonly tracker: TransactionTracker;
  readonly warnings: readonly string[];
}

/** Runs on a scripted chain, with a fake clock and a store in memory. */
export class RunBench {
  readonly clock = new FakeClock();
  readonly gateway = new FakeGateway();
  readonly store = new MemoryRunStore(this.clock);
  readonly #stops: AbortController[] = [];

  async create(rows: number): Promise<void> {
    await this.store.create(newRun(), paymentRows(rows));
  }

  /** Starts a worker, by default with a connection of its own. */
  async start(id: string, change: Partial<RunWorkerOptions> = {}): Promise<BenchWorker> {
    const { clock, gateway } = this;
    const store = change.store ?? this.store.connect();
    const tracker = new TransactionTracker({ store: store.journal, gatewayFor: async () => gateway, clock });
    await tracker.load();
    const stop = new AbortController();
    this.#stops.push(stop);
    const warnings: string[] = [];
    const worker = new RunWorker({
      run: newRun().id,
      worker: { id, version: 1 },
      store,
      tracker,
      gateway,
      network: RUN_NETWORK,
      sources: { urlsOf: async () => [gateway], networkOf: () => "test", clock, signal: stop.signal },
      signer: {
        address: newRun().owner,
        sign: async ({ txId, rawDataHex }) => addSignature({ txId, rawDataHex, signatures: [] }, KEY),
      },
      clock,
      concurrency: 4,
      warn: (message) => warnings.push(message),
      ...change,
    });
    const ended = worker.run(stop.signal);
    ended.catch(() => undefined);
    return { ended, stop, tracker, warnings };
  }

  /** Mines a block every three seconds, final at once, until `done` settles. */
  async mineUntil<T>(done: Promise<T>, blocks = 200): Promise<T> {
    const watch = { settled: false };
    const watched = done.finally(() => {
      watch.settled = true;
    });
    watched.catch(() => undefined);
    for (let mined = 0; mined < blocks && !watch.settled; mined++) await this.mine();
    if (!watch.settled) throw new Error(`The run did not end within ${blocks} blocks.`);
    return await watched;
  }

  async mine(): Promise<void> {
    await this.clock.advance(3_000);
    this.gateway.mine([...this.gateway.pending]);
    this.gateway.solidify();
    await this.clock.settle();
  }

  /** TxIDs in blocks. */
  get executed(): readonly TxId[] {
    return this.gateway.chainBlocks.flatMap(({ transactions }) => transactions.map(({ txId }) => txId));
  }

  /** Rows whose attempts were executed, once for each execution. */
  async executedRows(): Promise<readonly number[]> {
    const rows = await this.store.rows(newRun().id, { from: 1, limit: 10_000 });
    const executed = new Set(this.executed);
    return rows.flatMap(({ row, attempts }) => attempts.filter((it) => executed.has(it)).map(() => row));
  }

  async close(): Promise<void> {
    for (const stop of this.#stops) stop.abort();
    await this.clock.advance(60_000);
  }
}

/** The store of a worker whose commits behave as `commit` says. */
export function withCommit(
  store: RunStore,
  commit: (claim: Claim, entry: SignedEntry) => ReturnType<RunStore["commitAttempt"]>,
): RunStore {
  return new Proxy(store, {
    get: (target, name) => (name === "commitAttempt" ? commit : Reflect.get(target, name)),
  });
}
