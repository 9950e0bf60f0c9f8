import { type Address, hexToBytes } from "@finality/tron/primitives";
import type { Word } from "@finality/tron/traces";
import { t } from "@vscode/l10n";
import { type DebugValue, type ElementKey, memberName, missingValue, type ReadStorage } from "./debug-value.ts";
import type { UnorderedSteps } from "./function-calls.ts";
import { hashOf, type RunIndex, wordOf } from "./run-index.ts";
import { locateMembers, packedBytes, type SolidityType, slotCount } from "./solidity-type.ts";
import { bytesValue, packedValue, wordValue } from "./word-value.ts";

const WORD_BYTES = 32;
const WORD_DIGITS = 64;
/** Most shown elements and bytes of a value. */
const MOST_ELEMENTS = 256;
const MOST_BYTES = 65_536n;

/** Storage of an account before an instruction. */
export interface StorageView {
  readonly index: RunIndex;
  readonly frame: number;
  readonly step: number;
  readonly address: Address;
  readonly isTransient: boolean;
  readonly readStorage: ReadStorage | undefined;
  /** Steps whose order the optimizer may have changed: what they write has no certain value. */
  readonly unordered: UnorderedSteps | undefined;
}

/** Variable in storage, or a part of one. */
export interface StoredVariable {
  readonly name: string;
  readonly type: SolidityType;
  readonly slot: bigint;
  /** Lowest byte, counted from the right of the slot. */
  readonly offset: number;
  readonly evaluateName?: string;
}

type SlotResult = { readonly word: Word } | { readonly reason: string };

function readSlot(view: StorageView, slot: bigint): SlotResult {
  const { index, address, isTransient, unordered } = view;
  const word = wordOf(slot);
  if (unordered !== undefined && index.storage.changes(address, word, isTransient, unordered))
    return { reason: t`the optimizer may have moved a write` };
  if (unordered?.isUndone === true) return { reason: t`the optimizer may have left out a write` };
  const found = index.storage.read(address, word, isTransient, view) ?? view.readStorage?.(address, word);
  return found === undefined ? { reason: t`the run did not touch this slot` } : { word: found };
}

/** Returns a variable in storage before an instruction. */
export function storageValue(view: StorageView, variable: StoredVariable): DebugValue {
  const { name, type } = variable;
  const common = { name, type: type.label, ...evaluateNameOf(variable) };
  switch (type.kind) {
    case "struct":
      return { ...common, text: type.label, children: () => membersOf(view, variable, type) };
    case "mapping":
      return mappingValue(view, variable, type);
    case "array":
      return arrayValue(view, variable, type);
    case "bytes":
    case "string":
      return { ...common, ...storedBytes(view, variable) };
    default:
      return { ...common, ...storedWord(view, variable) };
  }
}

function evaluateNameOf({ evaluateName }: StoredVariable): { readonly evaluateName?: string } {
  return evaluateName === undefined ? {} : { evaluateName };
}

function storedWord(view: StorageView, { name, type, slot, offset }: StoredVariable): DebugValue {
  const bytes = packedBytes(type);
  if (bytes === undefined) return missingValue(name, type.label, t`the type is unknown`);
  const read = readSlot(view, slot);
  if ("reason" in read) return missingValue(name, type.label, read.reason);
  const end = WORD_DIGITS - 2 * offset;
  const value = packedValue(type, read.word.slice(end - 2 * bytes, end));
  return value === undefined
    ? missingValue(name, type.label, t`the type is unknown`)
    : { name, type: type.label, ...value };
}

function membersOf(
  view: StorageView,
  { slot, evaluateName }: StoredVariable,
  type: SolidityType & { readonly kind: "struct" },
): readonly DebugValue[] {
  return locateMembers(type.members()).located.map((member) =>
    storageValue(view, {
      name: member.name,
      type: member.type,
      slot: slot + member.slot,
      offset: member.offset,
      ...memberName(evaluateName, member.name),
    }),
  );
}

function arrayValue(
  view: StorageView,
  variable: StoredVariable,
  type: SolidityType & { readonly kind: "array" },
): DebugValue {
  const { name, slot } = variable;
  const read = type.length === undefined ? readSlot(view, slot) : { word: wordOf(BigInt(type.length)) };
  if ("reason" in read) return missingValue(name, type.label, read.reason);
  const length = BigInt(`0x${read.word}`);
  const first = type.length === undefined ? hashOf(wordOf(slot)) : slot;
  const at = (index: bigint): DebugValue => storageValue(view, elementOf(variable, type.element, first, index));
  return {
    name,
    type: type.label,
    ...evaluateNameOf(variable),
    text: t`length ${String(length)}`,
    length,
    children: () => listElements(length, at),
    element: ({ raw }) => (typeof raw === "bigint" && raw >= 0n && raw < length ? at(raw) : undefined),
  };
}

/** Returns the first elements of a list, and how many others there are. */
export function listElements(length: bigint, at: (index: bigint) => DebugValue): readonly DebugValue[] {
  const count = Number(length > BigInt(MOST_ELEMENTS) ? BigInt(MOST_ELEMENTS) : length);
  const elements = Array.from({ length: count }, (_, index) => at(BigInt(index)));
  return [...elements, ...restOf(length - BigInt(count))];
}

