import { decodeTransaction } from "@finality/tron/transaction";
import { type BlockSnapshot, type PackedBlock, solidifiedHeight } from "./block.ts";
import type { TimeState } from "./block-production.ts";
import {
  type Exemptions,
  INITIAL_TOTALS,
  Ledger,
  type LedgerImage,
  TABLE_NAMES,
  type TableName,
  type Totals,
} from "./ledger.ts";
import { type HasKey, latestHeights } from "./maintenance.ts";
import type { Pending } from "./mempool.ts";
import { type PastState, StateHistory } from "./state-history.ts";
import { chainTransaction } from "./transaction.ts";
import { combineMaps, type Differences, type Version, VersionTree } from "./version-tree.ts";
import type { Witness } from "./witness.ts";

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

/** Differences between two states of the base: entries as they are stored, undefined for absent ones. */
interface StateDiff {
  totals: Totals | undefined;
  readonly tables: Map<TableName, Map<unknown, unknown>>;
}

/** State of a snapshot: a version of the base, and the layers above it. */
export interface StateSnapshot {
  readonly base: Version<StateDiff>;
  readonly settledHeight: number;
  readonly layers: StateImage["layers"];
  readonly past: PastState<StateDiff> | undefined;
}

/** State as a stack: the irreversible base, whose older versions stay reachable, and a layer for each block above it. */
export class StateLayers {
  readonly settled: Ledger;
  #layers: BlockLayer[] = [];
  #settledHeight = 0;
  readonly #versions: VersionTree<StateDiff>;
  readonly #history: StateHistory<StateDiff>;

  constructor(settled: Ledger) {
    this.settled = settled;
    this.#versions = new VersionTree(stateDifferences(settled));
    this.#history = new StateHistory(this.#versions, sizeOf);
  }

  get settledHeight(): number {
    return this.#settledHeight;
  }

  /** State after the newest block. */
  get top(): Ledger {
    return this.#layers.at(-1)?.ledger ?? this.settled;
  }

  /** Returns the state after a block, or the base if that is younger. Older state is not kept. */
  at(height: number): Ledger {
    return this.#layers.findLast((it) => it.height <= height)?.ledger ?? this.settled;
  }

