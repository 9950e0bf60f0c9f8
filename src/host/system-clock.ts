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
