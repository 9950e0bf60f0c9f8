import type { Clock } from "../../../packages/client/src/gateway/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Time that passes only when a test says so. The time that it shows may jump; sleeps go by the time that passed. */
export class FakeClock implements Clock {
  #passed: number;
  #jumped = 0;
  #busy = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#passed = start;
  }

  /** Whole milliseconds, as every clock of a computer gives them. */
  now = (): number => Math.floor(this.#passed + this.#jumped);

  /** Sets the clock to another time, as a laptop that wakes up or a correction of the time does; ms, negative for back. */
  jump(ms: number): void {
    this.#jumped += ms;
  }

  /** Number of sleeps that have not ended yet. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Time that the clock shows when the next sleep ends; undefined without a sleep. */
  get nextWake(): number | undefined {
    const due = this.#earliest();
    return due && due.at + this.#jumped;
  }

  sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      this.#sleepers.delete(sleeper);
      reject(signal?.reason);
    };
    const sleeper: Sleeper = {
      at: this.#passed + Math.max(0, ms),
      wake: () => {
        signal?.removeEventListener("abort", abort);
        resolve();
      },
    };
    this.#sleepers.add(sleeper);
    signal?.addEventListener("abort", abort, { once: true });
    return promise;
  };

  /**
   * Lets `ms` pass and wakes sleepers in the order of their deadlines, also those that fall asleep again on the way.
   */
  async advance(ms: number): Promise<void> {
    const end = this.#passed + ms;
    for (await this.settle(); ; await this.settle()) {
      const due = this.#earliest();
      if (due === undefined || due.at > end) break;
      this.#wake(due);
    }
    this.#passed = Math.max(this.#passed, end);
  }

  /** Counts work that passes no time and yet is no promise of ours, such as the body of a response: `settle` waits for it. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#busy++;
    return await work.finally(() => {
      this.#busy--;
    });
  }

  /** Resolves after every promise that can already go on has gone on. */
  async settle(): Promise<void> {
    do await settled();
    while (this.#busy > 0);
  }

  /** Jumps from one deadline to the next until `done` settles: for work that sleeps and does real I/O in between. */
  async runUntil<T>(done: Promise<T>): Promise<T> {
    let settledAlready = false;
    const watched = done.finally(() => {
      settledAlready = true;
    });
    watched.catch(() => undefined);
    while (!settledAlready) {
      await settled();
      const due = this.#earliest();
      if (due !== undefined && !settledAlready) this.#wake(due);
    }
    return watched;
  }

  #earliest(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const it of this.#sleepers) if (first === undefined || it.at < first.at) first = it;
    return first;
  }

  #wake(sleeper: Sleeper): void {
    this.#sleepers.delete(sleeper);
    this.#passed = Math.max(this.#passed, sleeper.at);
    sleeper.wake();
  }
}

/** After every promise that can already go on has gone on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
