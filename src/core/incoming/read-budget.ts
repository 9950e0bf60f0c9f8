/** Requests for each block that reading may cost over time. */
const REQUESTS_A_BLOCK = 1.05;
/** Below it what was spent too much is forgotten: nobody waits for minutes because of an hour without blocks. */
const LARGEST_DEBT = 8;
const LARGEST_CREDIT = 1;
/** At the usual pace two and a half minutes. */
const MOST_BLOCKS = 50;
/** How much the newest reading says about those to come. */
const WEIGHT_OF_NEWEST = 0.2;

/**
 * How many blocks to wait for before they are read, so that reading costs at most 1.05 requests a block over time. A
 * new block is one request, more of them are two; and each that holds calls of contracts is one more, for its receipts.
 * Where most blocks do, many have to be read together.
 */
export class ReadBudget {
  #left = 0;
  /** Of a hundred blocks so many have receipts to be read, over a hundred. */
  #receipts = 0;

  /** So many new blocks were read, with so many requests, some of them for receipts. */
  spent(blocks: number, requests: number, receipts: number): void {
    const left = this.#left + REQUESTS_A_BLOCK * blocks - requests;
    this.#left = Math.max(-LARGEST_DEBT, Math.min(LARGEST_CREDIT, left));
    if (blocks === 0) return;
    const weight = 1 - (1 - WEIGHT_OF_NEWEST) ** blocks;
    this.#receipts += (receipts / blocks - this.#receipts) * weight;
  }

  /** How many blocks to await before the next reading. */
  get blocksToAwait(): number {
    for (let blocks = 1; blocks < MOST_BLOCKS; blocks++) {
      const cost = (blocks === 1 ? 1 : 2) + this.#receipts * blocks;
      if (cost <= this.#left + REQUESTS_A_BLOCK * blocks) return blocks;
    }
    return MOST_BLOCKS;
  }
}
