import type { Version, VersionTree } from "./version-tree.ts";

/** Limits of the kept states: blocks, and changed entries of all of them. */
const MOST_BLOCKS = 1_000;
const MOST_ENTRIES = 100_000;

/** State after a block that is not the newest one any more. */
export interface PastState<Diff> {
  readonly height: number;
  readonly version: Version<Diff>;
  /** State after the block before, if it is kept. */
  older: PastState<Diff> | undefined;
  entries: number;
  isReleased: boolean;
}

/** Versions of the irreversible state, so that transactions of the newest blocks can run again. */
export class StateHistory<Diff> {
  readonly #versions: VersionTree<Diff>;
  readonly #sizeOf: (diff: Diff) => number;
  /** All kept states, oldest first; also those of chains that a snapshot has replaced. */
  readonly #kept: PastState<Diff>[] = [];
  #entries = 0;
  /** State after the newest block that is kept. */
  newest: PastState<Diff> | undefined;

  /** @param sizeOf - number of entries in differences */
  constructor(versions: VersionTree<Diff>, sizeOf: (diff: Diff) => number) {
    this.#versions = versions;
    this.#sizeOf = sizeOf;
  }

  /** Keeps the current state, which is that after a block, before the next block changes it. */
  keep(height: number): void {
    this.#count(this.#kept.at(-1));
    const state = { height, version: this.#versions.take(), older: this.newest, entries: 0, isReleased: false };
    this.newest = state;
    this.#kept.push(state);
    while (this.#kept.length > MOST_BLOCKS || this.#entries > MOST_ENTRIES) this.#release(this.#kept.shift());
  }

  /** Returns the version after a block, if it is kept. */
  find(height: number): Version<Diff> | undefined {
    for (let state = this.newest; state !== undefined && !state.isReleased; state = state.older) {
      if (state.height === height) return state.version;
      if (state.height < height) return undefined;
    }
    return undefined;
  }

  /** Gives up all states. */
  clear(): void {
    for (const state of this.#kept.splice(0)) this.#release(state);
    this.newest = undefined;
  }

  /** Counts the differences of the newest version, which change no more once there is a newer one. */
  #count(state: PastState<Diff> | undefined): void {
    if (state === undefined || state.entries > 0) return;
    state.entries = this.#sizeOf(state.version.diff);
    this.#entries += state.entries;
  }

  #release(state: PastState<Diff> | undefined): void {
    if (state === undefined) return;
    this.#entries -= state.entries;
    state.isReleased = true;
    state.older = undefined;
    this.#versions.release(state.version);
  }
}
