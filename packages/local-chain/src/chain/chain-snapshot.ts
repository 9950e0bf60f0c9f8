import { decodeTransaction } from "@finality/tron/transaction";
import { type Block, BlockList, type PackedBlock } from "./block.ts";
import type { TimeState } from "./block-times.ts";
import type { Pending } from "./mempool.ts";
import { type StateImage, StateLayers } from "./state-layers.ts";
import { chainTransaction } from "./transaction.ts";

/** Everything that a snapshot keeps. */
export interface ChainSnapshot {
  readonly blocks: BlockList;
  readonly irreversibleHeight: number;
  readonly states: StateLayers;
  readonly pending: readonly Pending[];
  readonly times: TimeState;
  readonly builds: number;
}

/** State and lists are all that changes here, so they alone are copied. */
export function copySnapshot(snapshot: ChainSnapshot): ChainSnapshot {
  const { blocks, states, pending } = snapshot;
  return { ...snapshot, blocks: blocks.copy(), states: states.copy(), pending: [...pending] };
}

/** A snapshot as plain values, which can be written into a file. */
export interface SnapshotImage {
  readonly blocks: readonly PackedBlock[];
  readonly irreversibleHeight: number;
  readonly states: StateImage;
  readonly pending: readonly (Omit<Pending, "transaction"> & { readonly bytes: Uint8Array })[];
  readonly times: TimeState;
  readonly builds: number;
}

export function imageOf({ blocks, states, pending, ...numbers }: ChainSnapshot): SnapshotImage {
  return {
    ...numbers,
    blocks: blocks.image(),
    states: states.image(),
    pending: pending.map(({ transaction: { bytes }, ...rest }) => ({ ...rest, bytes })),
  };
}

/** @param genesis - the block that the chain began with, which no image holds */
export function snapshotOf(image: SnapshotImage, genesis: Block): ChainSnapshot {
  const pending = image.pending.map(({ bytes, ...rest }) => ({
    ...rest,
    transaction: chainTransaction(decodeTransaction(bytes)),
  }));
  const blocks = BlockList.fromImage(genesis, image.blocks);
  return { ...image, blocks, states: StateLayers.fromImage(image.states), pending };
}
