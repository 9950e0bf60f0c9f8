import { t } from "@vscode/l10n";
import { type DebugValue, memberName, missingValue } from "./debug-value.ts";
import type { MemoryIndex, StepRange } from "./run-index.ts";
import { packedBytes, type SolidityType, type TypedMember } from "./solidity-type.ts";
import { listElements } from "./storage-values.ts";
import { bytesValue, previewOf, wordValue } from "./word-value.ts";

const WORD_BYTES = 32;
const MOST_BYTES = 65_536;
/** Depth down to which parts are a part of the text. */
const PREVIEW_DEPTH = 2;

/** Memory of a frame before an instruction. */
export interface MemoryView {
  readonly memory: MemoryIndex;
  readonly step: number;
  /** Steps whose order the optimizer may have changed: what they write has no certain value. */
  readonly unordered: StepRange | undefined;
}

/** Variable in memory or call data, or a part of one. */
export interface LocatedVariable {
  readonly name: string;
  readonly type: SolidityType;
  /** Offset in bytes. */
  readonly offset: bigint;
  readonly depth: number;
  readonly evaluateName?: string;
}

/** Returns the value of a reference to memory. */
export function memoryValue(view: MemoryView, variable: LocatedVariable): DebugValue {
  const { name, type, offset, evaluateName } = variable;
  const length = lengthOf(view, variable);
  if (typeof length === "string") return missingValue(name, type.label, length);
  const common = {
    name,
    type: type.label,
    memory: Number(offset),
    ...(evaluateName !== undefined && { evaluateName }),
  };
  if (type.kind === "bytes" || type.kind === "string") {
    const bytes = readBytes(view, offset + BigInt(WORD_BYTES), Number(length));
    return bytes === undefined ? uncertain(variable) : { ...common, ...bytesValue(type, bytes) };
  }
  if (type.kind === "struct") {
    const members = type.members().filter(({ type: { kind } }) => kind !== "mapping");
    return withParts(common, variable, () => members.map((member, at) => memberAt(view, variable, member, at)));
  }
  if (type.kind !== "array") return missingValue(name, type.label, t`the type is unknown`);
  const first = type.length === undefined ? offset + BigInt(WORD_BYTES) : offset;
  const at = (index: bigint): DebugValue =>
    slotValue(view, {
      name: `[${index}]`,
      type: type.element,
      offset: first + BigInt(WORD_BYTES) * index,
      depth: variable.depth + 1,
      ...(evaluateName !== undefined && { evaluateName: `${evaluateName}[${index}]` }),
    });
  return {
    ...withParts(common, variable, () => listElements(length, at)),
    length,
    element: ({ raw }) => (typeof raw === "bigint" && raw >= 0n && raw < length ? at(raw) : undefined),
  };
}

function uncertain({ name, type }: LocatedVariable): DebugValue {
  return missingValue(name, type.label, t`the optimizer may have moved a write`);
}

/** Returns the length of a list or text, or the reason why it has none. */
function lengthOf(view: MemoryView, { type, offset }: LocatedVariable): bigint | string {
  const size = view.memory.sizeAt(view.step);
  const isStatic = type.kind === "struct" || (type.kind === "array" && type.length !== undefined);
  if (offset > BigInt(size)) return t`it points outside of the memory`;
  if (isStatic) return BigInt(type.kind === "array" ? (type.length ?? 0) : 0);
  const word = readBytes(view, offset, WORD_BYTES);
  if (word === undefined) return t`the optimizer may have moved a write`;
  const length = numberOf(word);
  const isText = type.kind === "bytes" || type.kind === "string";
  if (length > BigInt(size) || (isText && length > BigInt(MOST_BYTES))) return t`it has ${String(length)} bytes`;
  return length;
}

/** Returns bytes; undefined if an instruction of uncertain order writes them. */
function readBytes({ memory, step, unordered }: MemoryView, offset: bigint, length: number): Uint8Array | undefined {
  const start = Number(offset);
  if (unordered !== undefined && memory.changes(unordered, start, length)) return undefined;
  return memory.read(step, start, length);
}

function memberAt(
  view: MemoryView,
  { offset, depth, evaluateName }: LocatedVariable,
  { name, type }: TypedMember,
  at: number,
): DebugValue {
  const memberOffset = offset + BigInt(WORD_BYTES * at);
  return slotValue(view, { name, type, offset: memberOffset, depth: depth + 1, ...memberName(evaluateName, name) });
}

/** Returns the value of a word of memory: a value, or a reference to another word. */
function slotValue(view: MemoryView, variable: LocatedVariable): DebugValue {
  const { name, type, offset, evaluateName } = variable;
  const bytes = readBytes(view, offset, WORD_BYTES);
  if (bytes === undefined) return uncertain(variable);
  const word = numberOf(bytes);
  if (packedBytes(type) === undefined) return memoryValue(view, { ...variable, offset: word });
  const value = wordValue(type, word);
  if (value === undefined) return missingValue(name, type.label, t`the type is unknown`);
  return {
    name,
    type: type.label,
    memory: Number(offset),
    ...(evaluateName !== undefined && { evaluateName }),
    ...value,
  };
}

