import { bytesToHex, hexToBytes } from "@finality/tron/primitives";
import type { Trace, Word } from "@finality/tron/traces";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { hashPreimagesByAccount, type Preimages } from "../../traces/hash-preimages.ts";

const WORD_BYTES = 32;
/** Number of stack nodes that is no node. */
const NO_NODE = 0;

/** Stack before an instruction. */
export interface StackView {
  readonly height: number;
  /** Returns the word at a height from 0; undefined outside of the stack. */
  at(position: number): bigint | undefined;
  /** Returns a number that is equal for a word that stayed at its position between two instructions. */
  node(position: number): number;
}

/**
 * Index of a run, so that stack, memory and storage before any instruction are read without repeating the run. It takes
 * about 8 bytes for each instruction and each word that the stack got, and as much for each word that memory got.
 */
export class RunIndex {
  readonly trace: Trace;
  #stack: StackIndex | undefined;
  #steps: readonly Uint32Array[] | undefined;
  readonly #memories = new Map<number, MemoryIndex>();
  #storage: StorageIndex | undefined;
  #hashes: ReadonlyMap<string, Preimages> | undefined;

  constructor(trace: Trace) {
    this.trace = trace;
  }

  /** Returns the steps of the instructions of a frame, ascending. */
  stepsOf(frame: number): Uint32Array {
    this.#steps ??= stepsByFrame(this.trace);
    return this.#steps[frame] ?? new Uint32Array();
  }

  /** Returns the stack of a frame before an instruction of it; undefined if the trace has no stack. */
  stack(step: number): StackView | undefined {
    if (this.trace.steps?.stack === undefined) return undefined;
    this.#stack ??= new StackIndex(this.trace);
    return this.#stack.view(step);
  }

  /** Returns the memory of a frame before an instruction of it; undefined if the trace has none. */
  memory(frame: number): MemoryIndex | undefined {
    if (this.trace.steps?.memory === undefined) return undefined;
    if (this.#memories.size === 0) addMemories(this.trace, this.#memories);
    return this.#memories.get(frame) ?? new MemoryIndex();
  }

  get storage(): StorageIndex {
    this.#storage ??= new StorageIndex(this.trace);
    return this.#storage;
  }

  /** Returns what the code of an account hashed in this run. */
  hashedBy(address: string): Preimages {
    this.#hashes ??= hashPreimagesByAccount(this.trace);
    return this.#hashes.get(address) ?? new Map();
  }
}

const indexes = new WeakMap<Trace, RunIndex>();

/** Returns the index of a run, which is made once. */
export function runIndex(trace: Trace): RunIndex {
  const found = indexes.get(trace) ?? new RunIndex(trace);
  indexes.set(trace, found);
  return found;
}

function stepsByFrame({ steps, frames }: Trace): readonly Uint32Array[] {
  const counts = new Uint32Array(frames.length);
  const column = steps?.frame ?? new Uint32Array();
  for (let step = 0; step < column.length; step += 1) counts[column[step] ?? 0] = (counts[column[step] ?? 0] ?? 0) + 1;
  const lists = Array.from(counts, (count) => new Uint32Array(count));
  counts.fill(0);
  for (let step = 0; step < column.length; step += 1) {
    const frame = column[step] ?? 0;
    const list = lists[frame];
    const at = counts[frame] ?? 0;
    if (list !== undefined) list[at] = step;
    counts[frame] = at + 1;
  }
  return lists;
}

/** Stacks that share their lower words: each word is a node that knows the one below it. */
class StackIndex {
  readonly #words: readonly string[];
  /** Node below each node; node `n` has the word `n - 1`. */
  readonly #below: Uint32Array;
  readonly #heights: Uint16Array;
  /** Topmost node before each instruction. */
  readonly #tops: Uint32Array;
  #last: { readonly step: number; readonly view: StackView } | undefined;

