import { BLOCK_INTERVAL_MS } from "@finality/tron/primitives";

/** Interval between blocks, measured by the caller's clock alone: chain time may run faster or slower than it. */
export interface PollInterval {
  readonly intervalMs: number;
  /** True if the interval was measured, false if it is assumed. */
  readonly isMeasured: boolean;
  /** The highest block seen and when it was first seen, Unix ms. */
  readonly height: number | undefined;
  readonly at: number;
  /** Number of consecutive polls without a new block. */
  readonly emptyPolls: number;
}

/** Minimum poll frequency; ms. */
export const LONGEST_PAUSE_MS = 30_000;
const SHORTEST_INTERVAL_MS = 20;
/** Slightly later than the next block is due, so that a poll is rarely too early. */
const SLACK = 1.1;

export const INITIAL_POLL_INTERVAL: PollInterval = {
  intervalMs: BLOCK_INTERVAL_MS,
  isMeasured: false,
  height: undefined,
  at: 0,
  emptyPolls: 0,
};

/** Returns the interval after a poll returned `height` at the local time `at`. */
export function afterPoll(interval: PollInterval, height: number, at: number): PollInterval {
  if (interval.height === undefined) return { ...interval, height, at };
  if (height <= interval.height) return { ...interval, emptyPolls: interval.emptyPolls + 1 };
  const seen = (at - interval.at) / (height - interval.height);
  const intervalMs = clamp(seen < interval.intervalMs / 2 ? seen : (seen + interval.intervalMs) / 2);
  return { intervalMs, isMeasured: true, height, at, emptyPolls: 0 };
}

/** Returns the interval without the observations before a pause: the next sample is the first again. */
export function withoutProgress(interval: PollInterval): PollInterval {
  return { ...interval, height: undefined, emptyPolls: 0 };
}

/** Returns the time to wait for `blocks` more blocks; ms. */
export function waitForBlocks(interval: PollInterval, blocks: number): number {
  return Math.max(SHORTEST_INTERVAL_MS, interval.intervalMs * blocks * SLACK);
}

/**
 * Returns the time from now until `blocks` blocks are expected since the last progress; ms. A late block is given one
 * more interval. The pause doubles while there is no progress, up to 30 s.
 */
export function timeUntilBlocks(interval: PollInterval, blocks: number, now: number): number {
  const shortest =
    interval.emptyPolls > 0 ? backoff(waitForBlocks(interval, 1), interval.emptyPolls - 1) : SHORTEST_INTERVAL_MS;
  return Math.max(shortest, interval.at + waitForBlocks(interval, blocks) - now);
}

/** Returns a pause that doubles `times` times, up to 30 s; ms. */
export function backoff(ms: number, times: number, factor = 2): number {
  return Math.min(LONGEST_PAUSE_MS, ms * factor ** Math.min(times, 30));
}

function clamp(ms: number): number {
  return Math.min(BLOCK_INTERVAL_MS, Math.max(SHORTEST_INTERVAL_MS, ms));
}
