import { decodeTransaction } from "@finality/tron/transaction";
import { type Block, BlockList, type PackedBlock, solidifiedHeight } from "./block.ts";
import type { TimeState } from "./block-production.ts";
import { Ledger, type LedgerImage } from "./ledger.ts";
import { type HasKey, latestHeights } from "./maintenance.ts";
import type { Pending } from "./mempool.ts";
import { chainTransaction } from "./transaction.ts";

/** Changes of a block. */
interface BlockLayer {
  readonly height: number;
  readonly ledger: Ledger;
}

/** Serialisable form of all layers. */
export interface StateImage {
  readonly settledHeight: number;
  readonly settled: LedgerImage;
  readonly layers: readonly { readonly height: number; readonly ledger: LedgerImage }[];
}

/** State as a stack: the irreversible base and a layer for each block above it. */
export class StateLayers {
  readonly settled: Ledger;
  readonly #layers: BlockLayer[];
  #settledHeight: number;

  constructor(settled: Ledger, settledHeight = 0, layers: readonly BlockLayer[] = []) {
    this.settled = settled;
    this.#settledHeight = settledHeight;
    this.#layers = [...layers];
  }

  get settledHeight(): number {
    return this.#settledHeight;
  }

  /** State after the newest block. */
  get top(): Ledger {
    return this.#layers.at(-1)?.ledger ?? this.settled;
  }

  /** All layers from the base on. */
  get all(): readonly Ledger[] {
    return [this.settled, ...this.#layers.map((it) => it.ledger)];
  }

  /** Returns the state after a block, or the base if that is younger. Older state is not kept. */
  at(height: number): Ledger {
    return this.#layers.findLast((it) => it.height <= height)?.ledger ?? this.settled;
  }

  push(height: number, ledger: Ledger): void {
    this.#layers.push({ height, ledger });
  }

  /** Drops the layers of the newest blocks. */
  takeNewest(count: number): void {
    this.#layers.splice(-count);
  }

  /** Merges the layers up to a height into the base. @param above - the layer on top of the newest block */
  settle(height: number, above: Ledger): void {
    for (let lowest = this.#layers[0]; lowest !== undefined && lowest.height <= height; lowest = this.#layers[0]) {
      this.#settledHeight = lowest.height;
      lowest.ledger.commit();
      this.#layers.shift();
      (this.#layers[0]?.ledger ?? above).rebase(this.settled);
    }
  }

  image(): StateImage {
    return {
      settledHeight: this.#settledHeight,
      settled: this.settled.image(),
      layers: this.#layers.map(({ height, ledger }) => ({ height, ledger: ledger.image() })),
    };
  }

  static fromImage({ settledHeight, settled, layers }: StateImage): StateLayers {
    const states = new StateLayers(Ledger.fromImage(settled), settledHeight);
    for (const { height, ledger } of layers) states.push(height, Ledger.fromImage(ledger, states.top));
    return states;
  }

  copy(): StateLayers {
    const settled = this.settled.copy();
    const layers: BlockLayer[] = [];
    for (const { height, ledger } of this.#layers) {
      layers.push({ height, ledger: ledger.copy(layers.at(-1)?.ledger ?? settled) });
    }
    return new StateLayers(settled, this.#settledHeight, layers);
  }
}

/** Returns the irreversible height of a state. Witnesses without a key are ignored. */
export function irreversibleIn(state: Ledger, hasKey: HasKey): number {
  return solidifiedHeight(latestHeights(state, hasKey));
}

/** State of a snapshot. */
export interface ChainSnapshot {
  readonly blocks: BlockList;
  readonly irreversibleHeight: number;
  readonly states: StateLayers;
  readonly pending: readonly Pending[];
  readonly times: TimeState;
  readonly builds: number;
}

/** Copies a snapshot: only state and lists are mutable. */
export function copySnapshot(snapshot: ChainSnapshot): ChainSnapshot {
  const { blocks, states, pending } = snapshot;
  return { ...snapshot, blocks: blocks.copy(), states: states.copy(), pending: [...pending] };
}

/** Serialisable form of a snapshot. */
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