function withParts(
  common: Omit<DebugValue, "text">,
  { type, depth }: Pick<LocatedVariable, "type" | "depth">,
  children: () => readonly DebugValue[],
): DebugValue {
  const text = depth < PREVIEW_DEPTH ? previewOf(children(), type.kind === "array") : type.label;
  return { ...common, text, children };
}

function numberOf(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString("hex")}`);
}

/** Returns the value of a reference to call data. @param length - of a list or text, whose offset is that of its data */
export function callDataValue(data: Uint8Array, variable: LocatedVariable, length?: bigint): DebugValue {
  const { name, type, offset, evaluateName } = variable;
  const common = { name, type: type.label, ...(evaluateName !== undefined && { evaluateName }) };
  const outside = (): DebugValue => missingValue(name, type.label, t`it points outside of the call data`);
  const end = BigInt(data.length);
  if (type.kind === "bytes" || type.kind === "string") {
    if (length === undefined || offset + length > end) return outside();
    return { ...common, ...bytesValue(type, data.subarray(Number(offset), Number(offset + length))) };
  }
  if (type.kind === "struct") {
    let head = 0n;
    const members = type.members().map((member) => {
      const located = { ...member, head };
      head += headSize(member.type);
      return located;
    });
    if (offset + head > end) return outside();
    const parts = (): readonly DebugValue[] =>
      members.map((it) =>
        partAt(data, offset, {
          ...it,
          offset: offset + it.head,
          depth: variable.depth + 1,
          ...memberName(evaluateName, it.name),
        }),
      );
    return withParts(common, variable, parts);
  }
  if (type.kind !== "array") return wordAt(data, variable);
  const count = type.length === undefined ? length : BigInt(type.length);
  const size = headSize(type.element);
  if (count === undefined || offset + count * size > end) return outside();
  const at = (index: bigint): DebugValue =>
    partAt(data, offset, {
      name: `[${index}]`,
      type: type.element,
      offset: offset + index * size,
      depth: variable.depth + 1,
      ...(evaluateName !== undefined && { evaluateName: `${evaluateName}[${index}]` }),
    });
  return {
    ...withParts(common, variable, () => listElements(count, at)),
    length: count,
    element: ({ raw }) => (typeof raw === "bigint" && raw >= 0n && raw < count ? at(raw) : undefined),
  };
}

/** Returns one of the arguments in the data of a call, without its selector. */
export function argumentValue(
  data: Uint8Array,
  parameters: readonly TypedMember[],
  at: number,
): DebugValue | undefined {
  const parameter = parameters[at];
  if (parameter === undefined) return undefined;
  const offset = parameters.slice(0, at).reduce((sum, { type }) => sum + headSize(type), 0n);
  const { name, type } = parameter;
  return partAt(data, 0n, { name, type, offset, depth: 0, evaluateName: name });
}

/** Returns a part whose head is at an offset; a dynamic one has there its distance from `base`. */
function partAt(data: Uint8Array, base: bigint, variable: LocatedVariable): DebugValue {
  const { type, offset } = variable;
  if (!isDynamic(type)) return callDataValue(data, variable);
  const distance = readWord(data, offset);
  const outside = missingValue(variable.name, type.label, t`it points outside of the call data`);
  if (distance === undefined) return outside;
  const target = base + distance;
  if (type.kind === "struct" || (type.kind === "array" && type.length !== undefined))
    return callDataValue(data, { ...variable, offset: target });
  const length = readWord(data, target);
  return length === undefined
    ? outside
    : callDataValue(data, { ...variable, offset: target + BigInt(WORD_BYTES) }, length);
}

function wordAt(data: Uint8Array, { name, type, offset, evaluateName }: LocatedVariable): DebugValue {
  const word = readWord(data, offset);
  const value = word === undefined ? undefined : wordValue(type, word);
  if (value === undefined) return missingValue(name, type.label, t`it points outside of the call data`);
  return { name, type: type.label, ...(evaluateName !== undefined && { evaluateName }), ...value };
}

function readWord(data: Uint8Array, offset: bigint): bigint | undefined {
  if (offset + BigInt(WORD_BYTES) > BigInt(data.length)) return undefined;
  return numberOf(data.subarray(Number(offset), Number(offset) + WORD_BYTES));
}

function isDynamic(type: SolidityType): boolean {
  if (type.kind === "bytes" || type.kind === "string") return true;
  if (type.kind === "struct") return type.members().some((member) => isDynamic(member.type));
  return type.kind === "array" && (type.length === undefined || isDynamic(type.element));
}

/** Returns the bytes of a type in the head of its parent. */
function headSize(type: SolidityType): bigint {
  if (isDynamic(type)) return BigInt(WORD_BYTES);
  if (type.kind === "struct") return type.members().reduce((sum, member) => sum + headSize(member.type), 0n);
  if (type.kind === "array") return BigInt(type.length ?? 0) * headSize(type.element);
  return BigInt(WORD_BYTES);
}
