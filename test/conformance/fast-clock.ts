import type { Clock } from "../../packages/client/src/gateway/clock.ts";
import { systemClock } from "../../packages/node/src/system-clock.ts";

const SPEED = 20;
const START = Date.now();

/** A clock that runs twenty times as fast as real time. */
export const fastClock: Clock = {
  now: () => START + (Date.now() - START) * SPEED,
  sleep: (ms, signal) => systemClock.sleep(ms / SPEED, signal),
};
