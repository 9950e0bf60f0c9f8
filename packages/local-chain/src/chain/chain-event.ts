import type { BlockId } from "@finality/tron/primitives";
import type { BlockTimes, Spacing, TimeState } from "./block-times.ts";
import { Halt } from "./halt.ts";
import type { ChainTransaction } from "./transaction.ts";

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
