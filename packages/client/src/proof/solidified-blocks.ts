import { ChainError } from "@finality/tron/errors";
import type { BlockId } from "@finality/tron/primitives";
import type { Block, Gateway } from "../gateway/gateway.ts";

/** The last block that was read. It can be kept and used again; without an id the next block is taken on trust. */
export interface ScanCursor {
  readonly number: number;
  readonly id?: BlockId;
}

const BLOCKS_A_REQUEST = 100;

/**
 * The solidified blocks after the cursor, in order, each once, linked by parent.
 *
 * The newest one comes with the poll itself, so a single new block costs one request, however many transactions wait
 * for it; what lies between costs one request for 100. Nothing is skipped: the caller moves the cursor with what it
 * got, and asks again after an error. A node that lags behind the cursor has nothing new.
 *
 * @param after - the cursor, or how to choose one when the newest block is known
 * @throws {ChainError} `CHAIN_BLOCK_MISSING` a hole, `CHAIN_LINK_BROKEN` a block of another chain, or what the gateway
 *   throws
 */
export async function* newSolidifiedBlocks(
  gateway: Gateway,
  after: ScanCursor | ((newest: Block) => ScanCursor),
  signal: AbortSignal,
): AsyncGenerator<readonly Block[]> {
  const newest = await gateway.solidBlock(signal);
  let cursor = typeof after === "function" ? after(newest) : after;
  while (newest.number > cursor.number + 1) {
    const run = await readRun(gateway, cursor, newest.number, signal);
    yield run;
    cursor = run.at(-1) ?? cursor;
  }
  if (newest.number === cursor.number + 1) yield linked(cursor, [newest]);
}

/** The first blocks after the cursor, at least one. */
async function readRun(
  gateway: Gateway,
  after: ScanCursor,
  end: number,
  signal: AbortSignal,
): Promise<readonly Block[]> {
  const start = after.number + 1;
  const blocks = await gateway.solidBlocks(start, Math.min(end, start + BLOCKS_A_REQUEST), signal);
  if (blocks.length === 0) throw new ChainError("CHAIN_BLOCK_MISSING", { height: start });
  return linked(after, blocks);
}

/**
 * The blocks, when they follow the cursor without a gap and each has the one before as its parent.
 *
 * @throws {ChainError} `CHAIN_BLOCK_MISSING`, `CHAIN_LINK_BROKEN`
 */
export function linked(after: ScanCursor, blocks: readonly Block[]): readonly Block[] {
  let previous = after;
  for (const block of blocks) {
    const height = previous.number + 1;
    if (block.number !== height) throw new ChainError("CHAIN_BLOCK_MISSING", { height });
    if (previous.id !== undefined && block.parentId !== previous.id) {
      throw new ChainError("CHAIN_LINK_BROKEN", { height, expectedParent: previous.id, parent: block.parentId });
    }
    previous = block;
  }
  return blocks;
}

/** The blocks of these heights on, as far as they go without a gap. */
export function runFrom(height: number, blocks: readonly Block[]): readonly Block[] {
  const byHeight = new Map(blocks.map((it) => [it.number, it]));
  const run: Block[] = [];
  for (let block = byHeight.get(height); block !== undefined; block = byHeight.get(block.number + 1)) run.push(block);
  return run;
}
