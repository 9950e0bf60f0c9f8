import type { Clock, Gateway, NetworkProfile, NetworkRef } from "@finality/client/gateway";
import type { ProofSources } from "@finality/client/proof";
import {
  type Leadership,
  RUN_VERSION,
  type RunEnd,
  RunProgress,
  type RunSigner,
  RunWorker,
  type StoredRun,
} from "@finality/client/runs";
import { type ChainSources, TransactionTracker } from "@finality/client/tracking";
import { FileRunStore } from "@finality/node/runs";
import * as vscode from "vscode";
import type { Log } from "../host/log/log.ts";
import type { ChainsOnDemand } from "../host/networks/chains-on-demand.ts";
import type { TransactionService } from "./transaction-service.ts";

export interface RunExecutionServices {
  /** Folder of the journal. */
  readonly folder: string;
  readonly transactions: TransactionService;
  readonly chains: Pick<ChainsOnDemand, "networkRefOf">;
  /** @throws {ChainError} `NETWORK_UNKNOWN`, `CHAIN_CHANGED`, `CHAINS_DIFFER` */
  readonly gatewayFor: (network: string) => Promise<Gateway>;
  readonly sourcesFor: (network: string) => Promise<ProofSources>;
  readonly clock: Clock;
  readonly log: Log;
}

/** Store of runs in a window. The window that leads tracks all transactions of the journal, so a run tracks none. */
class WindowRunStore extends FileRunStore {
  override async lead(): Promise<undefined> {
    return undefined;
  }
}

/** Stored runs, with the transactions of their rows. */
export interface OpenRuns {
  readonly store: FileRunStore;
  readonly tracker: TransactionTracker;
  readonly sources: ChainSources;
}

/** A run that this window executes, or executed. */
export interface RunExecution {
  readonly isActive: boolean;
  /** Last problem that the run waits for, or the reason why it ended. */
  readonly message: string | undefined;
}

interface ActiveRun {
  readonly stop: AbortController;
  readonly done: Promise<void>;
}

/** Number of rows that are signed and sent at once. */
export const RUN_CONCURRENCY = 8;

/** Runs of this window: their store, and the workers that execute them. Opened on first use. */
export class RunExecutions {
  readonly #services: RunExecutionServices;
  readonly #changed = new vscode.EventEmitter<string>();
  readonly #closing = new AbortController();
  readonly #active = new Map<string, ActiveRun>();
  readonly #signers = new Map<string, RunSigner>();
  readonly #messages = new Map<string, string>();
  #opened: Promise<OpenRuns> | undefined;

  /** Fires with the id of a run that this window starts, ends, or has a message about. */
  readonly onDidChange = this.#changed.event;

  constructor(services: RunExecutionServices) {
    this.#services = services;
  }

  /** @throws {ChainError} `RUN_STORE_UNAVAILABLE`, `JOURNAL_UNWRITABLE` */
  open(): Promise<OpenRuns> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** Returns the rows of a run with their states, until it is disposed. */
  async progressOf(run: string): Promise<RunProgress> {
    const { store, tracker } = await this.open();
    await tracker.catchUp();
    return await RunProgress.load(store, tracker, run);
  }

  executionOf(run: string): RunExecution {
    return { isActive: this.#active.has(run), message: this.#messages.get(run) };
  }

  /** Returns the signer that the user consented to in this window. */
  signerOf(run: string): RunSigner | undefined {
    return this.#signers.get(run);
  }

  /**
   * Executes a run until it ends or the window closes. Does not wait for its end.
   *
   * @returns false if another window executes it
   */
  async execute(run: StoredRun, network: NetworkProfile, signer: RunSigner): Promise<boolean> {
    const { id } = run;
    if (this.#active.has(id)) return true;
    const { store, tracker, sources } = await this.open();
    const [gateway, ref] = await Promise.all([
      this.#services.gatewayFor(network.name),
      this.#services.chains.networkRefOf(network),
    ]);
    const held = await store.hold(id);
    if (held === undefined) return false;
    this.#signers.set(id, signer);
    this.#messages.delete(id);
    try {
      await store.setControl(id, "running");
      // The leading window tracks the rows.
      await this.#services.transactions.ready();
    } catch (error) {
      await held.release();
      throw error;
    }
    const { clock } = this.#services;
    const worker = new RunWorker({
      ...{ run: id, worker: { id: `${process.pid}`, version: RUN_VERSION }, store, tracker, sources, clock },
      ...{ gateway, network: ref, signer, concurrency: RUN_CONCURRENCY },
      warn: (message) => this.#note(id, message),
    });
    const stop = new AbortController();
    const done = this.#work(id, worker, AbortSignal.any([stop.signal, this.#closing.signal]), held);
    this.#active.set(id, { stop, done });
    this.#changed.fire(id);
    return true;
  }

  /** Ends all work. Resolves when the answers of what was sent are stored. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([...this.#active.values()].map(({ done }) => done));
    const opened = await this.#opened?.catch(() => undefined);
    opened?.tracker.dispose();
    await opened?.store.close();
    this.#changed.dispose();
  }

  async #work(id: string, worker: RunWorker, signal: AbortSignal, held: Leadership): Promise<void> {
    try {
      const end: RunEnd = await worker.run(signal);
      if (end.reason === undefined) this.#messages.delete(id);
      else this.#messages.set(id, end.reason);
    } catch (error) {
      this.#services.log.error("A run ended.", error);
      this.#messages.set(id, error instanceof Error ? error.message : String(error));
    } finally {
      await held.release();
      this.#active.delete(id);
      if (!this.#closing.signal.aborted) this.#changed.fire(id);
    }
  }

  #note(id: string, message: string): void {
    if (this.#messages.get(id) === message) return;
    this.#messages.set(id, message);
    this.#changed.fire(id);
  }

  async #open(): Promise<OpenRuns> {
    const { folder, clock, log, gatewayFor, sourcesFor, transactions } = this.#services;
    const store = new WindowRunStore(folder, clock, {
      onFollowError: (error) => log.error("The lines of other windows cannot be followed.", error),
    });
    const networkOf = (network: NetworkRef): string => transactions.networkOf(network);
    const report = (message: string, error: unknown): void => log.error(message, error);
    const tracker = new TransactionTracker({
      ...{ store: store.journal, gatewayFor, networkFor: networkOf, sourcesFor, clock, log: report },
    });
    for (const warning of await tracker.load()) log.warn(warning);
    const urlsOf = async (name: string): Promise<readonly Gateway[]> => [
      await gatewayFor(name),
      ...(await sourcesFor(name)).others,
    ];
    return { store, tracker, sources: { urlsOf, networkOf, clock, signal: this.#closing.signal } };
  }
}
