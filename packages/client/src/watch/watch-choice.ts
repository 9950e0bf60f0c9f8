import { BLOCK_INTERVAL_MS } from "@finality/tron/primitives";
import type { TrackedTransaction } from "../life/tracked-transaction.ts";
import { LONGEST_PAUSE_MS } from "./block-pace.ts";

/** The ways of following transactions: each by its txID, or all of them by reading every solidified block. */
export type WatchWay = "each" | "blocks";

/** What a way is expected to cost until everything fresh is settled. */
export interface Cost {
  readonly requests: number;
  readonly bytes: number;
}

export interface ExpectedCosts extends Readonly<Record<WatchWay, Cost>> {
  /** How many transactions were sent so lately that the next blocks should hold them. */
  readonly fresh: number;
  /** How many wait for longer, and may never come. */
  readonly waiting: number;
}

/** From sending to finality: a block to be included and 18 more to be solidified (protocol reference §16). */
const USUAL_LIFE_BLOCKS = 20;
/** What is older has missed its blocks: by then its expiration, a minute as a rule, is solidified. */
const FRESH_BLOCKS = 2 * USUAL_LIFE_BLOCKS;
const LOOKS_FOR_ONE = 5;
const LOOK_BYTES = 1_000;
/** Of a block with some fifty transactions. */
const BLOCK_BYTES = 50_000;
const BYTES_WORTH_A_REQUEST = 100_000;
/** The other way has to cost this much less, so that the choice does not swing. */
const WORTH_A_CHANGE = 0.75;

/**
 * What both ways should cost over the next blocks, by how long ago each transaction was sent; the local clock only
 * paces.
 */
export function expectedCosts(live: readonly TrackedTransaction[], intervalMs: number, now: number): ExpectedCosts {
  const interval = Math.min(intervalMs, BLOCK_INTERVAL_MS);
  const fresh = live.filter((it) => now - sentAt(it) < FRESH_BLOCKS * interval).length;
  const waiting = live.length - fresh;
  const looks = fresh * LOOKS_FOR_ONE + (waiting * USUAL_LIFE_BLOCKS * interval) / LONGEST_PAUSE_MS;
  return {
    fresh,
    waiting,
    each: { requests: Math.ceil(looks), bytes: Math.ceil(looks) * LOOK_BYTES },
    blocks: { requests: USUAL_LIFE_BLOCKS, bytes: USUAL_LIFE_BLOCKS * BLOCK_BYTES },
  };
}

/**
 * The cheaper way. Once blocks are read, that goes on while anything is fresh: most of its blocks are behind it then.
 */
export function cheaperWay({ each, blocks, fresh }: ExpectedCosts, current: WatchWay): WatchWay {
  if (current === "blocks") return fresh === 0 && weight(each) < weight(blocks) * WORTH_A_CHANGE ? "each" : "blocks";
  return weight(blocks) < weight(each) * WORTH_A_CHANGE ? "blocks" : "each";
}

/** The choice with its figures, for the log, which is in English. */
export function describeChoice(
  network: string,
  way: WatchWay,
  { each, blocks, fresh, waiting }: ExpectedCosts,
): string {
  const what = way === "each" ? "Looking for each transaction" : "Reading every solidified block";
  const why = `${fresh} fresh and ${waiting} waiting`;
  return `${what} of ${network} (${why}). Expected: each ${describe(each)}, blocks ${describe(blocks)}.`;
}

function describe({ requests, bytes }: Cost): string {
  return `${requests} requests and ${Math.round(bytes / 1_000)} kB`;
}

function weight({ requests, bytes }: Cost): number {
  return requests + bytes / BYTES_WORTH_A_REQUEST;
}

function sentAt({ attempts, createdAt }: TrackedTransaction): number {
  return attempts.at(-1)?.startedAt ?? createdAt;
}
