import { type AbiValue, textOfBytes } from "@finality/tron/abi";
import {
  type Address,
  bytesToHex,
  type Hex,
  hexToBytes,
  isJsonObject,
  type Json,
  toBase58,
} from "@finality/tron/primitives";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Preimages } from "./hash-preimages.ts";

/** Variable in a storage slot, or a part of one. */
export interface StorageVariable {
  /** `owner`, `balances[TXYZ…]`, `orders[3].price`, `items.length`. */
  readonly name: string;
  /** Type as the compiler writes it: `uint128`, `enum Vault.State`. */
  readonly type: string;
}

/** Variable with its values; undefined values have a form that one slot does not hold, such as a long string. */
export interface VariableChange extends StorageVariable {
  readonly before: AbiValue | undefined;
  readonly after: AbiValue | undefined;
}

interface StorageType {
  readonly encoding: "inplace" | "mapping" | "dynamic_array" | "bytes";
  readonly label: string;
  readonly bytes: number;
  readonly key?: string;
  readonly value?: string;
  readonly base?: string;
  readonly members: readonly StorageEntry[];
}

interface StorageEntry {
  /** Id of the declaration in the syntax tree. */
  readonly id?: number;
  readonly label: string;
  readonly slot: bigint;
  readonly offset: number;
  readonly type: string;
}

/** `storageLayout` of the compiler. */
export interface StorageLayout {
  readonly entries: readonly StorageEntry[];
  readonly types: ReadonlyMap<string, StorageType>;
}

/** Reads the `storageLayout` of an artifact; undefined if it has none or another form. */
export function readStorageLayout(json: Json | undefined): StorageLayout | undefined {
  if (!isJsonObject(json) || !Array.isArray(json.storage)) return undefined;
  const types = Object.entries(isJsonObject(json.types) ? json.types : {}).flatMap(([id, type]) => {
    const read = readType(type);
    return read === undefined ? [] : [[id, read] as const];
  });
  return { entries: readEntries(json.storage), types: new Map(types) };
}

function readEntries(json: Json | undefined): readonly StorageEntry[] {
  if (!Array.isArray(json)) return [];
  return json.flatMap((entry: Json) => {
    if (!isJsonObject(entry)) return [];
    const { astId, label, slot, offset, type } = entry;
    const isEntry = typeof label === "string" && typeof offset === "number" && typeof type === "string";
    if (!isEntry || !/^\d+$/.test(String(slot))) return [];
    const id = typeof astId === "number" ? { id: astId } : {};
    return [{ ...id, label, slot: BigInt(String(slot)), offset, type }];
  });
}

const ENCODINGS = ["inplace", "mapping", "dynamic_array", "bytes"] as const;

function readType(json: Json | undefined): StorageType | undefined {
  if (!isJsonObject(json)) return undefined;
  const { label, key, value, base } = json;
  const encoding = ENCODINGS.find((it) => it === json.encoding);
  const bytes = Number(json.numberOfBytes);
  if (encoding === undefined || typeof label !== "string" || !Number.isSafeInteger(bytes)) return undefined;
  return {
    encoding,
    label,
    bytes,
    members: readEntries(json.members),
    ...(typeof key === "string" && { key }),
    ...(typeof value === "string" && { value }),
    ...(typeof base === "string" && { base }),
  };
}

/** Variable or a part of one that is in a slot. */
interface Leaf extends StorageVariable {
  readonly typeId: string;
  /** Lowest byte, counted from the right of the slot. */
  readonly offset: number;
  readonly bytes: number;
  readonly form: "value" | "mapping" | "array" | "bytes" | "bytes-part";
}

const SLOT_BYTES = 32;

/**
 * Returns the variables of a slot whose values differ, all of them if none differs. Empty if the layout has no variable
 * there, or the hash of the slot is unknown.
 *
 * @param preimages - Hashes of the run; those of arrays that are not nested are not needed.
 */
export function variableChanges(
  layout: StorageLayout,
  { slot, before, after }: { readonly slot: string; readonly before: string; readonly after: string },
  preimages: Preimages = new Map(),
): readonly VariableChange[] {
  const leaves = leavesAt(layout, BigInt(`0x${slot}`), { ...withArrays(layout, preimages), depth: 0 });
  const partOf = (word: string, { offset, bytes }: Leaf): string =>
    word.slice(2 * (SLOT_BYTES - offset - bytes), 2 * (SLOT_BYTES - offset));
  const changed = leaves.filter((leaf) => partOf(before, leaf) !== partOf(after, leaf));
  return (changed.length > 0 ? changed : leaves).map((leaf) => ({
    name: leaf.name,
    type: leaf.type,
    before: partValue(layout, leaf, partOf(before, leaf)),
    after: partValue(layout, leaf, partOf(after, leaf)),
  }));
}

