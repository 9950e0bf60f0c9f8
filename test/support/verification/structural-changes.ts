import { contractTypes, typeUrl } from "../../../packages/tron/src/transaction/contract-types.ts";
import type { dice } from "../random/dice.ts";
import {
  BYTES,
  changeMessage,
  FIXED32,
  FIXED64,
  fieldsAt,
  GROUP,
  longer,
  readVarint,
  VARINT,
  type Way,
  type WireField,
  waysIn,
  writeVarint,
} from "./wire-message.ts";

/** Other bytes of `raw_data`, by what was done to them; made when they are asked for. */
export interface Change {
  readonly name: string;
  readonly bytes: () => Uint8Array;
}

type Fields = readonly WireField[];
type FieldsChange = readonly [name: string, change: (fields: Fields) => Fields];

const LARGEST = 2n ** 63n - 1n;
/** Field numbers that a message of the protocol has, and some that none has. */
const NUMBERS = [...Array.from({ length: 22 }, (_, index) => index + 1), 99, 536_870_911];

/**
 * Changes the structure of `raw_data`: every field of every message is removed, repeated, moved, renamed, given another
 * value or form; unknown fields, other types and more contracts are added.
 *
 * @param others - `raw_data` of other transactions, whose parts are put in
 */
export function* structuralChanges(original: Uint8Array, others: readonly Uint8Array[]): Generator<Change> {
  for (const way of waysIn(original)) yield* changesAt(original, way);
  yield* typeChanges(original);
  yield* foreignParts(original, others);
}

/** Changes one of the messages in `raw_data`. */
function* changesAt(original: Uint8Array, way: Way): Generator<Change> {
  const place = way.length === 0 ? "raw_data" : `raw_data ${way.join(".")}`;
  for (const [name, change] of changesOf(fieldsAt(original, way))) {
    yield { name: `${name} in ${place}`, bytes: () => changeMessage(original, way, change) };
  }
}

function* changesOf(fields: Fields): Generator<FieldsChange> {
  for (const [at, field] of fields.entries()) {
    yield* placeChanges(fields, at);
    yield* formChanges(field, at);
    for (const value of otherValues(field))
      yield [`another value of ${field.number}`, replacing(at, { ...field, value })];
  }
  yield* additions();
}

function* placeChanges(fields: Fields, at: number): Generator<FieldsChange> {
  const field = fields[at];
  if (field === undefined) return;
  const others = fields.filter((_, index) => index !== at);
  yield [`${field.number} removed`, () => others];
  yield [`${field.number} doubled`, () => fields.toSpliced(at, 0, field)];
  yield [`${field.number} first`, () => [field, ...others]];
  yield [`${field.number} last`, () => [...others, field]];
  for (const [index, other] of fields.entries()) {
    if (index === at || other.wire !== field.wire) continue;
    yield [`${field.number} as ${other.number}`, replacing(at, { ...field, value: other.value })];
    yield [`${field.number} beside ${other.number}`, () => fields.toSpliced(at, 0, { ...field, value: other.value })];
    yield [
      `${field.number} and ${other.number} in each other's place`,
      () => fields.with(at, { ...field, value: other.value }).with(index, { ...other, value: field.value }),
    ];
  }
}

/** The same content under another number, as another type, or with more bytes than it needs. */
function* formChanges(field: WireField, at: number): Generator<FieldsChange> {
  for (const number of [field.number + 1, Math.max(1, field.number - 1), field.number + 16, 99]) {
    yield [`${field.number} renamed ${number}`, replacing(at, { ...field, number })];
  }
  for (const [wire, value] of [
    [VARINT, writeVarint(1n)],
    [FIXED64, new Uint8Array(8)],
    [BYTES, field.value],
    [GROUP, Uint8Array.of((field.number << 3) | 4)],
    [FIXED32, new Uint8Array(4)],
  ] as const) {
    if (wire !== field.wire) yield [`${field.number} of type ${wire}`, replacing(at, { ...field, wire, value })];
  }
  yield [`${field.number} with a longer tag`, replacing(at, { ...field, overlong: "tag" })];
  if (field.wire === BYTES)
    yield [`${field.number} with a longer length`, replacing(at, { ...field, overlong: "length" })];
  else yield [`${field.number} as a longer number`, replacing(at, { ...field, value: longer(field.value) })];
}

