/** How fast blocks come, by the caller's clock alone: chain time may run faster or slower than it. */
export interface BlockPace {
  readonly intervalMs: number;
  /** Whether the interval was seen, not assumed. */
  readonly measured: boolean;
  /** The highest block seen and when it was first seen, Unix ms. */
  readonly height: number | undefined;
  readonly at: number;
  /** Whether the last poll showed nothing new. */
  readonly late: boolean;
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
  late: false,
};

/** The pace after a poll showed `height` at the local time `at`. */
export function paceAfter(pace: BlockPace, height: number, at: number): BlockPace {
  if (pace.height === undefined) return { ...pace, height, at };
  if (height <= pace.height) return { ...pace, late: true };
  const seen = (at - pace.at) / (height - pace.height);
  const intervalMs = clamp(seen < pace.intervalMs / 2 ? seen : (seen + pace.intervalMs) / 2);
  return { intervalMs, measured: true, height, at, late: false };
}

/** The pace without what was seen before a pause: the next sample is the first again. */
export function pacePaused(pace: BlockPace): BlockPace {
  return { ...pace, height: undefined, late: false };
}

/** How long to wait for `blocks` more blocks; ms. */
export function waitFor(pace: BlockPace, blocks: number): number {
  return Math.max(SHORTEST_INTERVAL_MS, pace.intervalMs * blocks * SLACK);
}

/** How long from now until `blocks` blocks should have come since the last progress; ms. A late block is given one more interval. */
export function untilBlocks(pace: BlockPace, blocks: number, now: number): number {
  const shortest = pace.late ? waitFor(pace, 1) : SHORTEST_INTERVAL_MS;
  return Math.max(shortest, pace.at + waitFor(pace, blocks) - now);
}

function clamp(ms: number): number {
  return Math.min(USUAL_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, ms));
}
