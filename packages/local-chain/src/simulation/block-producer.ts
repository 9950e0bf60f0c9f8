import { BLOCK_INTERVAL_MS } from "@finality/tron/primitives";
import type { WallClock } from "../chain/block-times.ts";
import type { Blockchain } from "../chain/blockchain.ts";

/** Real ms between blocks, 0 for none but on request, or a block for each transaction and those that solidify it. */
export type Pace = number | "instant";

/** Solidified data is at most about two thirds of the witnesses behind. */
const MOST_WITNESSES = 127;

/** Makes the blocks of a chain at their times. */
export class BlockProducer implements WallClock {
  readonly #chain: Blockchain;
  readonly now: () => number;
  #pace: Pace;
  #timer: NodeJS.Timeout | undefined;
  #started = false;

  constructor(chain: Blockchain, now: () => number, pace: Pace) {
    this.#chain = chain;
    this.now = now;
    this.#pace = pace;
  }

  get pace(): Pace {
    return this.#pace;
  }

  get running(): boolean {
    return this.#blockTimeMs > 0;
  }

  get slotMs(): number {
    return this.running ? Math.min(this.#blockTimeMs, BLOCK_INTERVAL_MS) : BLOCK_INTERVAL_MS;
  }

  get #blockTimeMs(): number {
    return this.#pace === "instant" ? 0 : this.#pace;
  }

  start(): void {
    this.#started = true;
    this.#schedule();
  }

  stop(): void {
    this.#started = false;
    clearTimeout(this.#timer);
  }

  change(pace: Pace): void {
    this.#pace = pace;
    this.#schedule();
  }

  /** A transaction has come into the pool: its sender has the answer when it has a block, and shares it with nobody. */
  accepted(): void {
    if (this.#pace === "instant") this.#produceUntilSolid();
  }

  /** Nothing else would solidify the block. */
  #produceUntilSolid(): void {
    const { number } = this.#chain.produceBlock("near").header;
    for (let more = 0; more < MOST_WITNESSES && this.#chain.irreversible.header.number < number; more += 1) {
      this.#chain.produceBlock("near");
    }
    this.#chain.settle();
  }

  /** Blocks come when the clock shows a multiple of the time between them, as those of a network do. */
  #schedule(): void {
    clearTimeout(this.#timer);
    if (!this.#started || !this.running) return;
    this.#timer = setTimeout(
      () => {
        this.#schedule();
        this.#chain.produceBlock("near");
      },
      this.#blockTimeMs - (this.now() % this.#blockTimeMs),
    );
  }
}
