/**
 * A map over an older map: what is written here hides what is below, and nothing below changes until `commitTo`.
 * An entry that is taken away hides the one below too.
 */
export class LayeredMap<Key, Value> {
  readonly #own = new Map<Key, Value | undefined>();

  /** Whether this layer itself says something of a key. */
  has(key: Key): boolean {
    return this.#own.has(key);
  }

  get(key: Key): Value | undefined {
    return this.#own.get(key);
  }

  /** @param value - undefined takes the entry away */
  set(key: Key, value: Value | undefined): void {
    this.#own.set(key, value);
  }

  entries(): IterableIterator<[Key, Value | undefined]> {
    return this.#own.entries();
  }

  /** @param isBottom - nothing is below it that would have to be hidden: what was taken away is forgotten */
  commitTo(below: LayeredMap<Key, Value>, isBottom: boolean): void {
    for (const [key, value] of this.#own) {
      if (value === undefined && isBottom) below.#own.delete(key);
      else below.set(key, value);
    }
  }
}
