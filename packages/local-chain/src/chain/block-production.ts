import { BLOCK_INTERVAL_MS, type BlockId } from "@finality/tron/primitives";
import { Halt } from "./halt.ts";
import type { ChainTransaction } from "./transaction.ts";

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

/** A change of a chain. All of them, in their order, lead from its first blocks to where it is. */
export type ChainEvent =
  | PlainEvent
  /** It was taken into the pool. */
  | { readonly kind: "transaction"; readonly transaction: ChainTransaction }
  /** The state was changed by hand: nothing leads there, so it has to be kept as it is. */
  | { readonly kind: "amendment" };

/** Changes that are plain values. */
export type PlainEvent =
  | ({ readonly kind: "block"; readonly id: BlockId } & Made)
  | ({
      readonly kind: "fork";
      readonly depth: number;
      readonly transactions: "return" | "lost";
      /** Of the new head. */
      readonly id: BlockId;
    } & Made)
  | { readonly kind: "warp"; readonly ms: number }
  | { readonly kind: "snapshot"; readonly name: string }
  | { readonly kind: "restore"; readonly name: string };

/** What blocks depended on besides the chain: with it they can be made again. */
export interface Made {
  readonly answers: HookAnswers;
  /** After them. */
  readonly times: TimeState;
}

/** What may be asked of somebody else while blocks are made. */
export interface BlockHooks {
  /** Asked with each block whether solidification stands still. */
  holdsSolidification(): boolean;
  /** Asked with each transaction of a block whether its code ends by force. */
  endsCode(): Halt | undefined;
  /** The chain time in ms of a block that is made again. */
  time?(): number | undefined;
}

const NO_HOOKS: BlockHooks = { holdsSolidification: () => false, endsCode: () => undefined };

/** What hooks have answered, in the order of the questions. Only plain values, so that they can be kept. */
export interface HookAnswers {
  /** The chain time in ms of each block. */
  readonly times: readonly number[];
  readonly held: readonly boolean[];
  readonly ended: readonly (Pick<Halt, "result" | "javaClass" | "message"> | undefined)[];
}

/** What happens around the making of blocks: who is asked, what was answered, and who hears of changes. */
export class BlockMaking {
  readonly #times: BlockTimes;
  #hooks: BlockHooks = NO_HOOKS;
  #answers: Answers = { times: [], held: [], ended: [] };
  #listener: (event: ChainEvent) => void = () => {};

  constructor(times: BlockTimes) {
    this.#times = times;
  }

  /** From now on these are asked. */
  ask(hooks: BlockHooks): void {
    this.#hooks = hooks;
  }

  /** From now on this hears of each change, after it was made and before anybody is told of it. */
  listen(listener: (event: ChainEvent) => void): void {
    this.#listener = listener;
  }

  tell(event: ChainEvent): void {
    this.#listener(event);
  }

  /** The time of the next block: the hooks' own, or what a clock gives. */
  nextTime(latest: number, spacing: Spacing): number {
    const time = this.#hooks.time?.() ?? this.#times.next(latest, spacing);
    this.#answers.times.push(time);
    return time;
  }

  holdsSolidification(): boolean {
    const held = this.#hooks.holdsSolidification();
    this.#answers.held.push(held);
    return held;
  }

  endsCode(): Halt | undefined {
    const halt = this.#hooks.endsCode();
    this.#answers.ended.push(halt && { result: halt.result, javaClass: halt.javaClass, message: halt.message });
    return halt;
  }

  /** What the blocks that were made since this was asked last depended on. */
  made(): Made {
    const answers = this.#answers;
    this.#answers = { times: [], held: [], ended: [] };
    return { answers, times: this.#times.state };
  }

  /** Makes blocks that were made before: with the same answers, and at the same times. */
  again({ answers, times }: Made, make: () => unknown): void {
    const usual = this.#hooks;
    this.#hooks = sameAnswers(answers);
    make();
    this.#hooks = usual;
    this.#times.state = times;
  }
}

/** Answers as they come in. */
interface Answers {
  readonly times: number[];
  readonly held: boolean[];
  readonly ended: EndOfCode[];
}

type EndOfCode = HookAnswers["ended"][number];

/** Hooks that answer again what was answered once. */
function sameAnswers({ times, held, ended }: HookAnswers): BlockHooks {
  const [moments, holds, ends] = [times.values(), held.values(), ended.values()];
  return {
    time: () => moments.next().value,
    holdsSolidification: () => holds.next().value ?? false,
    endsCode: () => {
      const halt = ends.next().value;
      return halt && new Halt(halt.result, halt.javaClass, halt.message);
    },
  };
}
