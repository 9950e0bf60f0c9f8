import { t } from "@vscode/l10n";
import { ChainError } from "../errors/chain-error.ts";
import type { Address } from "../primitives/address.ts";
import { bytesToHex, type Hex, hexToBytes } from "../primitives/bytes.ts";
import { type ForeignText, foreignText } from "../primitives/plain-text.ts";
import type { AbiCandidate } from "./abi-index.ts";
import { type AbiParameter, type AbiType, elementaryType } from "./abi-type.ts";

/** Decoded value: integers are bigints, addresses 41…, bytes hex without 0x, arrays and tuples are lists. */
export type AbiValue = bigint | boolean | ForeignText | Hex | Address | MalformedText | readonly AbiValue[];

/** String whose bytes are not UTF-8: both forms. */
export interface MalformedText {
  /** With U+FFFD for invalid UTF-8. */
  readonly text: ForeignText;
  readonly bytes: Hex;
}

const WORD = 32;
/** Types without a size could be repeated endlessly. */
const FREE_NODES = 1024;

interface Reader {
  readonly bytes: Buffer;
  readonly view: DataView;
  /** Remaining budget of values and string words: offsets that share data would multiply them. */
  nodes: number;
}

/**
 * Decodes as strictly as Solidity: every word must be padded as its type requires, and every offset and length must
 * stay inside the data. An address may include the prefix 41 before its 20 bytes, as two precompiles return it. The
 * time is linear in the length of the data. Data after the last value are ignored.
 *
 * @throws {ChainError} `ABI_MALFORMED`
 */
export function decodeAbi(parameters: readonly AbiParameter[], data: Uint8Array): readonly AbiValue[] {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return readFields({ bytes, view, nodes: FREE_NODES + 2 * Math.ceil(data.length / WORD) }, parameters, 0);
}

function readFields(reader: Reader, fields: readonly AbiParameter[], base: number): readonly AbiValue[] {
  const values: AbiValue[] = [];
  let head = base;
  for (const { type } of fields) {
    values.push(readAt(reader, type, base, head));
    head += type.head;
  }
  return values;
}

function readAt(reader: Reader, type: AbiType, base: number, head: number): AbiValue {
  return read(reader, type, type.dynamic ? base + readSize(reader, head) : head);
}

function read(reader: Reader, type: AbiType, at: number): AbiValue {
  if (--reader.nodes < 0) throw malformed(t`its offsets repeat the same data too often`);
  switch (type.kind) {
    case "uint":
      return readUint(reader, at, type.bits);
    case "int":
      return readInt(reader, at, type.bits);
    case "bool":
      return readUint(reader, at, 1) === 1n;
    case "address":
      return readAddress(reader, at);
    case "fixed-bytes":
      return readFixedBytes(reader, at, type.size);
    case "bytes":
      return bytesToHex(readSpan(reader, at));
    case "string":
      return textOfBytes(readSpan(reader, at));
    case "tuple":
      return readFields(reader, type.fields, at);
    case "array":
      return type.length === undefined
        ? readItems(reader, type.element, at + WORD, readSize(reader, at))
        : readItems(reader, type.element, at, type.length);
  }
}

function readItems(reader: Reader, element: AbiType, base: number, length: number): readonly AbiValue[] {
  if (length > reader.nodes || base + length * element.head > reader.bytes.length) {
    throw malformed(t`an array of ${length} items does not fit into the data`);
  }
  const items: AbiValue[] = [];
  for (let index = 0; index < length; index++) items.push(readAt(reader, element, base, base + index * element.head));
  return items;
}

function readUint(reader: Reader, at: number, bits: number): bigint {
  const value = readWord(reader, at);
  if (bits < 256 && value >> BigInt(bits) !== 0n)
    throw malformed(t`the number at byte ${at} has more than ${bits} bits`);
  return value;
}

function readInt(reader: Reader, at: number, bits: number): bigint {
  const value = BigInt.asIntN(256, readWord(reader, at));
  if (bits < 256 && BigInt.asIntN(bits, value) !== value) {
    throw malformed(t`the number at byte ${at} has more than ${bits} bits`);
  }
  return value;
}

function readWord({ bytes, view }: Reader, at: number): bigint {
  if (at + WORD > bytes.length) throw malformed(t`there is no word at byte ${at}`);
  const small =
    view.getUint32(at) === 0 &&
    view.getUint32(at + 4) === 0 &&
    view.getUint32(at + 8) === 0 &&
    view.getUint32(at + 12) === 0 &&
    view.getUint32(at + 16) === 0 &&
    view.getUint32(at + 20) === 0;
  return small ? view.getBigUint64(at + 24) : BigInt(`0x${bytes.toString("hex", at, at + WORD)}`);
}

