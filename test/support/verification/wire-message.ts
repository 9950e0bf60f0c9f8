/** One field of a protobuf message as it stands on the wire, read without any schema. */
export interface WireField {
  readonly number: number;
  readonly wire: number;
  /** The bytes of a varint, of a fixed number, or the content of what has a length. */
  readonly value: Uint8Array;
  /** The part that has more bytes than needed. */
  readonly overlong?: "tag" | "length";
}

/** The places of the fields that lead to a message inside another one; empty is the outermost message. */
export type Way = readonly number[];

export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const GROUP = 3;
export const FIXED32 = 5;

/** @returns undefined for what is no message, or not the shortest encoding of one */
export function readFields(bytes: Uint8Array): readonly WireField[] | undefined {
  const fields: WireField[] = [];
  for (let at = 0; at < bytes.length; ) {
    const field = readField(bytes, at);
    if (field === undefined) return undefined;
    fields.push(field);
    at += writeField(field).length;
  }
  const again = writeFields(fields);
  return Buffer.compare(again, bytes) === 0 ? fields : undefined;
}

function readField(bytes: Uint8Array, at: number): WireField | undefined {
  const tag = varintAt(bytes, at);
  if (tag === undefined) return undefined;
  const [number, wire] = [Number(tag >> 3n), Number(tag & 7n)];
  const value = valueAt(bytes, at + writeVarint(tag).length, wire);
  return value === undefined || number === 0 ? undefined : { number, wire, value };
}

function valueAt(bytes: Uint8Array, at: number, wire: number): Uint8Array | undefined {
  if (wire === VARINT) {
    const value = varintAt(bytes, at);
    return value === undefined ? undefined : writeVarint(value);
  }
  if (wire === FIXED64) return piece(bytes, at, 8);
  if (wire === FIXED32) return piece(bytes, at, 4);
  const length = wire === BYTES ? varintAt(bytes, at) : undefined;
  return length === undefined ? undefined : piece(bytes, at + writeVarint(length).length, Number(length));
}

function piece(bytes: Uint8Array, at: number, length: number): Uint8Array | undefined {
  return at + length <= bytes.length ? bytes.subarray(at, at + length) : undefined;
}

export function writeFields(fields: readonly WireField[]): Uint8Array {
  return Buffer.concat(fields.map(writeField));
}

function writeField({ number, wire, value, overlong }: WireField): Uint8Array {
  const tag = writeVarint((BigInt(number) << 3n) | BigInt(wire));
  const length = wire === BYTES ? writeVarint(BigInt(value.length)) : new Uint8Array();
  return Buffer.concat([
    overlong === "tag" ? longer(tag) : tag,
    overlong === "length" ? longer(length) : length,
    value,
  ]);
}

/** The same number with a byte that says nothing. */
export function longer(varint: Uint8Array): Uint8Array {
  return Buffer.concat([varint.subarray(0, -1), Uint8Array.of((varint.at(-1) ?? 0) | 0x80, 0)]);
}

export function writeVarint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, value);
  do {
    bytes.push(Number(rest & 127n) | (rest > 127n ? 128 : 0));
    rest >>= 7n;
  } while (rest > 0n);
  return Uint8Array.from(bytes);
}

/** The number as int64; undefined where there is none. */
export function readVarint(bytes: Uint8Array): bigint | undefined {
  return varintAt(bytes, 0);
}

function varintAt(bytes: Uint8Array, at: number): bigint | undefined {
  let value = 0n;
  for (let length = 0; length < 10; length += 1) {
    const byte = bytes[at + length];
    if (byte === undefined) return undefined;
    value |= BigInt(byte & 127) << BigInt(7 * length);
    if (byte < 128) return BigInt.asIntN(64, value);
  }
  return undefined;
}

/** The ways to every message, as far as bytes read as one: a text that happens to be one counts too. */
export function waysIn(bytes: Uint8Array, way: Way = []): readonly Way[] {
  const fields = readFields(bytes);
  if (fields === undefined) return [];
  return [
    way,
    ...fields.flatMap(({ wire, value }, at) => (wire === BYTES && value.length > 0 ? waysIn(value, [...way, at]) : [])),
  ];
}

/** The same bytes with other fields in the message at the end of a way. */
export function changeMessage(
  bytes: Uint8Array,
  [next, ...rest]: Way,
  change: (fields: readonly WireField[]) => readonly WireField[],
): Uint8Array {
  const fields = readFields(bytes) ?? [];
  if (next === undefined) return writeFields(change(fields));
  return writeFields(
    fields.map((it, at) => (at === next ? { ...it, value: changeMessage(it.value, rest, change) } : it)),
  );
}

/** The fields of the message at the end of a way. */
export function fieldsAt(bytes: Uint8Array, [next, ...rest]: Way): readonly WireField[] {
  const fields = readFields(bytes) ?? [];
  const inner = next === undefined ? undefined : fields[next];
  return inner === undefined ? fields : fieldsAt(inner.value, rest);
}