function replacing(at: number, field: WireField): (fields: Fields) => Fields {
  return (fields) => fields.with(at, field);
}

function otherValues({ wire, value }: WireField): readonly Uint8Array[] {
  return wire === VARINT ? otherNumbers(readVarint(value) ?? 0n).map(writeVarint) : otherBytes(value);
}

function otherNumbers(value: bigint): readonly bigint[] {
  const candidates = [0n, 1n, 2n, -1n, value + 1n, value - 1n, value * 2n, value / 2n, value * 10n, -value, LARGEST];
  // A reader of 32 bits would see the requested value.
  return [...candidates, value + 2n ** 32n].filter((it) => BigInt.asIntN(64, it) !== value);
}

function otherBytes(value: Uint8Array): readonly Uint8Array[] {
  const flipped = (at: number, bit: number): Uint8Array => value.with(at, (value[at] ?? 0) ^ bit);
  const ends = value.length === 0 ? [] : [flipped(0, 1), flipped(value.length - 1, 1), flipped(value.length >> 1, 128)];
  const shorter = value.length === 0 ? [] : [new Uint8Array(), value.subarray(1), value.subarray(0, -1)];
  return [
    ...ends,
    ...shorter,
    new Uint8Array(Math.max(1, value.length)),
    Buffer.concat([value, Uint8Array.of(0)]),
    Buffer.concat([Uint8Array.of(0), value]),
    Buffer.concat([value, value, Uint8Array.of(1)]),
  ];
}

/** Fields that were not requested, in the place of a serialiser and at the end. */
function* additions(): Generator<FieldsChange> {
  for (const number of NUMBERS) {
    for (const [wire, value] of [
      [VARINT, writeVarint(1n)],
      [VARINT, writeVarint(0n)],
      [BYTES, new Uint8Array()],
      [BYTES, Uint8Array.of(8, 1)],
    ] as const) {
      const added = { number, wire, value };
      yield [`${number} added`, (fields) => inOrder(fields, added)];
      yield [`${number} added at the end`, (fields) => [...fields, added]];
    }
    yield [
      `${number} added as a fixed number`,
      (fields) => inOrder(fields, { number, wire: FIXED64, value: new Uint8Array(8) }),
    ];
  }
}

function inOrder(fields: Fields, added: WireField): Fields {
  const at = fields.findIndex(({ number }) => number > added.number);
  return at < 0 ? [...fields, added] : fields.toSpliced(at, 0, added);
}

const CONTRACT = 11;
const TYPE = 1;
const PARAMETER = 2;
const TYPE_URL = 1;
const FOREIGN_URLS = [
  "",
  "type.googleapis.com/",
  "type.example.com/protocol.TransferContract",
  "protocol.TransferContract",
];

/** The same message under the number or the name of every other type, and under both. */
function* typeChanges(original: Uint8Array): Generator<Change> {
  for (const type of contractTypes) {
    const url = Buffer.from(typeUrl(type));
    yield { name: `the number of ${type.name}`, bytes: () => withType(original, type.number) };
    yield { name: `the URL of ${type.name}`, bytes: () => withUrl(original, url) };
    yield { name: `number and URL of ${type.name}`, bytes: () => withUrl(withType(original, type.number), url) };
  }
  for (const url of FOREIGN_URLS) yield { name: `the URL "${url}"`, bytes: () => withUrl(original, Buffer.from(url)) };
}

function withType(original: Uint8Array, number: number): Uint8Array {
  const type = { number: TYPE, wire: VARINT, value: writeVarint(BigInt(number)) };
  const set = (fields: Fields): Fields => [
    ...(number === 0 ? [] : [type]),
    ...fields.filter((it) => it.number !== TYPE),
  ];
  return changeMessage(original, wayTo(original, CONTRACT), set);
}

function withUrl(original: Uint8Array, url: Uint8Array): Uint8Array {
  return changeMessage(original, wayTo(original, CONTRACT, PARAMETER), (fields) =>
    fields.map((it) => (it.number === TYPE_URL ? { ...it, value: url } : it)),
  );
}

