import type { ChainId, NetworkRef } from "@finality/client/gateway";
import { RUN_VERSION, RunProgress, RunWorker, rowStates, type StoredRun } from "@finality/client/runs";
import { isUnsettled, type TransactionTracker } from "@finality/client/tracking";
import { systemClock as clock } from "@finality/node/system-clock";
import type { PostgresRunStore } from "@finality/postgres";
import type { JsonObject } from "@finality/tron/primitives";
import type { KeySource } from "./key-source.ts";
import type { WorkerFigures } from "./metrics.ts";
import type { Connection } from "./network.ts";
import { sendWebhooks } from "./webhooks.ts";

export interface StoreWorkerOptions {
  /** Name in leases and logs. */
  readonly id: string;
  readonly store: PostgresRunStore;
  /** Has loaded the journal of the store. */
  readonly tracker: TransactionTracker;
  readonly connection: Connection;
  readonly network: NetworkRef & { readonly chain: ChainId };
  readonly key: KeySource;
  /** Rows in flight, of each run. */
  readonly concurrency: number;
  readonly leaseMs: number;
  /** True to end when no run has work and every transaction is final. */
  readonly endsWhenFinished: boolean;
  readonly webhook?: { readonly url: string; readonly secret: string } | undefined;
  readonly log: (level: "info" | "warning", message: string, fields?: JsonObject) => void;
}

/** Interval at which a worker looks for runs; ms. */
const LOOK_MS = 1_000;
/** Pause before a worker tries to lead again; ms. */
const LEAD_MS = 1_000;

/** Works on all runs of a store that belong to one chain and one account, and leads tracking if no other worker does. */
export class StoreWorker {
  readonly #options: StoreWorkerOptions;
  readonly #working = new Map<string, Promise<void>>();
  readonly #progress = new Map<string, RunProgress>();
  #isLeading = false;
  #issue: string | undefined;

  constructor(options: StoreWorkerOptions) {
    this.#options = options;
  }

  /** Works until the signal aborts, or until everything is final if that ends it. */
  async run(signal: AbortSignal): Promise<void> {
    const end = new AbortController();
    const ended = AbortSignal.any([signal, end.signal]);
    const background = [this.#track(ended), this.#sendWebhooks(ended)];
    try {
      while (!ended.aborted) {
        const isWorking = await this.#look(ended);
        if (!isWorking && this.#options.endsWhenFinished) break;
        await clock.sleep(LOOK_MS, ended).catch(() => undefined);
      }
      await Promise.all(this.#working.values());
    } finally {
      end.abort();
      await Promise.all(background);
    }
  }

  async figures(): Promise<WorkerFigures> {
    const { store, tracker } = this.#options;
    const rows = [...this.#progress].flatMap(([run, progress]) => {
      const counts = progress.counts();
      return rowStates.map((state) => ({ run, state, count: counts[state] }));
    });
    const webhooks = await store.outbox.counts();
    const issues = tracker.issues().length + (this.#issue === undefined ? 0 : 1);
    return { rows, isLeading: this.#isLeading, repeatedStatements: store.repeatedStatements, webhooks, issues };
  }

  /** Returns what is wrong now; undefined if the store and the network answer. */
  async currentIssue(): Promise<string | undefined> {
    await this.#options.store.ping();
    return this.#issue ?? this.#options.tracker.issues()[0]?.message;
  }

  /** Starts a worker for each run with work. Returns false if there is none and everything is final. */
  async #look(signal: AbortSignal): Promise<boolean> {
    const { store, log } = this.#options;
    try {
      const withWork = new Set(await store.runsWithWork());
      const runs = withWork.size === 0 ? [] : (await store.runs()).filter((run) => withWork.has(run.id));
      for (const run of runs.filter((it) => this.#isOurs(it) && !this.#working.has(it.id))) this.#start(run, signal);
      this.#issue = undefined;
      return this.#working.size > 0 || this.#hasUnsettled() || (await this.#hasEvents());
    } catch (error) {
      this.#issue = messageOf(error);
      log("warning", this.#issue);
      return true;
    }
  }

  #isOurs({ network, owner, version }: StoredRun): boolean {
    return (
      network.chain === this.#options.network.chain && owner === this.#options.key.address && version <= RUN_VERSION
    );
  }

  async #hasEvents(): Promise<boolean> {
    const { webhook, store } = this.#options;
    return webhook !== undefined && (await store.outbox.counts()).waiting > 0;
  }

  #hasUnsettled(): boolean {
    return this.#options.tracker.list().some((it) => it.signed?.run !== undefined && isUnsettled(it));
  }

  #start(run: StoredRun, signal: AbortSignal): void {
    const { id } = run;
    const done = this.#work(run, signal)
      .catch((error: unknown) => this.#options.log("warning", messageOf(error), { run: id }))
      .finally(() => {
        this.#progress.get(id)?.dispose();
        this.#progress.delete(id);
        this.#working.delete(id);
      });
    this.#working.set(id, done);
  }

  async #work({ id: run, rows }: StoredRun, signal: AbortSignal): Promise<void> {
    const { id, store, tracker, connection, network, key, concurrency, leaseMs, log } = this.#options;
    log("info", "The run was taken up.", { run, rows });
    this.#progress.set(run, await RunProgress.load(store, tracker, run));
    const worker = new RunWorker({
      run,
      worker: { id, version: RUN_VERSION },
      store,
      tracker,
      gateway: connection.gateway,
      network,
      sources: {
        urlsOf: async () => [connection.gateway, ...connection.sources.others],
        networkOf: () => network.network,
        clock,
        signal,
      },
      signer: key,
      clock,
      concurrency,
      leaseMs,
      warn: (message) => log("warning", message, { run }),
    });
    const { kind, reason } = await worker.run(signal);
    const counts = { ...this.#progress.get(run)?.counts() };
    log(reason === undefined ? "info" : "warning", reason ?? `The run is ${kind}.`, { run, ...counts });
  }

  /** Tracks the network whenever no other worker does. */
  async #track(signal: AbortSignal): Promise<void> {
    const { store, tracker, network, log } = this.#options;
    while (!signal.aborted) {
      try {
        const lead = await store.lead(network);
        if (lead !== undefined) {
          log("info", "This worker tracks the network.", { network: network.network });
          this.#isLeading = true;
          await tracker.start(AbortSignal.any([signal, lead.lost]));
          this.#isLeading = false;
          await lead.release();
        }
      } catch (error) {
        this.#isLeading = false;
        log("warning", messageOf(error));
      }
      await clock.sleep(LEAD_MS, signal).catch(() => undefined);
    }
  }

  /** Sends webhooks whenever no other worker does. */
  async #sendWebhooks(signal: AbortSignal): Promise<void> {
    const { webhook, store, tracker, network, log } = this.#options;
    if (webhook === undefined) return;
    while (!signal.aborted) {
      try {
        const lead = await store.lead({ network: `webhooks ${network.chain}` });
        if (lead !== undefined) {
          const ended = AbortSignal.any([signal, lead.lost]);
          await sendWebhooks({ ...webhook, store, tracker, clock, log: (message) => log("warning", message) }, ended);
          await lead.release();
        }
      } catch (error) {
        log("warning", messageOf(error));
      }
      await clock.sleep(LEAD_MS, signal).catch(() => undefined);
    }
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
