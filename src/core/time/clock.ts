/** The port through which core sees local time. It orders and paces; it never proves anything about the chain. */
export interface Clock {
  /** Unix time in ms. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