interface Hashes {
  readonly preimages: Preimages;
  /** Hashes in ascending order. */
  readonly sorted: readonly bigint[];
  readonly depth: number;
}

const sortedHashes = new WeakMap<StorageLayout, WeakMap<Preimages, Omit<Hashes, "depth">>>();

/** Adds the hashes of arrays at constant slots, which the compiler computes itself. */
function withArrays(layout: StorageLayout, preimages: Preimages): Omit<Hashes, "depth"> {
  const cache = sortedHashes.get(layout) ?? new WeakMap<Preimages, Omit<Hashes, "depth">>();
  sortedHashes.set(layout, cache);
  const found = cache.get(preimages);
  if (found !== undefined) return found;
  const all = new Map(preimages);
  for (const slot of containerSlots(layout, layout.entries, 0n)) {
    const word = wordOf(slot);
    all.set(bytesToHex(keccak_256(hexToBytes(word))), word);
  }
  const sorted = [...all.keys()].map((hash) => BigInt(`0x${hash}`)).sort((one, other) => (one < other ? -1 : 1));
  const made = { preimages: all, sorted };
  cache.set(preimages, made);
  return made;
}

function containerSlots({ types }: StorageLayout, entries: readonly StorageEntry[], base: bigint): readonly bigint[] {
  return entries.flatMap(({ slot, type }) => {
    const found = types.get(type);
    if (found === undefined) return [];
    if (found.encoding === "dynamic_array" || found.encoding === "bytes") return [base + slot];
    return containerSlots({ entries, types }, found.members, base + slot);
  });
}

function wordOf(slot: bigint): Hex {
  return slot.toString(16).padStart(2 * SLOT_BYTES, "0") as Hex;
}

const DEEPEST = 16;
/** Farthest distance of an element from the hash of its array, in slots. */
const FARTHEST = 2n ** 64n;

function leavesAt(layout: StorageLayout, slot: bigint, hashes: Hashes): readonly Leaf[] {
  const own = layout.entries.flatMap((entry) => leavesOf(layout, { ...entry, name: entry.label }, slot));
  if (own.length > 0 || hashes.depth > DEEPEST) return own;
  const hash = hashes.sorted.findLast((it) => it <= slot);
  if (hash === undefined || slot - hash > FARTHEST) return [];
  const preimage = hashes.preimages.get(wordOf(hash)) ?? "";
  const key = preimage.slice(0, -2 * SLOT_BYTES);
  const parent = preimage.slice(-2 * SLOT_BYTES);
  if (parent.length !== 2 * SLOT_BYTES) return [];
  const containers = leavesAt(layout, BigInt(`0x${parent}`), { ...hashes, depth: hashes.depth + 1 });
  return containers.flatMap((container) => elementsOf(layout, container, { key, distance: slot - hash }));
}

interface ElementKey {
  /** Key of a mapping, hex; empty for an array. */
  readonly key: string;
  /** Slots after the hash. */
  readonly distance: bigint;
}

function elementsOf(layout: StorageLayout, container: Leaf, { key, distance }: ElementKey): readonly Leaf[] {
  const type = layout.types.get(container.typeId);
  if (container.form === "mapping" && type?.value !== undefined && key !== "") {
    const name = `${container.name}[${keyText(layout.types.get(type.key ?? ""), key)}]`;
    return leavesOf(layout, { name, slot: 0n, offset: 0, type: type.value }, distance);
  }
  if (key !== "") return [];
  const name = container.name.replace(/\.length$/, "");
  if (container.form === "array" && type?.base !== undefined) return elementLeaves(layout, type.base, name, distance);
  if (container.form !== "bytes") return [];
  return [{ ...container, name, form: "bytes-part", offset: 0, bytes: SLOT_BYTES }];
}

