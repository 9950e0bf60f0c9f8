import type { RunStore } from "../../../packages/client/src/runs/run-store.ts";
import type { JournalEntry } from "../../../packages/client/src/transaction-state/journal-entry.ts";
import { FakeClock } from "../fakes/fake-clock.ts";
import type { PaymentRow } from "./checker.ts";
import { MemoryRunStore } from "./memory-run-store.ts";
import { RUN_NETWORK } from "./run-fixture.ts";

/** Store of a simulation of runs, and what the simulation does to it. */
export interface SimulatedStore {
  /** Time of the simulation. It stands still while the store works. */
  readonly clock: FakeClock;
  /** Connection of the simulation itself. */
  readonly store: RunStore;
  /** Opens the connections of a worker. */
  connect(): Promise<RunStore>;
  loseLead(): void;
  expireLeases(): Promise<void>;
  /**
   * Sets the time of the store to that of the clock, between two blocks, and causes its own faults.
   *
   * @param happens - Returns true in one of some cases, and counts the fault.
   */
  pass(happens: (fault: string, oneOf: number) => boolean): Promise<void>;
  /** All rows, as an independent checker reads them. */
  payments(): Promise<readonly PaymentRow[]>;
  entries(): Promise<readonly JournalEntry[]>;
}

/** A store in memory. */
export class SimulatedMemoryStore implements SimulatedStore {
  readonly clock = new FakeClock();
  readonly store = new MemoryRunStore(this.clock);

  async connect(): Promise<RunStore> {
    return this.store.connect();
  }

  loseLead(): void {
    this.store.loseLead(RUN_NETWORK.network);
  }

  async expireLeases(): Promise<void> {
    this.store.expireLeases();
  }

  /** The store uses the clock itself. */
  async pass(): Promise<void> {
    await Promise.resolve();
  }

  async payments(): Promise<readonly PaymentRow[]> {
    const runs = await this.store.runs();
    const rows = runs.map(async ({ id: run, rows: limit }) =>
      (await this.store.rows(run, { from: 1, limit })).flatMap(({ row, key, intent, attempts }) => {
        if (intent.kind !== "transfer") return [];
        // The key as the user wrote it: a store that lets keys expire adds to it.
        const [written = key] = key.split("#");
        const { owner, to, amount } = intent;
        return [{ run, row, key: written, owner, to, amount, attempts }];
      }),
    );
    return (await Promise.all(rows)).flat();
  }

  async entries(): Promise<readonly JournalEntry[]> {
    return this.store.journal.entries;
  }
}