  constructor({ steps, frames }: Trace) {
    const { removed, added, words } = steps?.stack ?? { removed: [], added: [], words: [] };
    const owners = steps?.frame ?? new Uint32Array();
    this.#words = words;
    this.#below = new Uint32Array(words.length + 1);
    this.#heights = new Uint16Array(words.length + 1);
    this.#tops = new Uint32Array(owners.length);
    const current = new Uint32Array(frames.length);
    let node = 0;
    for (let step = 0; step < owners.length; step += 1) {
      const frame = owners[step] ?? 0;
      let top = current[frame] ?? NO_NODE;
      this.#tops[step] = top;
      for (let count = removed[step] ?? 0; count > 0; count -= 1) top = this.#below[top] ?? NO_NODE;
      for (let count = added[step] ?? 0; count > 0; count -= 1) {
        node += 1;
        this.#below[node] = top;
        this.#heights[node] = (this.#heights[top] ?? 0) + 1;
        top = node;
      }
      current[frame] = top;
    }
  }

  view(step: number): StackView {
    if (this.#last?.step === step) return this.#last.view;
    const top = this.#tops[step] ?? NO_NODE;
    const height = this.#heights[top] ?? 0;
    const nodes = new Uint32Array(height);
    for (let node = top, at = height - 1; at >= 0; at -= 1, node = this.#below[node] ?? NO_NODE) nodes[at] = node;
    const view = {
      height,
      at: (position: number): bigint | undefined => {
        const word = this.#words[(nodes[position] ?? 0) - 1];
        return word === undefined ? undefined : BigInt(`0x${word}`);
      },
      node: (position: number): number => nodes[position] ?? NO_NODE,
    };
    this.#last = { step, view };
    return view;
  }
}

interface Write {
  readonly step: number;
  readonly offset: number;
  readonly data: string;
}

/** Memory of a frame, by the changes of each word. */
export class MemoryIndex {
  readonly #words = new Map<number, Write[]>();
  readonly #sizes: { readonly step: number; readonly size: number }[] = [];

  add(write: Write & { readonly size: number }): void {
    const { step, offset, data, size } = write;
    if (this.#sizes.at(-1)?.size !== size) this.#sizes.push({ step, size });
    const end = offset + data.length / 2;
    for (let word = Math.floor(offset / WORD_BYTES); word * WORD_BYTES < end; word += 1) {
      const list = this.#words.get(word);
      if (list === undefined) this.#words.set(word, [write]);
      else list.push(write);
    }
  }

  /** Returns the size before an instruction, in bytes. */
  sizeAt(step: number): number {
    const at = countBefore(this.#sizes, step);
    return this.#sizes[at - 1]?.size ?? 0;
  }

  /** Returns bytes before an instruction; zeros behind the end. */
  read(step: number, offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    const end = offset + length;
    for (let word = Math.floor(offset / WORD_BYTES); word * WORD_BYTES < end; word += 1) {
      const found = this.#wordAt(word, step);
      const start = word * WORD_BYTES;
      if (found === undefined) continue;
      const from = Math.max(start, offset);
      bytes.set(found.subarray(from - start, Math.min(start + WORD_BYTES, end) - start), from - offset);
    }
    return bytes;
  }

  /** Returns whether an instruction of a range of steps changed bytes. */
  changes({ from, to }: StepRange, offset: number, length: number): boolean {
    const end = offset + length;
    for (let word = Math.floor(offset / WORD_BYTES); word * WORD_BYTES < end; word += 1) {
      const list = this.#words.get(word) ?? [];
      for (let at = countBefore(list, from); at < list.length && (list[at]?.step ?? to) < to; at += 1) {
        const write = list[at];
        if (write !== undefined && write.offset < end && write.offset + write.data.length / 2 > offset) return true;
      }
    }
    return false;
  }

  #wordAt(word: number, step: number): Uint8Array | undefined {
    const list = this.#words.get(word);
    if (list === undefined) return undefined;
    const start = word * WORD_BYTES;
    const bytes = new Uint8Array(WORD_BYTES);
    const known = new Uint8Array(WORD_BYTES);
    let missing = WORD_BYTES;
    for (let at = countBefore(list, step) - 1; at >= 0 && missing > 0; at -= 1) {
      const { offset, data } = list[at] ?? { offset: 0, data: "" };
      const first = Math.max(offset, start);
      const last = Math.min(offset + data.length / 2, start + WORD_BYTES);
      for (let byte = first; byte < last; byte += 1) {
        if (known[byte - start] === 1) continue;
        known[byte - start] = 1;
        missing -= 1;
        bytes[byte - start] = Number.parseInt(data.slice(2 * (byte - offset), 2 * (byte - offset) + 2), 16);
      }
    }
    return bytes;
  }
}

/** Steps of a run; `to` is excluded. */
export interface StepRange {
  readonly from: number;
  readonly to: number;
}

/** Returns how many entries of an ascending list are before a step. */
function countBefore(list: readonly { readonly step: number }[], step: number): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.step ?? 0) < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

function addMemories({ steps }: Trace, memories: Map<number, MemoryIndex>): void {
  for (const change of steps?.memory ?? []) {
    const frame = steps?.frame[change.step] ?? 0;
    const memory = memories.get(frame) ?? new MemoryIndex();
    memories.set(frame, memory);
    memory.add(change);
  }
}

/** Storage of accounts, by the changes of each slot. */
export class StorageIndex {
  readonly #trace: Trace;
  readonly #writes = new Map<string, { readonly step: number; readonly frame: number; readonly after: Word }[]>();
  readonly #before = new Map<string, Word>();
  readonly #created: ReadonlySet<string>;

  constructor(trace: Trace) {
    this.#trace = trace;
    for (const { address, slot, before } of trace.slots) this.#before.set(keyOf(address, slot, false), before);
    for (const { address, slot, isTransient, step, frame, before, after } of trace.writes) {
      const key = keyOf(address, slot, isTransient);
      const list = this.#writes.get(key);
      if (list === undefined) {
        this.#writes.set(key, [{ step, frame, after }]);
        if (!this.#before.has(key)) this.#before.set(key, before);
      } else list.push({ step, frame, after });
    }
    this.#created = new Set(trace.frames.flatMap(({ kind, to }) => (kind.startsWith("create") ? [to] : [])));
  }

  /** Returns a slot before an instruction of a frame; undefined if the run did not touch it. */
  read(address: string, slot: Word, isTransient: boolean, at: { frame: number; step: number }): Word | undefined {
    const key = keyOf(address, slot, isTransient);
    const list = this.#writes.get(key) ?? [];
    for (let index = countBefore(list, at.step) - 1; index >= 0; index -= 1) {
      const write = list[index];
      if (write !== undefined && this.#isInEffect(write.frame, at.frame)) return write.after;
    }
    return this.#before.get(key) ?? (isTransient || this.#created.has(address) ? ZERO : undefined);
  }

  /** Returns whether instructions of a range of steps wrote a slot. */
  changes(address: string, slot: Word, isTransient: boolean, { from, to }: StepRange): boolean {
    const list = this.#writes.get(keyOf(address, slot, isTransient)) ?? [];
    return (list[countBefore(list, from)]?.step ?? to) < to;
  }

  /** Returns whether a write of a frame is in effect while another one runs: no frame between failed. */
  #isInEffect(writer: number, current: number): boolean {
    const running = new Set<number>();
    const { frames } = this.#trace;
    for (let frame: number | undefined = current; frame !== undefined; frame = frames[frame]?.parent)
      running.add(frame);
    for (let frame: number | undefined = writer; frame !== undefined; frame = frames[frame]?.parent) {
      if (running.has(frame)) return true;
      if (frames[frame]?.outcome !== "returned") return false;
    }
    return true;
  }
}

const ZERO = "0".repeat(2 * WORD_BYTES) as Word;

function keyOf(address: string, slot: Word, isTransient: boolean): string {
  return `${isTransient ? "t" : "s"}${address}${slot}`;
}

/** Returns a number as a word. */
export function wordOf(value: bigint): Word {
  return BigInt.asUintN(256, value)
    .toString(16)
    .padStart(2 * WORD_BYTES, "0") as Word;
}

/** Returns the Keccak-256 of hex as a number. */
export function hashOf(digits: string): bigint {
  return BigInt(`0x${bytesToHex(keccak_256(hexToBytes(digits)))}`);
}
