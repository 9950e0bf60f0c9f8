import type { Clock } from "./clock.ts";

/** Other work of the thread waits no longer than about this; ms. */
const TURN_MS = 10;

/** To be awaited between the pieces of a long computation: now and then it lets the other work of the thread go on. */
export function turns(clock: Clock): () => Promise<void> {
  let since = clock.now();
  return async () => {
    if (Math.abs(clock.now() - since) < TURN_MS) return;
    await clock.sleep(0);
    since = clock.now();
  };
}
