import type { Block, BlockTransaction } from "../gateway/gateway.ts";
import type { JournalEntry } from "../journal/journal.ts";
import type { TxId } from "../primitives/hash.ts";
import { paceAfter, pacePaused, untilNextBlock } from "./block-pace.ts";
import { needsInfo } from "./execution-outcome.ts";
import { factsInBlock, type Inquiry, lookUp } from "./look-up.ts";
import { newSolidifiedBlocks, type ScanCursor } from "./solidified-block-scanner.ts";
import type { TrackedTransaction } from "./tracked-transaction.ts";
import type { WatchContext } from "./watch-context.ts";

/** So many old blocks cost about as much, in bytes, as looking for one transaction by its txID. */
const BLOCKS_WORTH_A_LOOK = 20;
const LOOKS_AT_ONCE = 5;
const LOOK_AGAIN_MS = 30_000;

interface Match {
  readonly block: Block;
  readonly transaction: BlockTransaction;
}

/** Follows any number of transactions by reading each solidified block once. */
export class BlockWatch {
  readonly #context: WatchContext;
  #cursor: ScanCursor | undefined;
  /** The height after which every block was read. */
  #coveredFrom = 0;
  /** Contracts that a block holds and whose receipt is still to be read. */
  readonly #awaiting = new Map<TxId, Match>();
  /** When to look again for those that may be in a block before the covered ones; local clock. */
  readonly #lookAt = new Map<TxId, number>();
  #nextAt = 0;

  constructor(context: WatchContext) {
    this.#context = context;
    context.pace = pacePaused(context.pace);
  }

  pause(now: number): number {
    return this.#nextAt - now;
  }

  async round(inquiry: Inquiry): Promise<void> {
    const { clock } = inquiry;
    if (clock.now() < this.#nextAt) return;
    await this.#readBlocks(inquiry);
    await this.#readReceipts(inquiry);
    await this.#lookForUncovered(inquiry);
    this.#end();
    this.#nextAt = clock.now() + untilNextBlock(this.#context.pace, clock.now());
  }

  async #readBlocks(inquiry: Inquiry): Promise<void> {
    const { gateway, clock, signal } = inquiry;
    const from = this.#cursor ?? ((newest: Block) => this.#begin(newest));
    for await (const run of newSolidifiedBlocks(gateway, from, signal)) {
      await this.#context.learned((await Promise.all(run.map((it) => this.#match(it, inquiry)))).flat());
      const last = run.at(-1);
      if (last !== undefined) this.#advance(last);
    }
    const height = this.#cursor?.number ?? this.#coveredFrom;
    this.#context.pace = paceAfter(this.#context.pace, height, clock.now());
  }

  /** Starts before the oldest transaction when that is worth it, else with the newest block. */
  #begin(newest: Block): ScanCursor {
    const heights = this.#context.live().flatMap(({ signed }) => (signed ? [signed.solidHeight] : []));
    const oldest = Math.min(newest.number - 1, ...heights);
    const worthIt = newest.number - oldest <= BLOCKS_WORTH_A_LOOK * heights.length;
    this.#coveredFrom = worthIt ? oldest : newest.number - 1;
    this.#cursor = { number: this.#coveredFrom };
    return this.#cursor;
  }

  #advance({ number, id, timestamp }: Block): void {
    this.#cursor = { number, id };
    this.#context.solidTime = Math.max(this.#context.solidTime, timestamp);
  }

  async #match(block: Block, inquiry: Inquiry): Promise<JournalEntry[]> {
    const live = new Map(this.#context.live().map((it) => [it.txId, it]));
    const mine = block.transactions.filter(({ txId }) => live.has(txId));
    for (const transaction of mine.filter(needsInfo)) this.#awaiting.set(transaction.txId, { block, transaction });
    const found = mine.filter((it) => !needsInfo(it)).map((it) => factsInBlock(block, it, inquiry));
    return [...(await Promise.all(found)).flat(), ...lostFrom(block, live, inquiry.clock.now())];
  }

  async #readReceipts(inquiry: Inquiry): Promise<void> {
    const waiting = [...this.#awaiting.values()];
    for (let start = 0; start < waiting.length; start += LOOKS_AT_ONCE) {
      const some = waiting.slice(start, start + LOOKS_AT_ONCE);
      const facts = await Promise.all(some.map((it) => factsInBlock(it.block, it.transaction, inquiry)));
      await this.#context.learned(facts.flat());
      for (const { txId } of facts.flat()) this.#awaiting.delete(txId);
    }
  }

  async #lookForUncovered(inquiry: Inquiry): Promise<void> {
    const now = inquiry.clock.now();
    const due = this.#context.live().filter((it) => !this.#covers(it) && (this.#lookAt.get(it.txId) ?? 0) <= now);
    for (const tracked of due.slice(0, LOOKS_AT_ONCE)) {
      this.#lookAt.set(tracked.txId, now + LOOK_AGAIN_MS);
      await this.#context.learned(await lookUp(tracked, inquiry));
    }
  }

  #covers({ signed }: TrackedTransaction): boolean {
    return signed !== undefined && signed.solidHeight >= this.#coveredFrom;
  }

  /** Whose expiration a solidified block has reached and who was in none of them will not come any more. */
  #end(): void {
    const { live, ended, solidTime } = this.#context;
    for (const tracked of live()) {
      const late = tracked.signed !== undefined && solidTime >= tracked.signed.expiration;
      const looked = this.#covers(tracked) || this.#lookAt.has(tracked.txId);
      if (late && looked && !this.#awaiting.has(tracked.txId)) ended.add(tracked.txId);
    }
  }
}

/** Those that the head view showed in a block of this height, and that are not in the solidified one. */
function lostFrom(block: Block, live: ReadonlyMap<TxId, TrackedTransaction>, at: number): JournalEntry[] {
  const here = new Set(block.transactions.map(({ txId }) => txId));
  return [...live.values()]
    .filter(({ txId, state }) => state.kind === "included" && state.block.number === block.number && !here.has(txId))
    .map(({ txId }) => ({ kind: "lost-from-head", txId, at }));
}
