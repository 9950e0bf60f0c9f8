import { ChainError } from "@finality/tron/errors";
import type { BlockId } from "@finality/tron/primitives";
import type { Block, Gateway } from "../gateway/gateway.ts";

/**
 * Last block that was read. It can be stored and used again; without an ID the next block is accepted without a link
 * check.
 */
export interface ScanCursor {
  readonly number: number;
  readonly id?: BlockId;
}

const BLOCKS_A_REQUEST = 100;

/**
 * Reads the solidified blocks after the cursor, in order, each once, linked by parent. The poll returns the newest
 * block itself, so a single new block costs one request; blocks between cost one request per 100. Skips nothing: the
 * caller advances the cursor and retries after an error. A node that lags behind the cursor has nothing new.
 *
 * @param after - Cursor, or a function that chooses one when the newest block is known.
 * @throws {ChainError} `CHAIN_BLOCK_MISSING` for a gap, `CHAIN_LINK_BROKEN` for a block of another chain, or the errors
 *   of the gateway
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

/** Reads the first blocks after the cursor, at least one. */
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
 * Returns the blocks if they follow the cursor without a gap and each has the previous one as its parent.
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

/** Returns the blocks from these heights on, up to the first gap. */
export function runFrom(height: number, blocks: readonly Block[]): readonly Block[] {
  const byHeight = new Map(blocks.map((it) => [it.number, it]));
  const run: Block[] = [];
  for (let block = byHeight.get(height); block !== undefined; block = byHeight.get(block.number + 1)) run.push(block);
  return run;
}
