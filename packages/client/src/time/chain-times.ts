/** The chain time of a head block, and when it was read by the local clock; both ms. */
export interface HeadSample {
  readonly chain: number;
  readonly local: number;
}

/** The last head that was read of each network, by its name. */
export type HeadSamples = ReadonlyMap<string, HeadSample>;

/** Older samples say little about now: the chain may have stopped, or been put back. */
const FRESH_MS = 10 * 60_000;

/**
 * What time it is on a chain, from the head that was read last; undefined when none was for a while. The local clock
 * only says how long ago that was; it is never compared with chain time. An estimate is for people: it proves nothing.
 *
 * @param local - now, by the local clock, ms
 */
export function chainTimeAbout(local: number, head: HeadSample | undefined): number | undefined {
  if (head === undefined) return undefined;
  const elapsed = local - head.local;
  return elapsed < 0 || elapsed > FRESH_MS ? undefined : head.chain + elapsed;
}