/** Returns the elements of an array in a slot, which is counted from the first one. */
function elementLeaves(layout: StorageLayout, base: string, name: string, slot: bigint): readonly Leaf[] {
  const size = layout.types.get(base)?.bytes ?? SLOT_BYTES;
  if (size >= SLOT_BYTES) {
    const slots = BigInt(Math.ceil(size / SLOT_BYTES));
    const entry = { name: `${name}[${slot / slots}]`, slot: 0n, offset: 0, type: base };
    return leavesOf(layout, entry, slot % slots);
  }
  const perSlot = Math.floor(SLOT_BYTES / size);
  return Array.from({ length: perSlot }, (_, at) => {
    const entry = { name: `${name}[${slot * BigInt(perSlot) + BigInt(at)}]`, slot: 0n, offset: at * size, type: base };
    return leavesOf(layout, entry, 0n);
  }).flat();
}

/** Returns the parts of a variable that are in a slot. */
function leavesOf(
  layout: StorageLayout,
  entry: Omit<StorageEntry, "label"> & { readonly name: string },
  slot: bigint,
): readonly Leaf[] {
  const { name, slot: start, offset, type } = entry;
  const found = layout.types.get(type);
  if (found === undefined || slot < start) return [];
  const { encoding, label, bytes, base, members } = found;
  const isAtStart = slot === start;
  const leaf = { name, type: label, typeId: type, offset, bytes: Math.min(bytes, SLOT_BYTES) };
  if (encoding === "mapping") return isAtStart ? [{ ...leaf, form: "mapping" }] : [];
  if (encoding === "dynamic_array") return isAtStart ? [{ ...leaf, name: `${name}.length`, form: "array" }] : [];
  if (encoding === "bytes") return isAtStart ? [{ ...leaf, form: "bytes" }] : [];
  if (slot - start >= BigInt(Math.ceil(bytes / SLOT_BYTES))) return [];
  if (members.length > 0)
    return members.flatMap((it) =>
      leavesOf(layout, { ...it, name: `${name}.${it.label}`, slot: start + it.slot }, slot),
    );
  if (base !== undefined) {
    const count = lengthOf(label);
    return elementLeaves(layout, base, name, slot - start).filter((it) => indexOf(it.name, name) < count);
  }
  return [{ ...leaf, form: "value" }];
}

/** Returns the length of `uint8[5]`. */
function lengthOf(label: string): number {
  return Number(/\[(\d+)\]$/.exec(label)?.[1] ?? Number.POSITIVE_INFINITY);
}

function indexOf(element: string, name: string): number {
  return Number.parseInt(element.slice(name.length + 1), 10);
}

function partValue({ types }: StorageLayout, { form, typeId }: Leaf, part: string): AbiValue | undefined {
  switch (form) {
    case "mapping":
      return undefined;
    case "array":
      return BigInt(`0x${part}`);
    case "bytes-part":
      return part as Hex;
    case "bytes":
      return shortBytes(typeId, part);
    case "value":
      return elementaryValue(types.get(typeId)?.label ?? "", part);
  }
}

/** Short texts are in the slot, with twice their length in the last byte; longer ones have an odd number there. */
function shortBytes(typeId: string, word: string): AbiValue | undefined {
  const last = Number.parseInt(word.slice(-2), 16);
  if (last % 2 === 1 || last / 2 >= SLOT_BYTES) return undefined;
  const digits = word.slice(0, last) as Hex;
  return typeId.startsWith("t_string") ? textOfBytes(hexToBytes(digits)) : digits;
}

function elementaryValue(label: string, digits: string): AbiValue | undefined {
  if (digits === "") return undefined;
  const value = BigInt(`0x${digits}`);
  if (label === "bool") return value !== 0n;
  if (/^bytes\d+$/.test(label)) return digits as Hex;
  if (/^int\d*$/.test(label)) return BigInt.asIntN(4 * digits.length, value);
  if (/^(address|contract)\b/.test(label)) return `41${digits}` as Address;
  return value;
}

function keyText(type: StorageType | undefined, key: string): string {
  const label = type?.label ?? "";
  if (type?.encoding === "bytes") {
    const text = Buffer.from(key, "hex").toString("latin1");
    return label === "string" && /^[\x20-\x7e]*$/.test(text) ? JSON.stringify(text) : `0x${key}`;
  }
  if (/^bytes\d+$/.test(label)) return `0x${key.slice(0, 2 * (type?.bytes ?? SLOT_BYTES))}`;
  if (/^(address|contract)\b/.test(label)) return toBase58(`41${key.slice(-40)}` as Address);
  const value = elementaryValue(label, key);
  return typeof value === "bigint" || typeof value === "boolean" ? `${value}` : `0x${key}`;
}
