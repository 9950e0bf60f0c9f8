import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "@finality/client/gateway";
import { defined } from "@finality/tron/primitives";

/** Node fires a timer that is longer than this after 1 ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

type Timer = (ms: number, signal: AbortSignal | undefined) => Promise<unknown>;

/** Returns a sleep that never ends early, on timers that have a longest duration. */
export function sleepOn(timer: Timer): Clock["sleep"] {
  return async (ms, signal) => {
    if (Number.isNaN(ms)) throw new RangeError("NaN is no time to sleep.");
    for (let left = Math.max(0, Math.ceil(ms)); ; left -= LONGEST_TIMER_MS) {
      await timer(Math.min(left, LONGEST_TIMER_MS), signal);
      if (left <= LONGEST_TIMER_MS) return;
    }
  };
}

/** The system clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: sleepOn(async (ms, signal) => {
    try {
      await wait(ms, undefined, { ref: false, ...defined({ signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }),
};

/**
 * Returns the CPU time of this thread in ms, so that other programs do not count. Falls back to the wall clock if Node
 * cannot measure it.
 */
export function threadTimeMs(): number {
  if (typeof process.threadCpuUsage !== "function") return performance.now();
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
