import { type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { type Transaction, TransactionSchema } from "@finality/tron/schema";
import { decodeTransaction } from "@finality/tron/transaction";
import { JavaError } from "./java-values.ts";

const COMPLAINTS = {
  truncated:
    "While parsing a protocol message, the input ended unexpectedly in the middle of a field.  " +
    "This could mean either that the input has been truncated or that an embedded message misreported its own length.",
  varint: "CodedInputStream encountered a malformed varint.",
  tag: "Protocol message contained an invalid tag (zero).",
  endTag: "Protocol message end-group tag did not match expected tag.",
  wireType: "Protocol message tag had invalid wire type.",
  size: "CodedInputStream encountered an embedded string or message which claimed to have negative size.",
  text: "Protocol message had invalid UTF-8.",
} as const;

const VARINT = 0;
const LENGTH = 2;
const GROUP = 3;
const GROUP_END = 4;
/** Length of fixed-size values by wire type. */
const FIXED: { readonly [wireType: number]: number } = { 1: 8, 5: 4 };
const LONGEST_VARINT = 10;

function complaint(kind: keyof typeof COMPLAINTS): JavaError {
  return new JavaError("com.google.protobuf.InvalidProtocolBufferException", COMPLAINTS[kind]);
}

/** Position of the reader, and end of the message. */
interface Cursor {
  readonly bytes: Uint8Array;
  at: number;
  readonly end: number;
}

/** A field with a different wire type than declared. */
interface StrangeField {
  readonly no: number;
  readonly wireType: number;
  readonly data: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/**
 * Decodes a transaction with the errors and in the order of Java's reader. A field with a different wire type is an
 * unknown field.
 *
 * @throws {JavaError}
 */
export function readTransaction(bytes: Uint8Array): Transaction {
  const strange = checkMessage({ bytes, at: 0, end: bytes.length }, TransactionSchema);
  if (strange.length === 0) return decodeTransaction(bytes);
  const known = bytes.filter((_, index) => !strange.some(({ from, to }) => index >= from && index < to));
  const message = decodeTransaction(known);
  message.$unknown = [...(message.$unknown ?? []), ...strange];
  return message;
}

function checkMessage(cursor: Cursor, schema: DescMessage): StrangeField[] {
  const strange: StrangeField[] = [];
  while (cursor.at < cursor.end) {
    const from = cursor.at;
    const { no, wireType } = readTag(cursor);
    if (wireType === GROUP_END) throw complaint("endTag");
    const field = schema.fields.find(({ number }) => number === no);
    const data = cursor.at;
    if (field !== undefined && fits(field, wireType)) checkField(cursor, field);
    else skip(cursor, no, wireType);
    if (field !== undefined && !fits(field, wireType)) {
      strange.push({ no, wireType, data: cursor.bytes.slice(data, cursor.at), from, to: cursor.at });
    }
  }
  return strange;
}

function fits(field: DescField, wireType: number): boolean {
  const long = field.message !== undefined || field.scalar === ScalarType.BYTES || field.scalar === ScalarType.STRING;
  return wireType === (long ? LENGTH : VARINT);
}

function checkField(cursor: Cursor, { number, message, scalar }: DescField): void {
  if (message !== undefined) {
    const end = endOfLength(cursor);
    checkMessage({ bytes: cursor.bytes, at: cursor.at, end }, message);
    cursor.at = end;
  } else if (scalar === ScalarType.STRING) checkText(cursor);
  else skip(cursor, number, scalar === ScalarType.BYTES ? LENGTH : VARINT);
}

function checkText(cursor: Cursor): void {
  const end = endOfLength(cursor);
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(cursor.bytes.subarray(cursor.at, end));
  } catch {
    throw complaint("text");
  }
  cursor.at = end;
}

function readTag(cursor: Cursor): { readonly no: number; readonly wireType: number } {
  const tag = Number(BigInt.asUintN(32, readVarint(cursor)));
  const no = Math.floor(tag / 8);
  if (no === 0) throw complaint("tag");
  return { no, wireType: tag % 8 };
}

function readVarint(cursor: Cursor): bigint {
  let value = 0n;
  for (let count = 0; count < LONGEST_VARINT; count += 1) {
    const byte = cursor.at < cursor.end ? cursor.bytes[cursor.at] : undefined;
    if (byte === undefined) throw complaint("truncated");
    cursor.at += 1;
    value |= BigInt(byte & 0x7f) << BigInt(7 * count);
    if (byte < 0x80) return value;
  }
  throw complaint("varint");
}

function endOfLength(cursor: Cursor): number {
  const length = Number(BigInt.asIntN(32, readVarint(cursor)));
  if (length < 0) throw complaint("size");
  if (cursor.at + length > cursor.end) throw complaint("truncated");
  return cursor.at + length;
}

function skip(cursor: Cursor, no: number, wireType: number): void {
  if (wireType === VARINT) readVarint(cursor);
  else if (wireType === LENGTH) cursor.at = endOfLength(cursor);
  else if (wireType === GROUP) skipGroup(cursor, no);
  else skipFixed(cursor, wireType);
}

function skipFixed(cursor: Cursor, wireType: number): void {
  const length = FIXED[wireType];
  if (length === undefined) throw complaint("wireType");
  if (cursor.at + length > cursor.end) throw complaint("truncated");
  cursor.at += length;
}

function skipGroup(cursor: Cursor, group: number): void {
  while (cursor.at < cursor.end) {
    const { no, wireType } = readTag(cursor);
    if (wireType !== GROUP_END) skip(cursor, no, wireType);
    else if (no === group) return;
    else break;
  }
  throw complaint("endTag");
}
