import { type Hex, hexToBytes } from "@finality/tron/primitives";

/** Use of a jump, as the compiler notes it: into a function, out of it, or neither. */
type JumpKind = "i" | "o" | "-";

/** Source range of an instruction, in bytes of the UTF-8 source. */
export interface MappedRange {
  readonly start: number;
  readonly length: number;
  /** Number of the source in the compilation; -1 for code without a source. */
  readonly file: number;
  readonly jump: JumpKind;
}

/** Instructions of a contract's code, with their source ranges. */
export interface InstructionMap {
  /** Number of instructions with a range: code before the metadata and before the code of other contracts. */
  readonly count: number;
  /** Program counter of each instruction. */
  readonly counters: Int32Array;
  readonly opcodes: Uint8Array;
  /** Returns the number of the instruction at a program counter; -1 inside data and after the mapped code. */
  indexAt(pc: number): number;
  range(index: number): MappedRange;
  /** Returns the bytes of an instruction with its pushed value, as hex. */
  text(index: number): string;
  /** Returns the pushed value, up to 6 bytes; undefined for other instructions and longer values. */
  pushed(index: number): number | undefined;
}

const PUSH1 = 0x60;
const PUSH32 = 0x7f;
/** Longest pushed value that is exact in a number. */
const EXACT_BYTES = 6;
const FIELDS = 4;
const JUMPS = ["-", "i", "o"] as const;

/**
 * Parses a compressed source map, `start:length:file:jump:modifierDepth` for each instruction, with empty fields for
 * those of the instruction before it. Total: a field that is no number repeats the former one.
 */
export function readInstructionMap(code: Hex, sourceMap: string): InstructionMap {
  const bytes = hexToBytes(code);
  const entries = sourceMap === "" ? [] : sourceMap.split(";");
  const columns = new Int32Array(entries.length * FIELDS);
  const counters = new Int32Array(entries.length);
  const opcodes = new Uint8Array(entries.length);
  const indexes = new Int32Array(bytes.length).fill(-1);
  let pc = 0;
  let count = 0;
  while (count < entries.length && pc < bytes.length) {
    readEntry(entries[count] ?? "", columns, count);
    counters[count] = pc;
    indexes[pc] = count;
    const opcode = bytes[pc] ?? 0;
    opcodes[count] = opcode;
    pc += 1 + pushLength(opcode);
    count += 1;
  }
  return {
    count,
    counters,
    opcodes,
    indexAt: (at) => indexes[at] ?? -1,
    range: (index) => rangeAt(columns, index),
    text: (index) => {
      const at = counters[index] ?? 0;
      return code.slice(2 * at, 2 * (at + 1 + pushLength(bytes[at] ?? 0)));
    },
    pushed: (index) => pushedAt(bytes, counters[index] ?? 0),
  };
}

/** Returns the number of bytes that an instruction pushes. */
export function pushLength(opcode: number): number {
  return opcode >= PUSH1 && opcode <= PUSH32 ? opcode - PUSH1 + 1 : 0;
}

function readEntry(entry: string, columns: Int32Array, index: number): void {
  const at = index * FIELDS;
  if (index === 0) columns.set([0, 0, -1, 0]);
  else columns.copyWithin(at, at - FIELDS, at);
  if (entry === "") return;
  const fields = entry.split(":");
  for (let field = 0; field < FIELDS - 1; field += 1) {
    const value = Number.parseInt(fields[field] ?? "", 10);
    if (Number.isSafeInteger(value)) columns[at + field] = value;
  }
  const jump = JUMPS.indexOf((fields[FIELDS - 1] ?? "") as JumpKind);
  if (jump >= 0) columns[at + FIELDS - 1] = jump;
}

function rangeAt(columns: Int32Array, index: number): MappedRange {
  const at = index * FIELDS;
  return {
    start: columns[at] ?? 0,
    length: columns[at + 1] ?? 0,
    file: columns[at + 2] ?? -1,
    jump: JUMPS[columns[at + 3] ?? 0] ?? "-",
  };
}

function pushedAt(bytes: Uint8Array, pc: number): number | undefined {
  const length = pushLength(bytes[pc] ?? 0);
  if (length === 0 || length > EXACT_BYTES) return undefined;
  return bytes.subarray(pc + 1, pc + 1 + length).reduce((value, byte) => value * 256 + byte, 0);
}
