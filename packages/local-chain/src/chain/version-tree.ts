/** Operations on the differences between two versions of a state that is changed in place. */
export interface Differences<Diff> {
  /** Returns no differences from the current state. */
  none(): Diff;
  isNone(diff: Diff): boolean;
  /** Returns what turns the state, after `apply(diff)`, into the current one. */
  inverse(diff: Diff): Diff;
  /** Changes the current state. */
  apply(diff: Diff): void;
  /** Returns what has the effect of `later` after that of `earlier`. Both may be changed. */
  combine(later: Diff, earlier: Diff): Diff;
}

/** A version that can be restored. */
export class Version<Diff> {
  /** Differences that turn the next version, or the current state, into this one. */
  diff: Diff;
  /** Version nearer to the current state; undefined for the nearest. */
  next: Version<Diff> | undefined;
  /** Versions whose next one this is. */
  readonly derived = new Set<Version<Diff>>();
  /** Number of snapshots that need the version. */
  holders = 0;
  /** True once it is no part of the tree any more. */
  isRemoved = false;

  constructor(diff: Diff) {
    this.diff = diff;
  }
}

/**
 * Older and other versions of a state that is changed in place. Each version stores its differences from a neighbour
 * nearer to the current state. So a version costs what has changed since, and so does going back to it.
 */
export class VersionTree<Diff> {
  readonly #differences: Differences<Diff>;
  #nearest: Version<Diff> | undefined;

  constructor(differences: Differences<Diff>) {
    this.#differences = differences;
  }

  /** Differences of the nearest version, where changes of the state have to be noted; undefined without versions. */
  get recorder(): Diff | undefined {
    return this.#nearest?.diff;
  }

  /** Returns the current state as a version, which has to be released. */
  take(): Version<Diff> {
    let version = this.#nearest;
    if (version === undefined || !this.#differences.isNone(version.diff)) {
      version = new Version(this.#differences.none());
      if (this.#nearest !== undefined) link(this.#nearest, version);
      this.#nearest = version;
    }
    version.holders += 1;
    return version;
  }

  /** Makes a version the current state. Every version that is held stays reachable. */
  restore(version: Version<Diff>): void {
    const path = [version];
    for (let { next } = version; next !== undefined; next = next.next) path.unshift(next);
    let before: Version<Diff> | undefined;
    for (const step of path) {
      const inverse = before && this.#differences.inverse(step.diff);
      this.#differences.apply(step.diff);
      step.next = undefined;
      if (before !== undefined && inverse !== undefined) {
        before.derived.delete(step);
        before.diff = inverse;
        link(before, step);
      }
      before = step;
    }
    version.diff = this.#differences.none();
    this.#nearest = version;
    for (const step of path) if (step !== version) this.#tidy(step);
  }

  /** Gives up a version that was taken. */
  release(version: Version<Diff>): void {
    version.holders -= 1;
    this.#tidy(version);
  }

  /** Removes a version without holders, and joins its differences to those of its only derived version. */
  #tidy(version: Version<Diff>): void {
    if (version.isRemoved || version.holders > 0 || version.derived.size > 1) return;
    version.isRemoved = true;
    const { next } = version;
    const [derived] = version.derived;
    next?.derived.delete(version);
    if (derived === undefined) {
      if (next === undefined) this.#nearest = undefined;
      else this.#tidy(next);
      return;
    }
    derived.diff = this.#differences.combine(derived.diff, version.diff);
    derived.next = next;
    if (next === undefined) this.#nearest = derived;
    else next.derived.add(derived);
  }
}

function link<Diff>(version: Version<Diff>, next: Version<Diff>): void {
  version.next = next;
  next.derived.add(version);
}

/** Adds the entries of a map to another one that lacks them. The larger map is returned, the other one is used up. */
export function combineMaps<Key, Value>(winner: Map<Key, Value>, other: Map<Key, Value>): Map<Key, Value> {
  if (winner.size >= other.size) {
    for (const [key, value] of other) if (!winner.has(key)) winner.set(key, value);
    return winner;
  }
  for (const [key, value] of winner) other.set(key, value);
  return other;
}
