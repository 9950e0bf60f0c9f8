import type { Block } from "../gateway.ts";
import type { GatewayMemory } from "./gateway-memory.ts";

/** What the search for the newest solidified block asks. */
export interface SolidHeadSource {
  readonly memory: GatewayMemory;
  /** The gateway, as it is remembered. */
  readonly url: string;
  /** The solidified block of a height; undefined where there is none, not yet or not any more. */
  readonly blockAt: (height: number, signal: AbortSignal | undefined) => Promise<Block | undefined>;
  /** The height of the newest block of all; undefined where nothing tells. */
  readonly headHeight: (signal: AbortSignal | undefined) => Promise<number | undefined>;
}

/** So many blocks are looked for one by one before the steps grow. */
const SINGLE_STEPS = 3;
/** Beyond it no chain is looked for: 2^36 blocks of 3 s are six thousand years. */
const HIGHEST = 2 ** 36;
/** Every how many looks that find nothing new it is looked whether the last one is there still. */
const LOOKS_A_CHECK = 3;

/**
 * The newest solidified block of a gateway that tells solidified blocks by their height and no more: found once, then
 * followed. A node that is behind what was seen before has nothing new. Where a block is gone, or does not continue the
 * chain, all of it is looked for anew: whoever asked sees the break.
 */
export class SolidHead {
  readonly #source: SolidHeadSource;
  #idle = 0;

  constructor(source: SolidHeadSource) {
    this.#source = source;
  }

  /** @returns undefined where it cannot be found: the gateway has no old blocks, and nothing tells how high it is */
  async newest(signal?: AbortSignal): Promise<Block | undefined> {
    const { memory, url } = this.#source;
    const known = memory.newestSolid(url);
    const newest = (known && (await this.#follow(known, signal))) ?? (await this.#find(signal));
    memory.noteNewestSolid(url, newest);
    return newest;
  }

  /** Undefined where the chain is not the one that was followed. */
  async #follow(known: Block, signal: AbortSignal | undefined): Promise<Block | undefined> {
    const { blockAt } = this.#source;
    const next = await blockAt(known.number + 1, signal);
    if (next !== undefined) {
      this.#idle = 0;
      return next.parentId === known.id ? await this.#climb(next, signal) : undefined;
    }
    this.#idle++;
    if (this.#idle % LOOKS_A_CHECK !== 0) return known;
    return (await blockAt(known.number, signal))?.id === known.id ? known : undefined;
  }

  /** One by one at first, for mostly one or two are new. */
  async #climb(from: Block, signal: AbortSignal | undefined): Promise<Block> {
    let [low, step] = [from, 1];
    for (let steps = 1; ; steps++) {
      if (steps > SINGLE_STEPS) step *= 2;
      const next = await this.#source.blockAt(low.number + step, signal);
      if (next === undefined) return await this.#between(low, low.number + step, signal);
      low = next;
    }
  }

  async #find(signal: AbortSignal | undefined): Promise<Block | undefined> {
    const head = await this.#source.headHeight(signal);
    const found = head === undefined ? undefined : await this.#descend(head, signal);
    return found ?? (await this.#search(signal));
  }

  /** From the newest block of all down: a few blocks below it they are solidified. */
  async #descend(head: number, signal: AbortSignal | undefined): Promise<Block | undefined> {
    let missing = head + 1;
    for (let below = 0; ; below = Math.min(head, 2 * below + 1)) {
      const block = await this.#source.blockAt(head - below, signal);
      if (block !== undefined) return await this.#between(block, missing, signal);
      if (below === head) return undefined;
      missing = head - below;
    }
  }

  /** With steps that grow, and past what a node has thrown away. */
  async #search(signal: AbortSignal | undefined): Promise<Block | undefined> {
    let low: Block | undefined;
    for (let height = 1; height <= HIGHEST; height *= 4) {
      const block = await this.#source.blockAt(height, signal);
      if (block === undefined && low !== undefined) return await this.#between(low, height, signal);
      low = block;
    }
    return low;
  }

  async #between(there: Block, missing: number, signal: AbortSignal | undefined): Promise<Block> {
    let [low, high] = [there, missing];
    while (high - low.number > 1) {
      const middle = Math.floor((low.number + high) / 2);
      const block = await this.#source.blockAt(middle, signal);
      if (block === undefined) high = middle;
      else low = block;
    }
    return low;
  }
}
