import type { Clock } from "../../../packages/client/src/gateway/clock.ts";
import type { RunStore } from "../../../packages/client/src/runs/run-store.ts";
import type { JournalEntry, JournalStore } from "../../../packages/client/src/transaction-state/journal-entry.ts";

/**
 * A process that a simulation kills or suspends: its calls to the store, the gateway and the clock go through `port` and
 * `clock`. After `kill` no call returns, so nothing of it goes on.
 */
export class SimulatedProcess {
  readonly clock: Clock;
  readonly #clock: Clock;
  #isAlive = true;
  #resumed: Promise<void> | undefined;
  readonly #subscriptions = new Set<{ dispose(): void }>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.clock = {
      now: () => clock.now(),
      sleep: async (ms, signal) => {
        try {
          await clock.sleep(ms, signal);
        } finally {
          await this.#pass();
        }
      },
    };
  }

  kill(): void {
    this.#isAlive = false;
    for (const it of this.#subscriptions) it.dispose();
    this.#subscriptions.clear();
  }

  /** Suspends the process, as a laptop lid or a long garbage collection does; ms. */
  suspend(ms: number): void {
    this.#resumed = this.#clock.sleep(ms).then(() => {
      this.#resumed = undefined;
    });
  }

  /** Returns the object with methods that no longer return after the process is killed. */
  port<T extends object>(target: T, call: (name: string, work: () => Promise<unknown>) => Promise<unknown> = run): T {
    return new Proxy(target, {
      get: (object, name) => {
        const value: unknown = Reflect.get(object, name);
        if (typeof value !== "function" || typeof name !== "string") return value;
        return async (...args: unknown[]) => {
          await this.#pass();
          try {
            return await call(name, () => Promise.resolve(value.apply(object, args)));
          } finally {
            await this.#pass();
          }
        };
      },
    });
  }

  /** Returns a store whose journal reports everything after `load`, and nothing to a killed process. */
  store(target: RunStore, call: (name: string, work: () => Promise<unknown>) => Promise<unknown>): RunStore {
    const methods = this.port(target.journal, call);
    const missed: JournalEntry[] = [];
    let notify = (entries: readonly JournalEntry[]): void => void missed.push(...entries);
    const journal: JournalStore = {
      load: async () => {
        const subscription = target.journal.onDidAppend?.((entries) => notify(entries));
        if (subscription !== undefined) this.#subscriptions.add(subscription);
        return await methods.load();
      },
      append: (entries) => methods.append(entries),
      ...(methods.appendInOrder && { appendInOrder: methods.appendInOrder }),
      ...(methods.catchUp && { catchUp: methods.catchUp }),
      onDidAppend: (listener) => {
        notify = listener;
        if (missed.length > 0) queueMicrotask(() => listener(missed.splice(0)));
        return { dispose: () => undefined };
      },
    };
    return new Proxy(this.port(target, call), {
      get: (object, name) => (name === "journal" ? journal : (Reflect.get(object, name) as unknown)),
    });
  }

  async #pass(): Promise<void> {
    await this.#resumed;
    if (!this.#isAlive) await new Promise<never>(() => undefined);
  }
}

function run(_name: string, work: () => Promise<unknown>): Promise<unknown> {
  return work();
}
