import { BLOCK_INTERVAL_MS } from "../../core/primitives/block.ts";
import type { WallClock } from "../chain/block-times.ts";
import type { Blockchain } from "../chain/blockchain.ts";

/** Real ms between blocks, 0 for none but on request, or a block for each transaction, solidified at once. */
export type Pace = number | "instant";

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
    chain.solidAtOnce = pace === "instant";
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
    this.#chain.solidAtOnce = pace === "instant";
    this.#schedule();
  }

  /** A transaction has come into the pool: its block comes when its sender has the answer. */
  accepted(): void {
    if (this.#pace !== "instant") return;
    setImmediate(() => {
      if (this.#chain.pool.size > 0) this.#chain.produceBlock("near");
    });
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
