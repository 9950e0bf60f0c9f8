import type { Clock } from "../../../packages/client/src/gateway/clock.ts";
import { machine } from "../model/machine.ts";

/** In the place of the clock of the computer: that of the machine that is mounted. */
export const systemClock: Clock = {
  now: () => machine().clock.now(),
  sleep: (ms, signal) => machine().clock.sleep(ms, signal),
};

/** CPU time does not count in a simulation. */
export const threadTimeMs = (): number => performance.now();
