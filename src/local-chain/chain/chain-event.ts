import type { BlockId } from "../../core/primitives/block.ts";
import type { TimeState } from "./block-times.ts";
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

export const NO_HOOKS: BlockHooks = { holdsSolidification: () => false, endsCode: () => undefined };

/** What hooks have answered, in the order of the questions. Only plain values, so that they can be kept. */
export interface HookAnswers {
  /** The chain time in ms of each block. */
  readonly times: readonly number[];
  readonly held: readonly boolean[];
  readonly ended: readonly (Pick<Halt, "result" | "javaClass" | "message"> | undefined)[];
}

/** Hooks that take note of what others answer. */
export class NotedHooks {
  readonly #hooks: BlockHooks;
  #times: number[] = [];
  #held: boolean[] = [];
  #ended: (Halt | undefined)[] = [];

  constructor(hooks: BlockHooks) {
    this.#hooks = hooks;
  }

  /** The time of a block: the hooks' own, or what a clock gives. */
  timeOr(usual: () => number): number {
    const time = this.#hooks.time?.() ?? usual();
    this.#times.push(time);
    return time;
  }

  holdsSolidification(): boolean {
    const held = this.#hooks.holdsSolidification();
    this.#held.push(held);
    return held;
  }

  endsCode(): Halt | undefined {
    const halt = this.#hooks.endsCode();
    this.#ended.push(halt);
    return halt;
  }

  /** What was answered since this was asked last. */
  take(): HookAnswers {
    const ended = this.#ended.map((it) => it && { result: it.result, javaClass: it.javaClass, message: it.message });
    const answers = { times: this.#times, held: this.#held, ended };
    this.#times = [];
    this.#held = [];
    this.#ended = [];
    return answers;
  }
}

/** Hooks that answer again what was answered once. */
export function sameAnswers({ times, held, ended }: HookAnswers): BlockHooks {
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
