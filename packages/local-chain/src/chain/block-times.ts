import { BLOCK_INTERVAL_MS } from "@finality/tron/primitives";

/** The clock on the wall, as a chain without a time of its own keeps to it. */
export interface WallClock {
  /** Unix time in ms. */
  now(): number;
  /** ms between the slots of blocks: 3000, or less where blocks come faster. */
  readonly slotMs: number;
  /** Whether blocks come by themselves. */
  readonly running: boolean;
}

/** What a snapshot keeps of the time. */
export interface TimeState {
  /** ms that the next block jumps over. */
  readonly jumpMs: number;
  /** How far chain time is put before the clock, in ms; undefined once it goes by itself. */
  readonly aheadMs: number | undefined;
}

/**
 * How far a block is from the one before when both are made in one slot: in the next slot, so that blocks in a row let
 * time pass, or one ms, so that chain time stays near the clock. Where blocks come on request alone, those that are
 * asked for take the next slots as long as chain time is at most 30 s ahead by that.
 */
export type Spacing = "slots" | "asked" | "near";

/** A client that counts 60 s from its own clock still has half of them. */
const LEAD_MS = 30_000;

/** As many as somebody makes to have something solidified. */
const SHORT_ROW = 6;

/** Of blocks that somebody asks for. A long row of them is there to let time pass. */
export function spacingOf(blocks: number): Spacing {
  return blocks > SHORT_ROW ? "slots" : "asked";
}

/**
 * When blocks come. A chain with a time of its own has one each 3000 ms. Any other keeps to the clock on the wall: a
 * block has the time of the slot in which it is made, or a later one.
 *
 * A jump puts chain time before the clock for good. Where blocks come on request alone it goes by itself afterwards, so
 * that it can be said to the slot when things happen.
 */
export class BlockTimes {
  readonly #start: number;
  #clock: WallClock | undefined;
  state: TimeState = { jumpMs: 0, aheadMs: undefined };

  /** @param start - chain time in ms of the first block */
  constructor(start: number) {
    this.#start = start;
  }

  /** From the next block on chain time keeps to this clock. */
  follow(clock: WallClock): void {
    this.#clock = clock;
    this.state = { ...this.state, aheadMs: 0 };
  }

  /** The next block comes this much later, as after missed slots. */
  jump(ms: number): void {
    this.state = { ...this.state, jumpMs: this.state.jumpMs + Math.ceil(ms / BLOCK_INTERVAL_MS) * BLOCK_INTERVAL_MS };
  }

  /** The time of the next block. @param latest - chain time in ms that it has to be after */
  next(latest: number, spacing: Spacing): number {
    const { jumpMs, aheadMs } = this.state;
    const clock = this.#clock;
    if (jumpMs > 0 || clock === undefined || aheadMs === undefined) return this.#jumped(latest);
    const slot = slotOf(clock) + aheadMs;
    const lead = spacing === "slots" ? Number.POSITIVE_INFINITY : spacing === "near" || clock.running ? 0 : LEAD_MS;
    return Math.max(slot, Math.min(latest + clock.slotMs, slot + lead), latest + 1);
  }

  #jumped(latest: number): number {
    const { jumpMs, aheadMs } = this.state;
    const time = Math.max(this.#start, latest + BLOCK_INTERVAL_MS) + jumpMs;
    const clock = this.#clock?.running === true && aheadMs !== undefined ? slotOf(this.#clock) : undefined;
    this.state = { jumpMs: 0, aheadMs: clock === undefined ? undefined : time - clock };
    return time;
  }
}

/** Timers of Node may be a little early. */
const EARLY_MS = 20;

function slotOf({ now, slotMs }: WallClock): number {
  return Math.floor((now() + EARLY_MS) / slotMs) * slotMs;
}
