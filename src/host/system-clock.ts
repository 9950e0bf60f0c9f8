import { setTimeout as wait } from "node:timers/promises";
import type { Clock } from "../core/time/clock.ts";

/** The clock of this computer. Its sleepers never keep a process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await wait(ms, undefined, { ref: false, ...(signal === undefined ? {} : { signal }) });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  },
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
