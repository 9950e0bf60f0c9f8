import type { BlockList } from "./block.ts";
import type { TimeState } from "./block-times.ts";
import type { Ledger } from "./ledger.ts";
import type { Pending } from "./mempool.ts";

/** A layer of state that a block has made, while the block is not solidified. */
export interface BlockLayer {
  readonly height: number;
  readonly ledger: Ledger;
}

/** Everything that a snapshot keeps. */
export interface ChainSnapshot {
  readonly blocks: BlockList;
  readonly solidHeight: number;
  readonly solidLedger: Ledger;
  readonly layers: readonly BlockLayer[];
  readonly pending: readonly Pending[];
  readonly times: TimeState;
  readonly builds: number;
}

/** Ledgers and lists are all that changes here, so they alone are copied. */
export function copySnapshot(snapshot: ChainSnapshot): ChainSnapshot {
  const solidLedger = snapshot.solidLedger.copy();
  const layers: BlockLayer[] = [];
  for (const { height, ledger } of snapshot.layers) {
    layers.push({ height, ledger: ledger.copy(layers.at(-1)?.ledger ?? solidLedger) });
  }
  return { ...snapshot, blocks: snapshot.blocks.copy(), pending: [...snapshot.pending], solidLedger, layers };
}
