/** How values are kept that are not in use: in less memory. */
export interface Packing<Key, Value> {
  pack(value: Value): unknown;
  unpack(key: Key, packed: unknown): Value;
}

/** So many values of a table that packs stay unpacked as well. */
const RECENT = 2_000;

/**
 * A map over an older map: what is written here hides what is below, and nothing below changes until `commit`. An entry
 * that is taken away hides the one below too.
 */
export class Table<Key, Value> {
  #below: Table<Key, Value> | undefined;
  /** Made with the first entry: most layers write into few tables. */
  #own: Map<Key, unknown> | undefined;
  readonly #packing: Packing<Key, Value> | undefined;
  #recent: Map<Key, Value> | undefined;

  /** @param packing - how the oldest table keeps its values; those that lie over others keep them as they are */
  constructor(below?: Table<Key, Value>, packing?: Packing<Key, Value>) {
    this.#below = below;
    this.#packing = below === undefined ? packing : undefined;
  }

  get(key: Key): Value | undefined {
    for (let layer: Table<Key, Value> | undefined = this; layer !== undefined; layer = layer.#below) {
      const kept = layer.#own?.get(key);
      if (kept !== undefined) return layer.#unpacked(key, kept);
      if (layer.#own?.has(key) === true) return undefined;
    }
    return undefined;
  }

  /** @param value - undefined takes the entry away */
  set(key: Key, value: Value | undefined): void {
    this.#own ??= new Map();
    this.#recent?.delete(key);
    this.#own.set(key, value === undefined ? undefined : (this.#packing?.pack(value) ?? value));
  }

  #unpacked(key: Key, kept: unknown): Value {
    if (this.#packing === undefined) return kept as Value;
    return this.#recent?.get(key) ?? this.#remembered(key, this.#packing.unpack(key, kept));
  }

  #remembered(key: Key, value: Value): Value {
    if (this.#recent === undefined || this.#recent.size >= RECENT) this.#recent = new Map();
    this.#recent.set(key, value);
    return value;
  }

  /** What this layer itself says. */
  own(): Iterable<readonly [Key, Value | undefined]> {
    if (this.#own === undefined) return [];
    if (this.#packing !== undefined) return unpacked(this.#own, this.#packing);
    return this.#own as ReadonlyMap<Key, Value | undefined>;
  }

  /** The same as it is kept: packed, if it is. */
  kept(): Iterable<readonly [Key, unknown]> {
    return this.#own ?? [];
  }

  /** Takes in what a table of the same kind has kept. */
  take(kept: Iterable<readonly [Key, unknown]>): void {
    this.#own = new Map(kept);
    this.#recent = undefined;
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
    if (this.#own === undefined) return;
    if (this.#packing !== undefined && this.#packing === other.#packing && other.#own === undefined) {
      other.take(this.kept());
      return;
    }
    for (const [key, value] of this.own()) {
      if (value === undefined && other.#below === undefined) other.#own?.delete(key);
      else other.set(key, value);
      if (value !== undefined && other.#packing !== undefined) other.#remembered(key, value);
    }
  }
}

function* unpacked<Key, Value>(
  own: ReadonlyMap<Key, unknown>,
  packing: Packing<Key, Value>,
): Iterable<readonly [Key, Value | undefined]> {
  for (const [key, kept] of own) yield [key, kept === undefined ? undefined : packing.unpack(key, kept)];
}
