/**
 * A map over an older map: what is written here hides what is below, and nothing below changes until `commit`. An entry
 * that is taken away hides the one below too.
 */
export class Table<Key, Value> {
  #below: Table<Key, Value> | undefined;
  /** Made with the first entry: most layers write into few tables. */
  #own: Map<Key, Value | undefined> | undefined;

  constructor(below?: Table<Key, Value>) {
    this.#below = below;
  }

  get(key: Key): Value | undefined {
    for (let layer: Table<Key, Value> | undefined = this; layer !== undefined; layer = layer.#below) {
      const value = layer.#own?.get(key);
      if (value !== undefined || layer.#own?.has(key) === true) return value;
    }
    return undefined;
  }

  /** @param value - undefined takes the entry away */
  set(key: Key, value: Value | undefined): void {
    this.#own ??= new Map();
    this.#own.set(key, value);
  }

  /** What this layer itself says. */
  own(): Iterable<readonly [Key, Value | undefined]> {
    return this.#own ?? [];
  }

  /** Takes in what another table's own entries were. */
  take(entries: Iterable<readonly [Key, Value | undefined]>): void {
    for (const [key, value] of entries) this.set(key, value);
  }

  /** All that is there, those of the oldest layer first. */
  entries(): ReadonlyMap<Key, Value> {
    const all = new Map<Key, Value>(this.#below?.entries());
    for (const [key, value] of this.own()) {
      if (value === undefined) all.delete(key);
      else all.set(key, value);
    }
    return all;
  }

  /** Writes this layer into the one below. */
  commit(): void {
    if (this.#below !== undefined) this.writeInto(this.#below);
  }

  /** Puts this layer on another one: its old one has been written into that. */
  rebase(below: Table<Key, Value>): void {
    this.#below = below;
  }

  /** Where nothing is below that would have to be hidden, what was taken away is forgotten. */
  writeInto(other: Table<Key, Value>): void {
    for (const [key, value] of this.own()) {
      if (value === undefined && other.#below === undefined) other.#own?.delete(key);
      else other.set(key, value);
    }
  }
}