  /** Returns the state after a block as a layer of its own; undefined if it is not kept. */
  past(height: number): Ledger | undefined {
    if (height >= this.#settledHeight) return this.at(height);
    const version = this.#history.find(height);
    return version && pastLedger(this.settled, version);
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
      this.#history.keep(this.#settledHeight);
      this.#settledHeight = lowest.height;
      this.#commit(lowest.ledger);
      this.#layers.shift();
      (this.#layers[0]?.ledger ?? above).rebase(this.settled);
    }
  }

  /** Changes the base and all layers. */
  amend(change: (ledger: Ledger) => void): void {
    const layer = new Ledger(this.settled);
    change(layer);
    this.#commit(layer);
    for (const { ledger } of this.#layers) change(ledger);
  }

  image(): StateImage {
    return { settledHeight: this.#settledHeight, settled: this.settled.image(), layers: this.#layerImages() };
  }

  /** Replaces the state by an image. */
  load({ settledHeight, settled, layers }: StateImage): void {
    this.#history.clear();
    for (const name of TABLE_NAMES) {
      const table = this.settled.table(name);
      const entries = settled.tables[name] ?? [];
      if (this.#versions.recorder !== undefined) this.#note([[name, new Map([...table.kept(), ...entries])]], true);
      table.take(entries);
    }
    if (settled.totals !== undefined) this.settled.changeTotals({ ...INITIAL_TOTALS, ...settled.totals });
    this.#settledHeight = settledHeight;
    this.#loadLayers(layers);
  }

  snapshot(): StateSnapshot {
    const { newest: past } = this.#history;
    return { base: this.#versions.take(), settledHeight: this.#settledHeight, layers: this.#layerImages(), past };
  }

  restore({ base, settledHeight, layers, past }: StateSnapshot): void {
    this.#versions.restore(base);
    this.#history.newest = past;
    this.#settledHeight = settledHeight;
    this.#loadLayers(layers);
  }

  /**
   * Restores the accounts, contracts and other state of a snapshot. Blocks and the counters of blocks and votes stay as they
   * are.
   */
  revert({ base, layers }: StateSnapshot): void {
    const earnings = [...this.top.tables.earnings.entries()];
    const counts = [this.settled, ...this.#layers.map((it) => it.ledger)].map(countsOf);
    const heights = this.#layers.map((it) => it.height);
    this.#versions.restore(base);
    for (const { ledger } of layers) this.#commit(Ledger.fromImage(ledger, this.settled));
    const [settled, ...above] = counts;
    const layer = new Ledger(this.settled);
    if (settled !== undefined) putCounts(layer, settled);
    for (const [key, value] of earnings) layer.tables.earnings.set(key, value);
    this.#commit(layer);
    this.#layers = [];
    for (const [index, it] of above.entries()) {
      const ledger = new Ledger(this.top);
      putCounts(ledger, it);
      this.push(heights[index] ?? 0, ledger);
    }
  }

  release({ base }: StateSnapshot): void {
    this.#versions.release(base);
  }

  #layerImages(): StateImage["layers"] {
    return this.#layers.map(({ height, ledger }) => ({ height, ledger: ledger.image() }));
  }

  #loadLayers(layers: StateImage["layers"]): void {
    this.#layers = [];
    for (const { height, ledger } of layers) this.push(height, Ledger.fromImage(ledger, this.top));
  }

  /** Merges a layer into the base. */
  #commit(layer: Ledger): void {
    if (this.#versions.recorder !== undefined) {
      this.#note(
        TABLE_NAMES.map((name) => [name, new Map(layer.table(name).kept())] as const),
        layer.hasTotals,
      );
    }
    layer.commit();
  }

  /** Notes the entries of the base that are about to change, for the nearest version. */
  #note(changes: Iterable<readonly [TableName, ReadonlyMap<unknown, unknown>]>, totals: boolean): void {
    const diff = this.#versions.recorder;
    if (diff === undefined) return;
    if (totals) diff.totals ??= this.settled.totals;
    for (const [name, entries] of changes) {
      if (entries.size === 0) continue;
      const noted = diff.tables.get(name) ?? new Map<unknown, unknown>();
      diff.tables.set(name, noted);
      const table = this.settled.table(name);
      for (const key of entries.keys()) if (!noted.has(key)) noted.set(key, table.stored(key));
    }
  }
}

/** Returns the number of entries in differences. */
function sizeOf({ tables }: StateDiff): number {
  return [...tables.values()].reduce((sum, entries) => sum + entries.size, 0);
}

/** Returns an older version of the base as a layer over it. */
function pastLedger(base: Ledger, version: Version<StateDiff>): Ledger {
  const ledger = new Ledger(base);
  const path = [version];
  for (let { next } = version; next !== undefined; next = next.next) path.unshift(next);
  for (const { diff } of path) {
    if (diff.totals !== undefined) ledger.changeTotals(diff.totals);
    for (const [name, entries] of diff.tables) {
      const [table, own] = [base.table(name), ledger.table(name)];
      for (const [key, stored] of entries) own.set(key, table.read(key, stored));
    }
  }
  return ledger;
}

function stateDiff(): StateDiff {
  return { totals: undefined, tables: new Map() };
}

function applyStateDiff(base: Ledger, { totals, tables }: StateDiff): void {
  if (totals !== undefined) base.changeTotals(totals);
  for (const [name, entries] of tables) {
    const table = base.table(name);
    for (const [key, value] of entries) table.putStored(key, value);
  }
}

function stateDifferences(base: Ledger): Differences<StateDiff> {
  return {
    none: stateDiff,
    isNone: ({ totals, tables }) => totals === undefined && tables.size === 0,
    inverse: ({ totals, tables }) => ({
      totals: totals && base.totals,
      tables: new Map(
        [...tables].map(([name, entries]) => {
          const table = base.table(name);
          return [name, new Map([...entries.keys()].map((key) => [key, table.stored(key)]))];
        }),
      ),
    }),
    apply: (diff) => applyStateDiff(base, diff),
    combine: (later, earlier) => {
      for (const [name, entries] of earlier.tables) {
        const own = later.tables.get(name);
        later.tables.set(name, own === undefined ? entries : combineMaps(own, entries));
      }
      return { totals: later.totals ?? earlier.totals, tables: later.tables };
    },
  };
}

/** Counters of blocks and votes in a layer, which stay when its other state is reverted. */
interface BlockCounts {
  readonly witnesses: readonly Witness[];
  readonly totals: Pick<Totals, "extraSlots" | "cycle" | "nextMaintenance" | keyof Exemptions>;
}

function countsOf(ledger: Ledger): BlockCounts {
  const { extraSlots, cycle, nextMaintenance, unlocked, impersonated } = ledger.totals;
  const witnesses = [...ledger.tables.witnesses.own()].flatMap(([, it]) => it ?? []);
  return { witnesses, totals: { extraSlots, cycle, nextMaintenance, unlocked, impersonated } };
}

function putCounts(ledger: Ledger, { witnesses, totals }: BlockCounts): void {
  for (const { address, produced, missed, latestBlock, latestSlot } of witnesses) {
    const witness = ledger.witness(address);
    if (witness !== undefined) ledger.putWitness({ ...witness, produced, missed, latestBlock, latestSlot });
  }
  ledger.changeTotals(totals);
}

/** Returns the irreversible height of a state. Witnesses without a key are ignored. */
export function irreversibleIn(state: Ledger, hasKey: HasKey): number {
  return solidifiedHeight(latestHeights(state, hasKey));
}

/** A snapshot of the chain as a version of its state, which has to be released. */
export interface ChainSnapshot {
  readonly blocks: BlockSnapshot;
  readonly irreversibleHeight: number;
  readonly states: StateSnapshot;
  readonly pending: readonly Pending[];
  readonly times: TimeState;
  readonly builds: number;
}

/** Serialisable form of the chain. */
export interface SnapshotImage {
  readonly blocks: readonly PackedBlock[];
  readonly irreversibleHeight: number;
  readonly states: StateImage;
  readonly pending: readonly (Omit<Pending, "transaction"> & { readonly bytes: Uint8Array })[];
  readonly times: TimeState;
  readonly builds: number;
}

export function pendingImages(pending: readonly Pending[]): SnapshotImage["pending"] {
  return pending.map(({ transaction: { bytes }, ...rest }) => ({ ...rest, bytes }));
}

export function pendingOf(images: SnapshotImage["pending"]): readonly Pending[] {
  return images.map(({ bytes, ...rest }) => ({ ...rest, transaction: chainTransaction(decodeTransaction(bytes)) }));
}