/** Reads an offset or a length, which must stay inside the data. */
function readSize({ bytes, view }: Reader, at: number): number {
  if (at + WORD > bytes.length) throw malformed(t`there is no word at byte ${at}`);
  for (let byte = 0; byte < WORD - 4; byte += 4) {
    if (view.getUint32(at + byte) !== 0) throw malformed(t`the offset or length at byte ${at} lies beyond the data`);
  }
  const size = view.getUint32(at + WORD - 4);
  if (size > bytes.length) throw malformed(t`the offset or length at byte ${at} lies beyond the data`);
  return size;
}

function readAddress({ bytes, view }: Reader, at: number): Address {
  if (at + WORD > bytes.length) throw malformed(t`there is no word at byte ${at}`);
  const prefix = view.getUint32(at + 8);
  if (view.getUint32(at) !== 0 || view.getUint32(at + 4) !== 0 || (prefix !== 0 && prefix !== 0x41)) {
    throw malformed(t`the word at byte ${at} is not an address`);
  }
  return `41${bytes.toString("hex", at + 12, at + WORD)}` as Address;
}

function readFixedBytes({ bytes }: Reader, at: number, size: number): Hex {
  if (at + WORD > bytes.length) throw malformed(t`there is no word at byte ${at}`);
  for (let byte = at + size; byte < at + WORD; byte++) {
    if (bytes[byte] !== 0) throw malformed(t`the word at byte ${at} has more than ${size} bytes`);
  }
  return bytes.toString("hex", at, at + size) as Hex;
}

/** Returns the string of these bytes; for bytes that are not UTF-8, both forms. */
export function textOfBytes(bytes: Uint8Array): ForeignText | MalformedText {
  const utf8 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");
  const text = foreignText(utf8);
  return !utf8.includes("\uFFFD") || Buffer.from(utf8, "utf8").equals(bytes)
    ? text
    : { text, bytes: bytesToHex(bytes) };
}

function readSpan(reader: Reader, at: number): Uint8Array {
  const length = readSize(reader, at);
  const start = at + WORD;
  reader.nodes -= Math.ceil(length / WORD);
  if (reader.nodes < 0) throw malformed(t`its offsets repeat the same data too often`);
  if (start + length > reader.bytes.length)
    throw malformed(t`${length} bytes at byte ${start} do not fit into the data`);
  return reader.bytes.subarray(start, start + length);
}

function malformed(reason: string): ChainError {
  return new ChainError("ABI_MALFORMED", { reason });
}

/** Values of an event in the order of its parameters. A topic that contains only a hash has the type bytes32. */
export interface DecodedLog {
  readonly parameters: readonly AbiParameter[];
  readonly values: readonly AbiValue[];
}

/**
 * Decodes a log as an event.
 *
 * @param topics - In hex; the first one names the event.
 * @throws {ChainError} `ABI_MALFORMED` if the topics or data do not match the event; `HEX_MALFORMED`
 */
export function decodeLog(
  { parameters, indexed }: Pick<AbiCandidate, "parameters" | "indexed">,
  topics: readonly string[],
  data: Uint8Array,
): DecodedLog {
  const inTopics = parameters.filter((_, at) => indexed[at] === true).map(ofTopic);
  if (topics.length !== inTopics.length + 1) {
    throw new ChainError("ABI_MALFORMED", {
      reason: t`the event has ${inTopics.length + 1} topics, not ${topics.length}`,
    });
  }
  const fromTopics = inTopics.flatMap((one, at) => decodeAbi([one], hexToBytes(topics[at + 1] ?? "")));
  const fromData = decodeAbi(
    parameters.filter((_, at) => indexed[at] !== true),
    data,
  );
  const rest = { topics: fromTopics.values(), data: fromData.values() };
  return {
    parameters: parameters.map((one, at) => (indexed[at] === true ? ofTopic(one) : one)),
    values: parameters.flatMap((_, at) => {
      const { value, done } = (indexed[at] === true ? rest.topics : rest.data).next();
      return done === true ? [] : [value];
    }),
  };
}

/** A topic has one word: for longer values it is the hash. */
function ofTopic(parameter: AbiParameter): AbiParameter {
  return isWord(parameter.type) ? parameter : { ...parameter, type: elementaryType("bytes32") };
}

function isWord({ kind }: AbiType): boolean {
  return kind !== "string" && kind !== "bytes" && kind !== "array" && kind !== "tuple";
}
