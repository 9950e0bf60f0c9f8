/** Port through which core reads local time. It is used for order and intervals, never as proof about the chain. */
export interface Clock {
  /** Unix time in ms. */
  now(): number;
  /** Resolves after `ms`; rejects with the signal's reason as soon as it aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * Returns the result of `work` unless it takes longer than `ms`. The work itself is not cancelled.
 *
 * @throws the error of `late` after the time, otherwise the error of the work
 */
export async function within<T>(clock: Clock, ms: number, work: PromiseLike<T>, late: () => Error): Promise<T> {
  const done = new AbortController();
  const timer = clock.sleep(ms, done.signal).then(() => {
    throw late();
  });
  try {
    return await Promise.race([work, timer]);
  } finally {
    done.abort();
  }
}

/** Maximum time that other work of the thread waits; ms. */
const TURN_MS = 10;

/** Await between parts of a long computation: regularly yields to other work of the thread. */
export function createYielder(clock: Clock): () => Promise<void> {
  let since = clock.now();
  return async () => {
    if (Math.abs(clock.now() - since) < TURN_MS) return;
    await clock.sleep(0);
    since = clock.now();
  };
}

/** Chain time of a head block, and the local time when it was read; both ms. */
export interface HeadSample {
  readonly chain: number;
  readonly local: number;
}

/** Newest head of each network, by name. */
export type HeadSamples = ReadonlyMap<string, HeadSample>;

/** Older samples are ignored: the chain may have stopped or been reset. */
const FRESH_MS = 10 * 60_000;

/**
 * Returns the estimated chain time from the last head sample; undefined without a recent one. The local clock only
 * measures the time since the sample. The estimate is for display and proves nothing.
 *
 * @param local - now, by the local clock, ms
 */
export function chainTimeAbout(local: number, head: HeadSample | undefined): number | undefined {
  if (head === undefined) return undefined;
  const elapsed = local - head.local;
  return elapsed < 0 || elapsed > FRESH_MS ? undefined : head.chain + elapsed;
}
