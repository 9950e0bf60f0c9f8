import { decodeTransaction, encodeTransaction } from "../../core/transaction/raw-data-codec.ts";
import { type Block, BlockList, type PackedBlock } from "./block.ts";
import type { TimeState } from "./block-times.ts";
import { Ledger, type LedgerImage } from "./ledger.ts";
import type { Pending } from "./mempool.ts";
import { chainTransaction } from "./transaction.ts";

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

/** A snapshot as plain values, which can be written into a file. */
export interface SnapshotImage {
  readonly blocks: readonly PackedBlock[];
  readonly solidHeight: number;
  readonly solidLedger: LedgerImage;
  readonly layers: readonly { readonly height: number; readonly ledger: LedgerImage }[];
  readonly pending: readonly (Omit<Pending, "transaction"> & { readonly bytes: Uint8Array })[];
  readonly times: TimeState;
  readonly builds: number;
}

export function imageOf({ blocks, solidLedger, layers, pending, ...numbers }: ChainSnapshot): SnapshotImage {
  return {
    ...numbers,
    blocks: blocks.image(),
    solidLedger: solidLedger.image(),
    layers: layers.map(({ height, ledger }) => ({ height, ledger: ledger.image() })),
    pending: pending.map(({ transaction: { raw, signatures }, ...rest }) => ({
      ...rest,
      bytes: encodeTransaction(raw, signatures),
    })),
  };
}

/** @param genesis - the block that the chain began with, which no image holds */
export function snapshotOf(image: SnapshotImage, genesis: Block): ChainSnapshot {
  const solidLedger = Ledger.fromImage(image.solidLedger);
  const layers: BlockLayer[] = [];
  for (const { height, ledger } of image.layers) {
    layers.push({ height, ledger: Ledger.fromImage(ledger, layers.at(-1)?.ledger ?? solidLedger) });
  }
  const pending = image.pending.map(({ bytes, ...rest }) => ({
    ...rest,
    transaction: chainTransaction(decodeTransaction(bytes)),
  }));
  return { ...image, blocks: BlockList.fromImage(genesis, image.blocks), solidLedger, layers, pending };
}
