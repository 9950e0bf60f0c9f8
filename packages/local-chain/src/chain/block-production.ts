import { BLOCK_INTERVAL_MS, type BlockId } from "@finality/tron/primitives";
import { Halt } from "./halt.ts";
import type { ChainTransaction } from "./transaction.ts";

/** Real clock, which a chain without its own time follows. */
export interface RealClock {
  /** Unix time in ms. */
  now(): number;
  /** Milliseconds between block slots: 3000, or less with faster blocks. */
  readonly slotMs: number;
  /** Least distance between blocks in ms. */
  readonly minGapMs: number;
  /** True if blocks are produced by a timer. */
  readonly running: boolean;
}

/** Time state in a snapshot. */
export interface TimeState {
  /** Chain time in ms of the next block, if it was set. */
  readonly nextMs?: number | undefined;
  /** Offset of chain time from the clock in ms; undefined when chain time no longer follows it. */
  readonly aheadMs: number | undefined;
}

/**
 * Distance between blocks of one slot. `slots` takes the next slot, `near` the least distance. `requested` takes the
 * next slots while chain time is at most 30 s ahead of the clock.
 */
export type Spacing = "slots" | "requested" | "near";

/** A client that expires transactions after 60 s of its own clock keeps half of them. */
const LEAD_MS = 30_000;

/** Number of blocks that solidifies a transaction. */
const SHORT_ROW = 6;

/** Returns the spacing of requested blocks. Many blocks are requested to let time pass. */
export function spacingOf(blocks: number): Spacing {
  return blocks > SHORT_ROW ? "slots" : "requested";
}

/**
 * Computes block times. A chain with its own time has a block each 3000 ms; any other follows the clock. A time that was
 * set is exact and used once; chain time then keeps its distance from the clock.
 */
export class BlockTimes {
  readonly #start: number;
  #clock: RealClock | undefined;
  state: TimeState = { aheadMs: undefined };

  /** @param start - chain time in ms of the first block */
  constructor(start: number) {
    this.#start = start;
  }

  /** Makes chain time follow a clock from the next block on. */
  follow(clock: RealClock): void {
    this.#clock = clock;
    this.state = { ...this.state, aheadMs: 0 };
  }

  /** Sets the time of the next block to so many ms after the newest one, or after the time that was set before. */
  jump(latest: number, ms: number): void {
    this.state = { ...this.state, nextMs: (this.state.nextMs ?? latest) + ms };
  }

  /** Returns the time of the next block. @param latest - chain time in ms that it has to be after */
  next(latest: number, spacing: Spacing): number {
    const { nextMs, aheadMs } = this.state;
    if (nextMs === undefined || nextMs <= latest) {
      this.state = { aheadMs };
      return this.#usual(latest, spacing);
    }
    this.state = { aheadMs: this.#clock && aheadMs !== undefined ? nextMs - slotOf(this.#clock) : undefined };
    return nextMs;
  }

  #usual(latest: number, spacing: Spacing): number {
    const { aheadMs } = this.state;
    const clock = this.#clock;
    if (clock === undefined || aheadMs === undefined) return Math.max(this.#start, latest + BLOCK_INTERVAL_MS);
    const slot = slotOf(clock) + aheadMs;
    const lead = spacing === "slots" ? Number.POSITIVE_INFINITY : spacing === "near" || clock.running ? 0 : LEAD_MS;
    return Math.max(slot, Math.min(latest + clock.slotMs, slot + lead), latest + clock.minGapMs);
  }
}

/** Node's timers may fire slightly early. */
const EARLY_MS = 20;

function slotOf({ now, slotMs }: RealClock): number {
  return Math.floor((now() + EARLY_MS) / slotMs) * slotMs;
}

/** A change of the chain. Replaying all events in order rebuilds it. */
export type ChainEvent =
  | PlainEvent
  /** A transaction entered the pool. */
  | { readonly kind: "transaction"; readonly transaction: ChainTransaction }
  /** The state was changed outside of transactions; it cannot be replayed, so it is stored. */
  | { readonly kind: "amendment" };

/** Events that are plain values. */
export type PlainEvent =
  | ({ readonly kind: "block"; readonly id: BlockId } & BlockInputs)
  | ({
      readonly kind: "fork";
      readonly depth: number;
      readonly transactions: "return" | "lost";
      /** Id of the new head. */
      readonly id: BlockId;
    } & BlockInputs)
  | { readonly kind: "warp"; readonly ms: number }
  | { readonly kind: "snapshot"; readonly name: string }
  | { readonly kind: "drop"; readonly name: string }
  | { readonly kind: "restore"; readonly name: string };

/** External inputs of produced blocks, which allow to replay them. */
export interface BlockInputs {
  readonly answers: HookResults;
  /** Time state after the blocks. */
  readonly times: TimeState;
}

/** Decisions that block production takes from outside the chain. */
export interface BlockHooks {
  /** Returns whether a block is not solidified; called for each block. */
  holdsSolidification(): boolean;
  /** Returns whether `endsCode` may return a result. */
  mayEndCode(): boolean;
  /** Returns a forced result of a transaction's code; called for each transaction whose code runs. */
  endsCode(): Halt | undefined;
  /** Returns the chain time in ms of a replayed block. */
  time?(): number | undefined;
}

const NO_HOOKS: BlockHooks = {
  holdsSolidification: () => false,
  mayEndCode: () => false,
  endsCode: () => undefined,
};

/** Recorded results of hooks, in call order. Plain values, so that they can be stored. */
interface HookResults {
  /** Chain time in ms of each block. */
  readonly times: readonly number[];
  readonly held: readonly boolean[];
  readonly ended: readonly (Pick<Halt, "result" | "javaClass" | "message"> | undefined)[];
}

/** Hooks, recorded inputs and listeners of block production. */
export class BlockProduction {
  readonly #times: BlockTimes;
  #hooks: BlockHooks = NO_HOOKS;
  #answers: ResultRecorder = { times: [], held: [], ended: [] };
  #listener: (event: ChainEvent) => void = () => {};
  /** Events of a step that may have to be undone. */
  #held: ChainEvent[] | undefined;

