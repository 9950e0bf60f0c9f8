import type { Clock } from "../../../packages/client/src/gateway/clock.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/**
 * Time that passes only when a schedule says so. What people see as the local time may jump; sleeps go by time that
 * passed.
 */
export class ModelClock implements Clock {
  #passed: number;
  #jumped = 0;
  #busy = 0;
  readonly #sleepers = new Set<Sleeper>();

  constructor(start: number) {
    this.#passed = start;
  }

  /** Whole milliseconds, as every clock of a computer gives them. */
  now = (): number => Math.floor(this.#passed + this.#jumped);

  /** Somebody corrects the clock of the machine; ms, negative for back. */
  jump(ms: number): void {
    this.#jumped += ms;
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

  /** Work that passes no time and yet is no promise of ours, such as the body of a response: `settle` waits for it. */
  async during<T>(work: Promise<T>): Promise<T> {
    this.#busy++;
    return await work.finally(() => {
      this.#busy--;
    });
  }

  /** After every promise that can already go on has gone on. */
  async settle(): Promise<void> {
    do await new Promise((resolve) => setImmediate(resolve));
    while (this.#busy > 0);
  }

  /**
   * Lets `ms` pass and wakes sleepers in the order of their deadlines, also those that fall asleep again on the way.
   */
  async advance(ms: number): Promise<void> {
    const end = this.#passed + ms;
    for (await this.settle(); ; await this.settle()) {
      const due = this.#earliest();
      if (due === undefined || due.at > end) break;
      this.#sleepers.delete(due);
      this.#passed = Math.max(this.#passed, due.at);
      due.wake();
    }
    this.#passed = end;
  }

  #earliest(): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const it of this.#sleepers) if (first === undefined || it.at < first.at) first = it;
    return first;
  }
}
