import { bytesToHex } from "@finality/tron/primitives";
import type { MemoryChange, TraceSteps } from "@finality/tron/traces";
import type { Frame, Operation } from "./frame.ts";

const FIRST_CAPACITY = 4096;
const DUP1 = 0x80;
const DUP16 = 0x8f;

/** Columns of a record. */
export interface StepOptions {
  readonly stack: boolean;
  readonly memory: boolean;
  /** Most recorded instructions; later ones are only counted. */
  readonly maxSteps: number;
}

/** Memory range that an instruction writes. */
export interface MemoryRange {
  readonly offset: number;
  readonly size: number;
}

/** Columns of the recorded instructions, which grow. */
export class StepColumns {
  /** Most recorded instructions. */
  readonly maxSteps: number;
  /** True if changes of the stack, of memory, or of one of them are recorded. */
  readonly recordsStack: boolean;
  readonly recordsMemory: boolean;
  readonly recordsChanges: boolean;
  #pc = new Uint32Array(FIRST_CAPACITY);
  #opcode = new Uint8Array(FIRST_CAPACITY);
  #frame = new Uint32Array(FIRST_CAPACITY);
  #cost = new Uint32Array(FIRST_CAPACITY);
  #removed = new Uint8Array(FIRST_CAPACITY);
  #added = new Uint8Array(FIRST_CAPACITY);
  readonly #words: bigint[] = [];
  readonly #memory: MemoryChange[] = [];
  #length = 0;

  constructor(options: StepOptions) {
    this.maxSteps = options.maxSteps;
    this.recordsStack = options.stack;
    this.recordsMemory = options.memory;
    this.recordsChanges = options.stack || options.memory;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds the next step. Its cost is set when it is paid. */
  add(pc: number, opcode: number, frame: number): void {
    const at = this.#length;
    if (at === this.#pc.length) this.#grow();
    this.#pc[at] = pc;
    this.#opcode[at] = opcode;
    this.#frame[at] = frame;
    this.#length = at + 1;
  }

  setCost(step: number, cost: number): void {
    this.#cost[step] = cost;
  }

  /** Records the words that a finished instruction has left on the stack. */
  addWords(step: number, { stack }: Frame, { takes, gives }: Operation): void {
    const opcode = this.#opcode[step] ?? 0;
    const isCopy = opcode >= DUP1 && opcode <= DUP16;
    const added = isCopy ? 1 : gives;
    this.#removed[step] = isCopy ? 0 : takes;
    this.#added[step] = added;
    for (let depth = added - 1; depth >= 0; depth -= 1) this.#words.push(stack.peek(depth));
  }

  /** Reserves the word of an instruction that runs other frames first. @returns its index */
  reserveWord(step: number, { takes }: Operation): number {
    this.#removed[step] = takes;
    this.#added[step] = 1;
    return this.#words.push(0n) - 1;
  }

  setWord(index: number, word: bigint): void {
    this.#words[index] = word;
  }

  /** Records a change of memory. @param before - its size before the instruction */
  addMemory(step: number, { memory }: Frame, before: number, range: MemoryRange | undefined): void {
    const { size } = memory;
    const offset = range?.offset ?? 0;
    const length = range === undefined ? 0 : Math.max(0, Math.min(range.size, size - offset));
    if (size === before && length === 0) return;
    this.#memory.push({ step, size, offset, data: bytesToHex(memory.read(offset, length, true)) });
  }

  /** Returns the columns. */
  finish(): TraceSteps {
    const end = this.#length;
    return {
      pc: this.#pc.slice(0, end),
      opcode: this.#opcode.slice(0, end),
      frame: this.#frame.slice(0, end),
      cost: this.#cost.slice(0, end),
      ...(this.recordsStack && {
        stack: {
          removed: this.#removed.slice(0, end),
          added: this.#added.slice(0, end),
          words: this.#words.map(hexOfWord),
        },
      }),
      ...(this.recordsMemory && { memory: this.#memory.sort((a, b) => a.step - b.step) }),
    };
  }

  #grow(): void {
    const capacity = this.#pc.length * 2;
    this.#pc = grown(this.#pc, new Uint32Array(capacity));
    this.#opcode = grown(this.#opcode, new Uint8Array(capacity));
    this.#frame = grown(this.#frame, new Uint32Array(capacity));
    this.#cost = grown(this.#cost, new Uint32Array(capacity));
    this.#removed = grown(this.#removed, new Uint8Array(capacity));
    this.#added = grown(this.#added, new Uint8Array(capacity));
  }
}

const SMALL_WORDS = 0x10000n;
/** Texts of small words, which most words of a stack are. */
const smallTexts: string[] = [];

function hexOfWord(word: bigint): string {
  if (word >= SMALL_WORDS) return word.toString(16);
  const index = Number(word);
  let text = smallTexts[index];
  if (text === undefined) {
    text = word.toString(16);
    smallTexts[index] = text;
  }
  return text;
}

function grown<Column extends Uint8Array | Uint32Array>(column: Column, larger: Column): Column {
  larger.set(column);
  return larger;
}
