import type { Clock } from "../../../packages/client/src/gateway/clock.ts";

interface Sleeper {
  at: number;
  readonly wake: () => void;
}

/** Time that passes only when a test says so. */
export class FakeClock implements Clock {
  #now: number;
  #behind = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start = Date.UTC(2026, 0, 1)) {
    this.#now = start;
  }

  now = (): number => this.#now - this.#behind;

  /** Somebody corrects the clock; sleeps go on by the time that passes. */
  putBack(ms: number): void {
    this.#behind += ms;
  }

  /** How many sleeps have not ended yet. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** When the next sleep ends; undefined when nobody sleeps. */
  get nextWake(): number | undefined {
    return this.#earliest()?.at;
  }

  sleep = (ms: number, signal?: AbortSignal): Promise<void> => {
    if (signal?.aborted) return Promise.reject(signal.reason);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const abort = (): void => {
      this.#sleepers.delete(sleeper);
      reject(signal?.reason);
    };
    const sleeper: Sleeper = {
      at: this.#now + ms,
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
    const end = this.#now + ms;
    for (await settled(); ; await settled()) {
      const due = this.#earliest();
      if (due === undefined || due.at > end) break;
      this.#wake(due);
    }
    this.#now = Math.max(this.#now, end);
  }

  /**
   * Sets the clock to another time, as a laptop that wakes up or a correction of the time does. Timers count on: a
   * sleep that is under way has as long to go as before.
   */
  jump(ms: number): void {
    this.#now += ms;
    for (const sleeper of this.#sleepers) sleeper.at += ms;
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
    this.#now = Math.max(this.#now, sleeper.at);
    sleeper.wake();
  }
}

/** After every promise that can already go on has gone on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