  constructor(times: BlockTimes) {
    this.#times = times;
  }

  /** Sets the hooks. */
  setHooks(hooks: BlockHooks): void {
    this.#hooks = hooks;
  }

  /** Registers a listener. It is called after each change, before the change is reported to a client. */
  onEvent(listener: (event: ChainEvent) => void): void {
    this.#listener = listener;
  }

  emit(event: ChainEvent): void {
    if (this.#held === undefined) this.#listener(event);
    else this.#held.push(event);
  }

  /** Holds events back until the step has ended (`release`) or was undone (`discard`). */
  hold(): void {
    this.#held = [];
  }

  /** Passes the held events on. A stored state after an amendment contains the changes before and after it. */
  release(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    const isAmended = held.some(({ kind }) => kind === "amendment");
    for (const event of held) if (!isAmended || event.kind === "snapshot" || event.kind === "drop") this.emit(event);
    if (isAmended) this.emit({ kind: "amendment" });
  }

  /** Drops the held events, and the inputs of blocks that were undone. */
  discard(): void {
    this.#held = undefined;
    this.takeInputs();
  }

  /** Returns the time of the next block: the hooks' time, or that of the clock. */
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

  /** Returns whether the code of a transaction may end with a forced result. */
  get mayEndCode(): boolean {
    return this.#hooks.mayEndCode();
  }

  endsCode(): Halt | undefined {
    const halt = this.#hooks.endsCode();
    this.#answers.ended.push(halt && { result: halt.result, javaClass: halt.javaClass, message: halt.message });
    return halt;
  }

  /** Returns the inputs of the blocks since the last call. */
  takeInputs(): BlockInputs {
    const answers = this.#answers;
    this.#answers = { times: [], held: [], ended: [] };
    return { answers, times: this.#times.state };
  }

  /** Replays blocks with their recorded inputs and times. */
  replay({ answers, times }: BlockInputs, make: () => unknown): void {
    const usual = this.#hooks;
    this.#hooks = replayedHooks(answers);
    make();
    this.#hooks = usual;
    this.#times.state = times;
  }
}

/** Inputs that are being recorded. */
interface ResultRecorder {
  readonly times: number[];
  readonly held: boolean[];
  readonly ended: EndOfCode[];
}

type EndOfCode = HookResults["ended"][number];

/** Creates hooks that return recorded results. */
function replayedHooks({ times, held, ended }: HookResults): BlockHooks {
  const [moments, holds, ends] = [times.values(), held.values(), ended.values()];
  return {
    time: () => moments.next().value,
    holdsSolidification: () => holds.next().value ?? false,
    mayEndCode: () => ended.some((halt) => halt !== undefined),
    endsCode: () => {
      const halt = ends.next().value;
      return halt && new Halt(halt.result, halt.javaClass, halt.message);
    },
  };
}
