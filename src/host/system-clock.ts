import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "@finality/client/gateway";

/** Node fires a timer that is longer than this after 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Timer = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

/** Returns a sleep that takes at least as long as it should, on timers that have a longest duration. */
export function sleepOn(timer: Timer): Clock["sleep"] {
  return async (ms, signal) => {
    if (Number.isNaN(ms)) throw new RangeError("NaN is no time to sleep.");
    for (let left = Math.max(0, Math.ceil(ms)); ; left -= LONGEST_TIMER_MS) {
      await timer(Math.min(left, LONGEST_TIMER_MS), signal);
      if (left <= LONGEST_TIMER_MS) return;
    }
  };
}

/** The clock of this computer. Its sleepers never keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: sleepOn(async (ms, signal) => {
    try {
      await wait(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }),
};

/**
 * Time that this thread has worked, in ms: what other programs of the computer do does not count. Where Node cannot
 * tell, it is the time of the wall clock.
 */
export function threadTimeMs(): number {
  if (typeof process.threadCpuUsage !== "function") return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
