import type { Gateway } from "../../../packages/client/src/gateway/gateway.ts";
import type { Claim, RunStore, SignedEntry } from "../../../packages/client/src/runs/run-store.ts";
import type { JournalEntry } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { ChainError } from "../../../packages/tron/src/errors/chain-error.ts";
import type { Hex } from "../../../packages/tron/src/primitives/bytes.ts";
import type { SignedTransaction } from "../../../packages/tron/src/transaction/built-transaction.ts";
import type { FakeClock } from "../fakes/fake-clock.ts";
import { dice } from "../random/dice.ts";
import { checkRun, type PaymentRow, type RunCheck } from "./checker.ts";
import { RunChain } from "./run-chain.ts";
import { newRun, paymentRows } from "./run-fixture.ts";
import { SimulatedMemoryStore, type SimulatedStore } from "./simulated-store.ts";
import { SimulatedProcess } from "./simulated-worker.ts";

export type RunProduct = typeof import("./run-product.ts");

/** Changes what the workers see of a store, for planted bugs. */
export type StoreBug = (store: RunStore) => RunStore;

export interface RunSimulationOptions {
  readonly seed: number;
  readonly rows: number;
  readonly workers: number;
  /** False for a run without any fault. */
  readonly isFaulty: boolean;
  readonly product: RunProduct;
  readonly storeBug?: StoreBug | undefined;
  /** Creates the run again with new rows of the same keys after its end, as a user does who sees no answer. */
  readonly createsAgain?: boolean | undefined;
  /** Store of the run; one in memory by default. */
  readonly store?: SimulatedStore;
  /** Rows that a worker has in work at once; 20 by default. */
  readonly concurrency?: number;
  /** Called after each block with the number of blocks and of transactions that were sent. */
  readonly onBlock?: (blocks: number, sent: number) => void;
  /** Delay of an answer without faults, ms; up to 200 by default. */
  readonly answerMs?: number;
  /** Blocks after which the run has to be finished. */
  readonly mostBlocks?: number;
}

/** Result of one simulated run. */
export interface SimulatedRun extends RunCheck {
  /** Attempts that follow another one of their row, of which the journal has no proof of absence. */
  readonly unproven: readonly string[];
  readonly blocks: number;
  readonly attempts: number;
  /** Requests of the trackers of all workers. */
  readonly trackingRequests: number;
  /** Number of each fault, by name. */
  readonly faults: { readonly [name: string]: number };
  /** True if every worker reported the end of the run. */
  readonly isFinished: boolean;
  /** Errors with which workers ended. */
  readonly failures: readonly string[];
}

const BLOCK_MS = 3_000;
const LEASE_MS = 30_000;
const CONCURRENCY = 20;
const MOST_BLOCKS = 1_500;
const RESTART_MS = 5_000;
const SIGNATURE = "ab".repeat(65) as Hex;

/** Process of a worker, and its connections to the store. */
interface LiveWorker {
  readonly process: SimulatedProcess;
  readonly store: RunStore;
}

/** One run in simulated time: real workers and trackers on a store and a simulated chain, with faults by chance. */
export class RunSimulation {
  readonly #options: RunSimulationOptions;
  readonly #store: SimulatedStore;
  readonly #clock: FakeClock;
  readonly #chain = new RunChain();
  readonly #roll: (bound: number) => number;
  readonly #faults: { [name: string]: number } = {};
  readonly #live = new Map<string, LiveWorker>();
  #started = 0;
  #trackingRequests = 0;
  /** End of the outage of the store; local clock, Unix ms. */
  #outageUntil = 0;
  #finished = 0;
  /** Errors with which workers ended. */
  readonly #failures: unknown[] = [];

  constructor(options: RunSimulationOptions) {
    this.#options = options;
    this.#roll = dice(options.seed);
    this.#store = options.store ?? new SimulatedMemoryStore();
    this.#clock = this.#store.clock;
  }