function wayTo(bytes: Uint8Array, ...numbers: readonly number[]): Way {
  const way: number[] = [];
  for (const number of numbers) way.push(fieldsAt(bytes, way).findIndex((it) => it.number === number));
  return way;
}

/** Contracts and other fields of other transactions: in the place of ours, before them and after them. */
function* foreignParts(original: Uint8Array, others: readonly Uint8Array[]): Generator<Change> {
  for (const other of others) {
    for (const part of fieldsAt(other, [])) {
      const change = (name: string, edit: (fields: Fields) => Fields): Change => ({
        name: `${part.number} of another transaction ${name}`,
        bytes: () => changeMessage(original, [], edit),
      });
      yield change("in the place of ours", (fields) => fields.map((it) => (it.number === part.number ? part : it)));
      yield change("after ours", (fields) => inOrder(fields, part));
      yield change("first", (fields) => [part, ...fields]);
      yield change("last", (fields) => [...fields, part]);
    }
  }
}

type Roll = ReturnType<typeof dice>;

/** Changes bytes at random: flips bits, removes, repeats or inserts pieces, or several of these. */
export function randomChange(original: Uint8Array, other: Uint8Array, roll: Roll): Change {
  const [name, change] = BYTE_CHANGES[roll(BYTE_CHANGES.length)] ?? BYTE_CHANGES[0];
  return { name, bytes: () => change(original, other, roll) };
}

type ByteChange = readonly [name: string, change: (original: Uint8Array, other: Uint8Array, roll: Roll) => Uint8Array];

const BYTE_CHANGES: readonly [ByteChange, ...ByteChange[]] = [
  ["bits flipped", flipped],
  ["a byte set", (original, _other, roll) => original.with(roll(original.length), roll(256))],
  ["a piece taken out", (original, _other, roll) => spliced(original, new Uint8Array(), roll)],
  ["a piece put in", (original, _other, roll) => inserted(original, noise(1 + roll(12), roll), roll)],
  ["a piece replaced", (original, _other, roll) => spliced(original, noise(1 + roll(12), roll), roll)],
  ["a piece doubled", (original, _other, roll) => inserted(original, pieceOf(original, roll), roll)],
  ["a piece of another transaction", (original, other, roll) => spliced(original, pieceOf(other, roll), roll)],
  ["the beginning of one, the end of another", crossed],
  ["several structural changes", changedAgain],
  ["bits flipped", flipped],
];

function flipped(original: Uint8Array, _other: Uint8Array, roll: Roll): Uint8Array {
  const bytes = Uint8Array.from(original);
  for (let left = 1 + roll(4); left > 0; left -= 1) {
    const at = roll(bytes.length);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << roll(8));
  }
  return bytes;
}

function crossed(original: Uint8Array, other: Uint8Array, roll: Roll): Uint8Array {
  return Buffer.concat([original.subarray(0, roll(original.length)), other.subarray(roll(other.length))]);
}

/** One structural change on top of the other. */
function changedAgain(original: Uint8Array, _other: Uint8Array, roll: Roll): Uint8Array {
  let bytes = original;
  for (let left = 2 + roll(2); left > 0; left -= 1) {
    const ways = waysIn(bytes);
    const changes = [...changesAt(bytes, ways[roll(ways.length)] ?? [])];
    bytes = changes[roll(changes.length)]?.bytes() ?? bytes;
  }
  return bytes;
}

function inserted(original: Uint8Array, piece: Uint8Array, roll: Roll): Uint8Array {
  const at = roll(original.length + 1);
  return Buffer.concat([original.subarray(0, at), piece, original.subarray(at)]);
}

function spliced(original: Uint8Array, piece: Uint8Array, roll: Roll): Uint8Array {
  const at = roll(original.length);
  return Buffer.concat([original.subarray(0, at), piece, original.subarray(at + 1 + roll(30))]);
}

function pieceOf(bytes: Uint8Array, roll: Roll): Uint8Array {
  const at = roll(bytes.length);
  return bytes.subarray(at, at + 1 + roll(40));
}

function noise(length: number, roll: Roll): Uint8Array {
  return Uint8Array.from({ length }, () => roll(256));
}
