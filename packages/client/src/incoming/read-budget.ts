/** Requests for each block that reading may cost over time: 1.05, less what the first readings cost. */
const REQUESTS_A_BLOCK = 1.03;
/** Below it what was spent too much is forgotten: nobody waits for minutes because of an hour without blocks. */
const LARGEST_DEBT = 8;
const LARGEST_CREDIT = 1;
/** At the usual pace four minutes. */
const MOST_BLOCKS = 80;
/** How much the newest reading says about those to come. */
const WEIGHT_OF_NEWEST = 0.5;

/**
 * How many blocks to wait for before they are read, so that reading costs at most 1.05 requests a block over time. A
 * new block is one request, more of them are two; and each that holds calls of contracts is one more, for its receipts.
 * Where most blocks do, many have to be read together.
 */
export class ReadBudget {
  #left = 0;
  /** Which part of the blocks has receipts to be read. */
  #receipts: number | undefined;

  /** So many new blocks were read, with so many requests, some of them for receipts. */
  spent(blocks: number, requests: number, receipts: number): void {
    const left = this.#left + REQUESTS_A_BLOCK * blocks - requests;
    this.#left = Math.max(-LARGEST_DEBT, Math.min(LARGEST_CREDIT, left));
    if (blocks === 0) return;
    const weight = 1 - (1 - WEIGHT_OF_NEWEST) ** blocks;
    const before = this.#receipts ?? receipts / blocks;
    this.#receipts = before + (receipts / blocks - before) * weight;
  }

  /** How many blocks to await before the next reading. */
  get blocksToAwait(): number {
    const receipts = this.#receipts ?? 0;
    for (let blocks = 1; blocks < MOST_BLOCKS; blocks++) {
      const cost = (blocks === 1 ? 1 : 2) + receipts * blocks;
      if (cost <= this.#left + REQUESTS_A_BLOCK * blocks) return blocks;
    }
    return MOST_BLOCKS;
  }
}
