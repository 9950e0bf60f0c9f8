import type { Clock } from "./clock.ts";

/**
 * What some work gives, unless it takes longer than `ms`: what never answers keeps nobody waiting. The work itself goes
 * on.
 *
 * @throws what `late` makes, when the time is over; otherwise what the work throws
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
