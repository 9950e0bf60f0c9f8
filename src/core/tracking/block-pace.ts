/** How fast blocks come, by the caller's clock alone: chain time may run faster or slower than it. */
export interface BlockPace {
  readonly intervalMs: number;
  /** Whether the interval was seen, not assumed. */
  readonly measured: boolean;
  /** The highest block seen and when it was first seen, Unix ms. */
  readonly height: number | undefined;
  readonly at: number;
  /** Polls in a row that showed nothing new. */
  readonly idle: number;
}

/** Blocks of these chains come every 3 s (protocol reference §6); no chain is polled more slowly while all is well. */
export const USUAL_INTERVAL_MS = 3_000;
const SHORTEST_INTERVAL_MS = 20;
/** A little later than the next block is due, so that a poll hardly ever comes too early. */
const SLACK = 1.1;

export const FIRST_PACE: BlockPace = {
  intervalMs: USUAL_INTERVAL_MS,
  measured: false,
  height: undefined,
  at: 0,
  idle: 0,
};

/** The pace after a poll showed `height` at the local time `at`. */
export function paceAfter(pace: BlockPace, height: number, at: number): BlockPace {
  if (pace.height === undefined) return { ...pace, height, at };
  if (height <= pace.height) return { ...pace, idle: pace.idle + 1 };
  const seen = (at - pace.at) / (height - pace.height);
  const intervalMs = clamp(seen < pace.intervalMs / 2 ? seen : (seen + pace.intervalMs) / 2);
  return { intervalMs, measured: true, height, at, idle: 0 };
}

/** The pace without what was seen before a pause: the next sample is the first again. */
export function pacePaused(pace: BlockPace): BlockPace {
  return { ...pace, height: undefined, idle: 0 };
}

/** How long to wait for `blocks` more blocks; ms. */
export function waitFor(pace: BlockPace, blocks: number): number {
  return Math.max(SHORTEST_INTERVAL_MS, pace.intervalMs * blocks * SLACK);
}

/** How long to wait before the next poll of the newest block: one interval since the last progress, longer when blocks are late. */
export function untilNextBlock(pace: BlockPace, now: number): number {
  if (pace.idle === 0) return Math.max(SHORTEST_INTERVAL_MS, pace.at + pace.intervalMs * SLACK - now);
  return clamp(pace.intervalMs * 2 ** (pace.idle - 2));
}

function clamp(ms: number): number {
  return Math.min(USUAL_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, ms));
}
