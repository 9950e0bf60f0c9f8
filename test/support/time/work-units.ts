import { threadTimeMs } from "../../../packages/node/src/system-clock.ts";

/** About 0.5 ms of work on a machine of 2024. */
const TEXT = JSON.stringify(Array.from({ length: 1_000 }, (_, at) => ({ name: `name${at}`, values: [at, `${at}`] })));
const ROUNDS = 10;
/** The operating system counts CPU time in ticks of up to 10 ms. */
const REPEATS = 50;

/** Returns the CPU time that a fixed piece of work needs on this machine now, ms. Limits of time are multiples of it. */
export function workUnitMs(): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const before = threadTimeMs();
    for (let repeat = 0; repeat < REPEATS; repeat++) JSON.parse(TEXT);
    best = Math.min(best, (threadTimeMs() - before) / REPEATS);
  }
  return best;
}
