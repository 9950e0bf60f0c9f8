/** Longest lease: a year; ms. */
export const MAX_LEASE_MS = 31_536_000_000;
/** Interval of the countdown; ms. */
const TICK_MS = 500;

/**
 * Decides when a chain ends: on request, or when its lease expires without renewal. The lease counts down in ticks, so
 * a computer that sleeps does not use it up.
 */
export class Lifetime {
  #leftMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopRequested = false;
  #end = (): void => {};

  /** Registers the function that ends the chain. */
  onEnd(end: () => void): void {
    this.#end = end;
  }

  /** Starts or renews the lease. @param ms - 0 for a chain that does not end by itself */
  renew(ms: number): void {
    clearInterval(this.#timer);
    this.#leftMs = ms;
    if (ms > 0) this.#timer = setInterval(() => this.#countDown(), TICK_MS).unref();
  }

  /** Ends the chain once the response to the request is sent. */
  requestStop(): void {
    this.#isStopRequested = true;
  }

  /** Called after each response. */
  endIfRequested(): void {
    if (this.#isStopRequested) this.#end();
  }

  /** Stops the countdown. */
  close(): void {
    clearInterval(this.#timer);
  }

  #countDown(): void {
    this.#leftMs -= TICK_MS;
    if (this.#leftMs <= 0) this.#end();
  }
}
