import type { Clock } from "../../../src/core/time/clock.ts";

/** In the place of the clock of who waits for something to last: everything lasts. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async () => undefined,
};