function restOf(left: bigint | number): readonly DebugValue[] {
  return left > 0 ? [{ name: "…", type: "", text: t`${String(left)} more` }] : [];
}

function elementOf(
  { name, evaluateName = name }: StoredVariable,
  type: SolidityType,
  first: bigint,
  index: bigint,
): StoredVariable {
  const bytes = packedBytes(type);
  const named = { name: `[${index}]`, type, evaluateName: `${evaluateName}[${index}]` };
  if (bytes === undefined) return { ...named, slot: first + index * slotCount(type), offset: 0 };
  const perSlot = BigInt(Math.floor(WORD_BYTES / bytes));
  return { ...named, slot: first + index / perSlot, offset: Number(index % perSlot) * bytes };
}

function storedBytes(view: StorageView, { name, type, slot }: StoredVariable): DebugValue {
  const read = readSlot(view, slot);
  if ("reason" in read) return missingValue(name, type.label, read.reason);
  const head = BigInt(`0x${read.word}`);
  if (head % 2n === 0n) {
    const length = Number((head & 0xffn) / 2n);
    return { name, type: type.label, ...bytesValue(type, hexToBytes(read.word).subarray(0, length)) };
  }
  const length = head / 2n;
  if (length > MOST_BYTES) return missingValue(name, type.label, t`it has ${String(length)} bytes`);
  const words: string[] = [];
  const first = hashOf(wordOf(slot));
  for (let at = 0n; at * 32n < length; at += 1n) {
    const part = readSlot(view, first + at);
    if ("reason" in part) return missingValue(name, type.label, part.reason);
    words.push(part.word);
  }
  return { name, type: type.label, ...bytesValue(type, hexToBytes(words.join("")).subarray(0, Number(length))) };
}

function mappingValue(
  view: StorageView,
  variable: StoredVariable,
  type: SolidityType & { readonly kind: "mapping" },
): DebugValue {
  const { name, slot } = variable;
  const keys = seenKeys(view, slot, type.key);
  const entry = (key: MappingKey): DebugValue => storageValue(view, entryOf(variable, type, key));
  return {
    name,
    type: type.label,
    ...evaluateNameOf(variable),
    text: keys.length === 1 ? t`1 key in this run` : t`${keys.length} keys in this run`,
    children: () => [...keys.slice(0, MOST_ELEMENTS).map(entry), ...restOf(keys.length - MOST_ELEMENTS)],
    element: (key) => {
      const made = keyOf(type.key, key);
      return made === undefined ? undefined : entry(made);
    },
  };
}

interface MappingKey {
  /** Bytes that are hashed before the slot, hex. */
  readonly digits: string;
  readonly text: string;
  /** The same in an expression. */
  readonly expression: string;
}

function entryOf(
  { name, slot, evaluateName = name }: StoredVariable,
  type: SolidityType & { readonly kind: "mapping" },
  key: MappingKey,
): StoredVariable {
  const start = hashOf(key.digits + wordOf(slot));
  return {
    name: `[${key.text}]`,
    type: type.value,
    slot: start,
    offset: 0,
    evaluateName: `${evaluateName}[${key.expression}]`,
  };
}

/** Returns the keys that the code of the account hashed with the slot of a mapping. */
function seenKeys({ index, address }: StorageView, slot: bigint, type: SolidityType): readonly MappingKey[] {
  const end = wordOf(slot);
  const isLong = type.kind === "string" || type.kind === "bytes";
  const digits = [...index.hashedBy(address).values()]
    .filter((it) => it.endsWith(end) && (isLong || it.length === 2 * WORD_DIGITS))
    .map((it) => it.slice(0, -WORD_DIGITS));
  return digits.flatMap((it) => {
    const shown = isLong ? bytesValue(type, hexToBytes(it)) : wordValue(type, BigInt(`0x${it}`));
    if (shown === undefined) return [];
    const { text } = shown;
    return [{ digits: it, text, expression: type.kind === "enum" ? `${shown.raw}` : text }];
  });
}

/** Returns the hashed form of a key; undefined if the value is of another type. */
function keyOf(type: SolidityType, { raw }: ElementKey): MappingKey | undefined {
  const made = (digits: string, text: string): MappingKey => ({ digits, text, expression: text });
  if (typeof raw === "string") {
    if (type.kind === "string") return made(Buffer.from(raw, "utf8").toString("hex"), JSON.stringify(raw));
    if (!/^0x(?:[\da-f]{2})*$/i.test(raw)) return undefined;
    if (type.kind === "bytes") return made(raw.slice(2), raw);
    return type.kind === "fixed-bytes" ? made(raw.slice(2).padEnd(WORD_DIGITS, "0"), raw) : undefined;
  }
  if (typeof raw === "boolean") return type.kind === "bool" ? made(wordOf(raw ? 1n : 0n), `${raw}`) : undefined;
  if (type.kind === "fixed-bytes") {
    const digits = wordOf(raw).slice(-2 * type.size);
    return made(digits.padEnd(WORD_DIGITS, "0"), `0x${digits}`);
  }
  const isNumber = type.kind !== "string" && type.kind !== "bytes" && type.kind !== "bool";
  return isNumber ? made(wordOf(raw), wordValue(type, raw)?.text ?? `${raw}`) : undefined;
}