  async play(): Promise<SimulatedRun> {
    const { rows, workers } = this.#options;
    await this.#store.store.create(this.#newRun("payroll"), paymentRows(rows));
    for (let count = 0; count < workers; count++) await this.#startWorker("payroll");
    let blocks = await this.#produceUntilFinished();
    if (this.#options.createsAgain === true) blocks += await this.#playAgain();
    for (const worker of this.#live.values()) kill(worker);
    await this.#mine(40);
    const stored = await this.#store.payments();
    return {
      ...checkRun(this.#chain.solidified(), stored),
      unproven: await this.#unproven(stored),
      blocks,
      attempts: stored.reduce((sum, { attempts }) => sum + attempts.length, 0),
      trackingRequests: this.#trackingRequests,
      faults: this.#faults,
      isFinished: this.#finished >= 1,
      failures: this.#failures.map(String),
    };
  }

  /** Journal entries of a row, for messages about a failure. */
  async history(name: string): Promise<readonly string[]> {
    const at = name.lastIndexOf(" ");
    const [row] = await this.#store.store.rows(name.slice(0, at), { from: Number(name.slice(at + 1)), limit: 1 });
    const own = (await this.#store.entries()).filter(({ txId }) => row?.attempts.includes(txId));
    return [`retry permitted after ${row?.retryAfter ?? "none"}`, ...own.map((it) => describeEntry(it))];
  }

  /** A proof, or a refusal whose transaction no solidified block had after its expiration, precedes another attempt. */
  async #unproven(rows: readonly PaymentRow[]): Promise<readonly string[]> {
    const isGone = new Set<string>();
    for (const { kind, txId } of await this.#store.entries()) {
      if (kind === "proven-absent" || kind === "not-found") isGone.add(txId);
    }
    return rows.flatMap(({ attempts }) =>
      attempts.slice(1).filter((_txId, index) => !isGone.has(attempts[index] ?? "")),
    );
  }

  async #playAgain(): Promise<number> {
    const { rows, workers, storeBug } = this.#options;
    this.#finished = 0;
    const { store: inner } = this.#store;
    const store = storeBug?.(inner) ?? inner;
    try {
      await store.create(this.#newRun("payroll again"), paymentRows(rows));
    } catch (error) {
      if (!isUsedKey(error)) throw error;
      this.#finished = 1;
      return 0;
    }
    for (let count = 0; count < workers; count++) await this.#startWorker("payroll again");
    return await this.#produceUntilFinished();
  }

  #newRun(id: string) {
    const { chain } = this.#chain;
    if (chain === undefined) throw new Error("The simulated chain has no genesis block.");
    return newRun({ id, network: { network: "test", chain } });
  }

  async #produceUntilFinished(): Promise<number> {
    const { mostBlocks = MOST_BLOCKS } = this.#options;
    let blocks = 0;
    for (; blocks < mostBlocks && (this.#live.size > 0 || this.#finished === 0); blocks++) {
      if (this.#options.isFaulty && this.#finished === 0) await this.#disturb();
      await this.#mine(1);
      this.#options.onBlock?.(blocks, this.#chain.sent);
    }
    return blocks;
  }

  async #mine(count: number): Promise<void> {
    for (let mined = 0; mined < count; mined++) {
      await this.#clock.advance(BLOCK_MS);
      await this.#store.pass((fault, oneOf) => this.#happens(fault, oneOf));
      this.#chain.produce(() => this.#happens("dropped from the pool", 100));
    }
  }

  /** Returns true once in `oneOf` cases, and counts the fault. */
  #happens(fault: string, oneOf: number): boolean {
    if (!this.#options.isFaulty || this.#roll(oneOf) !== 0) return false;
    this.#faults[fault] = (this.#faults[fault] ?? 0) + 1;
    return true;
  }

  /** Faults between two blocks. */
  async #disturb(): Promise<void> {
    const [name, victim] = [...this.#live][this.#roll(this.#live.size)] ?? [];
    if (victim !== undefined && name !== undefined && this.#happens("killed worker", 8)) {
      kill(victim);
      this.#live.delete(name);
      this.#store.loseLead();
      await this.#startWorker("payroll");
    } else if (this.#happens("suspended worker", 10)) {
      victim?.process.suspend(1_000 + this.#roll(2 * LEASE_MS));
    }
    if (this.#happens("restart of the store", 12)) {
      this.#outageUntil = this.#clock.now() + 500 + this.#roll(10_000);
      this.#store.loseLead();
    }
    if (this.#happens("new leader", 15)) this.#store.loseLead();
    if (this.#happens("ended leases", 15)) await this.#store.expireLeases();
    if (this.#happens("reorganization", 10)) this.#chain.fork(1 + this.#roll(3), this.#roll(4) === 0);
  }

  async #startWorker(run: string): Promise<void> {
    const { product, storeBug } = this.#options;
    const id = `w${++this.#started}`;
    const process = new SimulatedProcess(this.#clock);
    const inner = await this.#store.connect();
    const store = process.store(storeBug?.(inner) ?? inner, (name, work) => this.#callStore(name, work));
    const faulty = new Proxy(store, {
      get: (object, name) =>
        name === "commitAttempt"
          ? process.port({ commit: (claim: Claim, entry: SignedEntry) => this.#commit(inner, storeBug, claim, entry) })
              .commit
          : (Reflect.get(object, name) as unknown),
    });
    const tracked = process.port<Gateway>(this.#chain, (name, work) => {
      this.#trackingRequests++;
      return this.#callGateway(name, work);
    });
    const gateway = this.#workerGateway(process);
    const { clock } = process;
    const tracker = new product.TransactionTracker({ store: faulty.journal, gatewayFor: async () => tracked, clock });
    const signal = new AbortController().signal;
    const { network, owner } = this.#newRun(run);
    const ended = tracker.load().then(() =>
      new product.RunWorker({
        ...{ run, worker: { id, version: 1 }, store: faulty, tracker, gateway, network, clock },
        sources: { urlsOf: async () => [gateway], networkOf: () => network.network, clock, signal },
        signer: {
          address: owner,
          sign: async (it) => ({ txId: it.txId, rawDataHex: it.rawDataHex, signatures: [SIGNATURE] }),
        },
        concurrency: this.#options.concurrency ?? CONCURRENCY,
        leaseMs: LEASE_MS,
        warn: () => undefined,
      }).run(signal),
    );
    this.#live.set(id, { process, store: inner });
    ended.then(
      ({ kind }) => {
        this.#live.delete(id);
        void inner.close();
        if (kind === "finished") this.#finished++;
      },
      (error: unknown) => {
        this.#live.delete(id);
        void inner.close();
        this.#failures.push(error);
        // A supervisor starts the program again.
        void this.#clock.sleep(RESTART_MS).then(() => this.#startWorker(run));
      },
    );
  }

  #workerGateway(process: SimulatedProcess): Gateway {
    const gateway = process.port<Gateway>(this.#chain, (name, work) => this.#callGateway(name, work));
    const { broadcast } = process.port({ broadcast: (it: SignedTransaction) => this.#broadcast(it) });
    return new Proxy(gateway, {
      get: (object, name) => (name === "broadcast" ? broadcast : (Reflect.get(object, name) as unknown)),
    });
  }

  /** A call of the store takes time, and fails while the store restarts. Its effect may remain. */
  async #callStore(name: string, work: () => Promise<unknown>): Promise<unknown> {
    this.#requireStore(name);
    const result = await work();
    if (this.#roll(8) === 0) await this.#clock.sleep(1 + this.#roll(40));
    this.#requireStore(name);
    return result;
  }

  #requireStore(name: string): void {
    if (this.#clock.now() >= this.#outageUntil) return;
    if (name === "append") throw new ChainError("JOURNAL_UNWRITABLE", { file: "memory", reason: "it restarts" });
    throw new ChainError("RUN_STORE_UNAVAILABLE", { store: "memory", reason: "it restarts" });
  }

  async #commit(inner: RunStore, storeBug: StoreBug | undefined, claim: Claim, entry: SignedEntry) {
    const store = storeBug?.(inner) ?? inner;
    const unknown = new ChainError("RUN_COMMIT_UNKNOWN", { txId: entry.txId, reason: "the connection broke" });
    this.#requireStore("commitAttempt");
    if (this.#happens("slow commit", 50)) await this.#clock.sleep(this.#roll(2 * LEASE_MS));
    if (this.#happens("dropped commit", 80)) throw unknown;
    if (this.#happens("late commit", 80)) {
      // The database applies it, whatever became of the worker.
      const database = storeBug?.(this.#store.store) ?? this.#store.store;
      const late = this.#clock.sleep(this.#roll(2 * LEASE_MS)).then(() => database.commitAttempt(claim, entry));
      late.catch((error: unknown) => this.#failures.push(error));
      throw unknown;
    }
    const result = await store.commitAttempt(claim, entry);
    if (this.#roll(4) === 0) await this.#clock.sleep(1 + this.#roll(100));
    if (this.#clock.now() < this.#outageUntil || this.#happens("lost acknowledgement", 60)) throw unknown;
    return result;
  }

  async #callGateway(name: string, work: () => Promise<unknown>): Promise<unknown> {
    if (name !== "broadcast" && this.#happens("429", 50)) {
      throw new ChainError("GATEWAY_RATE_LIMITED", { endpoint: this.#chain.endpoint, retryAfterMs: 1_000 });
    }
    return await work();
  }

  /** Takes the bytes with delays, and answers or not. */
  async #broadcast(transaction: SignedTransaction): Promise<Awaited<ReturnType<Gateway["broadcast"]>>> {
    const { endpoint } = this.#chain;
    const unknown = { endpoint, outcome: { kind: "unknown", cause: SILENT(endpoint) } } as const;
    const { answerMs = 200 } = this.#options;
    await this.#clock.sleep(1 + this.#roll(answerMs));
    if (this.#happens("429 to a broadcast", 40)) {
      const cause = new ChainError("GATEWAY_RATE_LIMITED", { endpoint, retryAfterMs: 1_000 });
      return { endpoint, outcome: { kind: "unknown", cause, turnedAway: true } };
    }
    if (this.#happens("lost bytes", 40)) return unknown;
    if (this.#happens("busy node", 60)) {
      return {
        endpoint,
        txId: transaction.txId,
        outcome: { kind: "rejected", code: "SERVER_BUSY", message: "Server busy." },
      };
    }
    const result = this.#chain.submit(transaction);
    if (this.#happens("lost answer", 25)) return unknown;
    if (this.#happens("late answer", 100)) await this.#clock.sleep(LEASE_MS + this.#roll(LEASE_MS));
    const { txId } = transaction;
    switch (result) {
      case "accepted":
        return { endpoint, txId, raw: "accepted", outcome: { kind: "accepted" } };
      case "known":
        return { endpoint, txId, outcome: { kind: "already-known", message: "Dup transaction." } };
      case "expired":
        return {
          ...{ endpoint, txId },
          outcome: { kind: "rejected", code: "TRANSACTION_EXPIRATION_ERROR", message: "Transaction expired" },
        };
    }
  }
}

/** The store notices the end of the connections, and the process notices nothing. */
function kill({ process, store }: LiveWorker): void {
  process.kill();
  void store.close();
}

const SILENT = (endpoint: string): ChainError<"GATEWAY_SILENT"> =>
  new ChainError("GATEWAY_SILENT", { endpoint, reason: "no answer", how: "timeout" });

function describeEntry(entry: JournalEntry): string {
  const outcome = entry.kind === "broadcast-answered" ? JSON.stringify(entry.outcome) : "";
  return `${new Date(entry.at).toISOString().slice(14, 23)} ${entry.txId.slice(0, 6)} ${entry.kind} ${outcome}`.trim();
}

function isUsedKey(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "RUN_KEY_USED";
}
