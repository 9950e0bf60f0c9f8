import type { Clock } from "../../../packages/client/src/gateway/clock.ts";

/** In the place of the clock of who waits for something to last: everything lasts. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async () => undefined,
};
